"""Asks a server whose key must be pinned, with aiohttp: with-aiohttp.py URL TRUST [PINS]"""

import asyncio
import sys

import aiohttp

import pinned


async def main(url, trust, pins=""):
    context = pinned.context(trust, pins.split(";") if pins else [])
    async with aiohttp.ClientSession() as session:
        async with session.get(url, ssl=context) as response:
            response.raise_for_status()


asyncio.run(main(*sys.argv[1:]))
