#!/usr/bin/env python3
"""How long an event is on its way to a reader, and what 50 readers cost a run (docs/control.md).

    Benchmarks/events.py [PINDRILL]     default: .build/release/pindrill

It starts `pindrill serve` with the shipped catalogue, plays attempts as the device would, and prints what it measured. It
needs nothing but Python, and sends nothing beyond loopback.
"""
import http.client, json, socket, ssl, statistics, subprocess, sys, threading, time

program = sys.argv[1] if len(sys.argv) > 1 else ".build/release/pindrill"
readers = 50


class Plane:
    def __init__(self):
        command = [program, "serve", "scenarios.yaml", "--port", "0", "--proxy-port", "0", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        ready = json.loads(self.process.stdout.readline())
        self.port, self.token = int(ready["url"].rsplit(":", 1)[1]), ready["token"]

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse().read()
        connection.close()
        return json.loads(answer) if answer[:1] == b"{" else answer

    def events(self, take):
        """Calls take(type, data, time) for each event, in a thread of its own, until the server ends."""
        stream = socket.create_connection(("127.0.0.1", self.port))
        head = f"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.token}\r\n\r\n"
        stream.sendall(head.encode())
        listens = threading.Event()

        def read():
            for line in stream.makefile("rb"):
                listens.set()
                if line.startswith(b"event: "):
                    take(line[7:].strip().decode(), None, time.monotonic())
                elif line.startswith(b"data: "):
                    take(None, line[6:], time.monotonic())

        threading.Thread(target=read, daemon=True).start()
        listens.wait(10)


def notes(plane, count):
    """From a request that changes a drill to the event that says so."""
    drill = plane.ask("POST", "/v1/drills?wait=60", {"scenario": "attacker-installed-root", "policy": "leaf-and-backup"})
    seen = {}
    plane.events(lambda kind, data, at: seen.setdefault(len(seen), at) if data and b'"notes"' in data else None)
    ways = []
    for index in range(count):
        before, known = time.monotonic(), len(seen)
        plane.ask("POST", f"/v1/drills/{drill['id']}/note", {"text": str(index)})
        while len(seen) == known:
            time.sleep(0.0005)
        ways.append((seen[known] - before) * 1000)
    return drill, ways


def connections(plane, drill, count):
    """From the answer that a device gets to the event that tells of its connection."""
    trust = ssl.create_default_context(cadata=plane.ask("GET", f"/v1/trust/{drill['step']['store']}").decode())
    seen = []
    plane.events(lambda kind, data, at: seen.append(at) if data and b'"outcome":"accepted"' in data else None)
    ways = []
    for _ in range(count):
        connection = http.client.HTTPSConnection("127.0.0.1", drill["proxy"]["port"], context=trust)
        connection.set_tunnel(drill["step"]["host"])
        known = len(seen)
        connection.request("GET", "/")
        connection.getresponse().read()
        before = time.monotonic()
        while len(seen) == known:
            time.sleep(0.0005)
        ways.append((seen[known] - before) * 1000)
        connection.close()
    return ways


def run(plane):
    started = time.monotonic()
    run = plane.ask("POST", "/v1/runs", {"clients": ["reference"], "tags": ["quick"]})
    assert "state" in run, run
    while run["state"] == "running":
        run = plane.ask("GET", f"/v1/runs/{run['id']}?wait=60")
    return time.monotonic() - started, run["planned"]


plane = Plane()
try:
    drill, ways = notes(plane, 100)
    print(f"a change of a drill to its reader: median {statistics.median(ways):.1f} ms, worst of {len(ways)} {max(ways):.1f} ms")
    ways = connections(plane, drill, 40)
    print(f"a connection of a device to its reader: median {statistics.median(ways):.1f} ms, worst of {len(ways)} {max(ways):.1f} ms")
    plane.ask("POST", f"/v1/drills/{drill['id']}/stop")
    run(plane)
    alone, beside = [], []
    alone = [run(plane)[0] for _ in range(5)]
    for _ in range(readers):
        plane.events(lambda kind, data, at: None)
    beside = [run(plane)[0] for _ in range(5)]
    ratio = min(beside) / min(alone)
    print(f"a run of {run(plane)[1]} trials: {min(alone):.2f} s, with {readers} more readers {min(beside):.2f} s: {ratio:.3f} x")
finally:
    plane.process.terminate()
    plane.process.wait()
