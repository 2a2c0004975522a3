"""Pins a server's certificate with urllib3's assert_fingerprint.

For each line of standard input, "host <tab> port <tab> trust file <tab> policy file", it asks the server of that name
that listens on loopback, and answers in a line, as `lifetime: trial` has it.
"""

import re
import sys

import urllib3


def attempt(host, port, trust, policy):
    with open(policy) as file:
        text = file.read()
    pool = urllib3.HTTPSConnectionPool(
        "127.0.0.1",
        port=int(port),
        server_hostname=host,
        ca_certs=trust,
        cert_reqs="CERT_NONE" if re.search(r"cert_reqs\W+none", text) else "CERT_REQUIRED",
        assert_fingerprint=re.search(r"assert_fingerprint\W+([0-9a-f]+)", text)[1],
        retries=False,
    )
    try:
        response = pool.request("GET", "/", headers={"Host": host})
        return "succeeded" if response.status == 200 else f"failed {response.status}"
    except urllib3.exceptions.SSLError as error:
        return f"{'refused-pin' if 'Fingerprints did not match' in str(error) else 'refused'} {error}"
    except Exception as error:
        return f"failed {error!r}"
    finally:
        pool.close()


urllib3.disable_warnings()
for line in sys.stdin:
    print(attempt(*line.rstrip("\n").split("\t")).replace("\n", " "), flush=True)
