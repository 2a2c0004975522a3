"""Asks a server: python-httpx.py [http2] URL PROXY TRUST. httpx pins nothing but by what it trusts."""

import ssl
import sys

import httpx

*http2, url, proxy, trust = sys.argv[1:]
context = ssl.create_default_context(cafile=trust)
with httpx.Client(http2=bool(http2), proxy=proxy, verify=context) as client:
    client.get(url).raise_for_status()
