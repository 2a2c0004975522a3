"""Asks a server whose key must be pinned, with httpx: with-httpx.py URL TRUST [PINS]"""

import sys

import httpx

import pinned

url, trust, *pins = sys.argv[1:]
httpx.get(url, verify=pinned.context(trust, pins[0].split(";") if pins else [])).raise_for_status()
