"""Pins a server's key in any Python library that takes an SSLContext.

    context = pinned.context(trust, ["sha256//…", …])

All ordinary checks stay. The pin is compared after them, in the handshake, before a byte of a request is sent; and for
each connection again, so that none of a pool goes unchecked.
"""

import base64
import hashlib
import ssl

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def pin(certificate):
    key = x509.load_der_x509_certificate(certificate).public_key()
    digest = hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()
    return "sha256//" + base64.b64encode(digest).decode()


def context(trust, pins):
    def check(connection):
        if pins and pin(connection.getpeercert(binary_form=True)) not in pins:
            raise ssl.SSLCertVerificationError("pin mismatch")

    class Socket(ssl.SSLSocket):  # what blocking libraries use
        def do_handshake(self, *arguments):
            super().do_handshake(*arguments)
            check(self)

    class Object(ssl.SSLObject):  # what asyncio uses
        def do_handshake(self):
            super().do_handshake()
            check(self)

    made = ssl.create_default_context(cafile=trust)
    made.sslsocket_class, made.sslobject_class = Socket, Object
    return made
