"""Asks a server whose certificate must be pinned: python-aiohttp.py URL PROXY TRUST [FINGERPRINT]

A Fingerprint stands in the place of the SSLContext, and so of all that it would have checked.
"""

import asyncio
import ssl
import sys

import aiohttp


async def main(url, proxy, trust, fingerprint=None):
    check = aiohttp.Fingerprint(bytes.fromhex(fingerprint)) if fingerprint else ssl.create_default_context(cafile=trust)
    async with aiohttp.ClientSession() as session:
        async with session.get(url, ssl=check, proxy=proxy) as response:
            response.raise_for_status()


asyncio.run(main(*sys.argv[1:]))
