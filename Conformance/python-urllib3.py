"""Asks a server whose certificate must be pinned: python-urllib3.py URL PROXY TRUST [FINGERPRINT]"""

import sys

import urllib3

url, proxy, trust, *fingerprint = sys.argv[1:]
pool = urllib3.ProxyManager(proxy, ca_certs=trust, assert_fingerprint=fingerprint[0] if fingerprint else None)
response = pool.request("GET", url)
assert response.status == 200, response.status
