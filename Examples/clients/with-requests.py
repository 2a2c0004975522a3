"""Asks a server whose key must be pinned, with requests: with-requests.py URL TRUST [PINS]"""

import sys

import requests
from requests.adapters import HTTPAdapter

import pinned


class PinnedAdapter(HTTPAdapter):
    def __init__(self, context):
        self.context = context
        super().__init__()

    def init_poolmanager(self, *arguments, **options):
        super().init_poolmanager(*arguments, ssl_context=self.context, **options)


url, trust, *pins = sys.argv[1:]
session = requests.Session()
session.mount("https://", PinnedAdapter(pinned.context(trust, pins[0].split(";") if pins else [])))
# `verify` would load roots of its own into the context.
session.get(url, verify=trust).raise_for_status()
