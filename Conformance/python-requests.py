"""Asks a server whose certificate must be pinned: python-requests.py URL TRUST [FINGERPRINT]"""

import sys

import requests
from requests.adapters import HTTPAdapter


class FingerprintAdapter(HTTPAdapter):
    def __init__(self, fingerprint):
        self.fingerprint = fingerprint
        super().__init__()

    def init_poolmanager(self, *arguments, **options):
        super().init_poolmanager(*arguments, assert_fingerprint=self.fingerprint, **options)


url, trust, *fingerprint = sys.argv[1:]
session = requests.Session()
if fingerprint:
    session.mount("https://", FingerprintAdapter(fingerprint[0]))
session.get(url, verify=trust).raise_for_status()
