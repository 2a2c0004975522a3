"""Asks a server: python-httpx.py URL PROXY TRUST. httpx pins nothing but by what it trusts."""

import ssl
import sys

import httpx

url, proxy, trust = sys.argv[1:]
httpx.get(url, proxy=proxy, verify=ssl.create_default_context(cafile=trust)).raise_for_status()
