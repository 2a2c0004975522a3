"""Asks a server whose key must be pinned, with urllib3: with-urllib3.py URL TRUST [PINS]"""

import sys

import urllib3

import pinned

url, trust, *pins = sys.argv[1:]
pool = urllib3.PoolManager(ssl_context=pinned.context(trust, pins[0].split(";") if pins else []), retries=False)
response = pool.request("GET", url)
assert response.status == 200, response.status
