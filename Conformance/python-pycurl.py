"""Asks a server whose key must be pinned: python-pycurl.py URL ENDPOINT TRUST [PINS]"""

import sys

import pycurl

url, endpoint, trust, *pins = sys.argv[1:]
curl = pycurl.Curl()
curl.setopt(pycurl.URL, url)
curl.setopt(pycurl.CONNECT_TO, ["::" + endpoint])
curl.setopt(pycurl.CAINFO, trust)
curl.setopt(pycurl.FAILONERROR, True)
if pins:
    curl.setopt(pycurl.PINNEDPUBLICKEY, pins[0])
curl.perform()
