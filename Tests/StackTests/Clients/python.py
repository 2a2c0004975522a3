"""Python's ssl module: one server a line, "port host anchors pin instant", and one answer a line."""
import socket
import ssl
import sys

for line in sys.stdin:
    port, host, anchors, *_ = line.split()
    try:
        context = ssl.create_default_context(cafile=anchors)
        with socket.create_connection(("127.0.0.1", int(port)), timeout=20) as plain:
            with context.wrap_socket(plain, server_hostname=host):
                print("accept", flush=True)
    except ssl.SSLError as error:
        print("reject", " ".join(str(error).split()), flush=True)
    except (OSError, ValueError) as error:
        print("fail", " ".join(str(error).split()), flush=True)
