"""An app for the examples: asks its server once, and knows pins or none."""

from __future__ import annotations

import base64
import hashlib
import http.client
import ssl

from pindrill import Attempt


def ask(attempt: Attempt, pins: list[str]) -> str:
    """What the app showed its user."""
    context = ssl.create_default_context(cadata=attempt.trust)
    connection = http.client.HTTPSConnection(attempt.address, attempt.port, context=context, timeout=30)
    connection.set_tunnel(attempt.host)
    try:
        connection.connect()
        # The pin is compared before a byte of the request is sent.
        certificate = connection.sock.getpeercert(binary_form=True)
        assert certificate
        if pins and pin(certificate) not in pins:
            return "refused-pin"
        connection.request("GET", "/")
        return "worked" if connection.getresponse().status == 200 else "failed"
    except ssl.SSLCertVerificationError as error:
        attempt.note = error.verify_message
        return "refused"
    except OSError:
        return "failed"
    finally:
        connection.close()


def pin(certificate: bytes) -> str:
    """The digest of a certificate's key: the seventh field of its first part (RFC 5280, section 4.1)."""
    at = inside(certificate, inside(certificate, 0))
    for _ in range(6):
        at = end(certificate, at)
    return base64.b64encode(hashlib.sha256(certificate[at : end(certificate, at)]).digest()).decode()


def inside(der: bytes, at: int) -> int:
    return at + 2 + (der[at + 1] & 0x7F if der[at + 1] & 0x80 else 0)


def end(der: bytes, at: int) -> int:
    start = inside(der, at)
    return start + (int.from_bytes(der[at + 2 : start], "big") if start > at + 2 else der[at + 1])
