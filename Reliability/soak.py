#!/usr/bin/env python3
"""Loads one `pindrill serve` for a long time, and says whether its memory, descriptors, threads and answers stay what they are.

    Reliability/soak.py [MINUTES [PINDRILL]]     default: 60 .build/release/pindrill

The load: runs of the reference client, drills that PinDrill's own app plays, handshakes with a request through the proxy,
clients that read slowly or not at all, and hostile ones: noise, half a hello, heads without an end, resets, CONNECT to an address
that is refused, requests without a token, bodies that are too large. All of it stays on loopback. It needs nothing but Python.

Writes docs/reliability/soak.csv (one line for every ten seconds) and soak.svg, and prints a table. Ends with 1 if memory, descriptors
or threads grow: if the median of the last quarter is more than 1.03 x that of the third one (and more than a few). The server fills
what it remembers before that: 100 drills, and runs that have 5,000 trials.
"""
import csv, http.client, json, os, random, signal, socket, ssl, statistics, struct, subprocess, sys, threading, time

minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 60
program = sys.argv[2] if len(sys.argv) > 2 else ".build/release/pindrill"
period = min(10.0, minutes * 60 / 40)
folder = "docs/reliability"
ended = threading.Event()
counts, complaints = {}, []
lock = threading.Lock()


def count(what, amount=1):
    with lock:
        counts[what] = counts.get(what, 0) + amount


class Plane:
    def __init__(self):
        command = [program, "serve", "scenarios.yaml", "--port", "0", "--proxy-port", "0", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        ready = json.loads(self.process.stdout.readline())
        self.port, self.token = int(ready["url"].rsplit(":", 1)[1]), ready["token"]
        self.proxy = None

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse().read()
        finally:
            connection.close()
        return json.loads(answer) if answer[:1] == b"{" else answer


def again_and_again(work, pause=0.0):
    """Does something until the end. What goes wrong with it is told, once for each kind."""

    def loop():
        generator = random.Random(work.__name__)
        while not ended.is_set():
            try:
                work(generator)
                count(work.__name__.replace("_", " "))
            except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
                if ended.is_set():
                    return
                words = f"{work.__name__}: {type(error).__name__}: {error}"
                with lock:
                    if words not in complaints:
                        complaints.append(words)
                count("failed " + work.__name__.replace("_", " "))
                time.sleep(0.2)
            ended.wait(pause)

    thread = threading.Thread(target=loop, daemon=True)
    thread.start()
    return thread


def runs(_):
    run = plane.ask("POST", "/v1/runs", {"clients": ["reference"], "tags": ["quick"]})
    while run["state"] == "running":
        run = plane.ask("GET", f"/v1/runs/{run['id']}?wait=60")
    if run["exit_status"] != 0:
        report = plane.ask("GET", f"/v1/reports/{run['id']}")
        wrong = [
            f"{trial['scenario']} · {trial['policy']}: {step['verdict']}, {step['grounds']}: "
            + "; ".join(f"{attempt['wire']}, {attempt['account']}" for attempt in step["attempts"])
            for trial in report["trials"] for step in trial["steps"] if step["verdict"] in ("fail", "inconclusive")
        ]
        raise ValueError(f"a run ended with {run['exit_status']}: {wrong}")
    count("trials", run["planned"])


def drills(_):
    names = ["attacker-installed-root", "rotated-to-backup"]
    drill = {"scenario": names[counts.get("drills", 0) % 2], "policy": "leaf-and-backup", "example": True}
    drill = plane.ask("POST", "/v1/drills?wait=60", drill)
    plane.proxy = drill["proxy"]["port"]
    while drill["state"] not in ("finished", "stopped"):
        drill = plane.ask("GET", f"/v1/drills/{drill['id']}?wait=60")


def proxied():
    """A connection to the proxy, which stands while a drill is at work only."""
    while not ended.is_set():
        try:
            return socket.create_connection(("127.0.0.1", plane.proxy or 0), timeout=20)
        except ConnectionError:
            count("waits for the next drill")
            time.sleep(0.05)
    raise ConnectionError("it is over")


def handshakes(_):
    # Whatever certificate a drill shows just now; it counts to nothing but the load.
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with proxied() as raw:
        raw.sendall(b"CONNECT api.acme.example:443 HTTP/1.1\r\nHost: api.acme.example:443\r\n\r\n")
        if not raw.recv(4096).startswith(b"HTTP/1.1 200"):
            return count("handshakes between two drills")
        try:
            with context.wrap_socket(raw, server_hostname="api.acme.example") as secure:
                secure.sendall(b"GET / HTTP/1.1\r\nHost: api.acme.example\r\n\r\n")
                secure.recv(65536)
        except (ssl.SSLError, ConnectionError):
            count("handshakes that a new step cut off")


def hostile_to_the_proxy(generator):
    with proxied() as raw:
        try:
            what = generator.randrange(6)
            if what == 0:
                raw.sendall(generator.randbytes(generator.randrange(1, 4000)))
            elif what == 1:
                raw.sendall(bytes([22, 3, 1, 2, 0]) + generator.randbytes(60))
            elif what == 2:
                raw.sendall(b"CONNECT 169.254.169.254:80 HTTP/1.1\r\n\r\n")
            elif what == 3:
                raw.sendall(b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 100_000)
            elif what == 4:
                raw.sendall(b"CONNECT api.acme.example:443 HTTP/1.1\r\n\r\n")
                raw.sendall(generator.randbytes(500))
            raw.settimeout(0.05)
            raw.recv(4096)
        except OSError:
            pass
        # A reset in place of an end.
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def hostile_to_the_control_plane(generator):
    with socket.create_connection(("127.0.0.1", plane.port), timeout=20) as raw:
        try:
            what = generator.randrange(5)
            head = f"Host: 127.0.0.1:{plane.port}\r\n"
            if what == 0:
                raw.sendall(generator.randbytes(generator.randrange(1, 4000)))
            elif what == 1:
                raw.sendall(f"GET /v1/drills HTTP/1.1\r\n{head}\r\n".encode())
            elif what == 2:
                secret = f"Authorization: Bearer {plane.token}\r\nContent-Type: application/json\r\n"
                raw.sendall(f"POST /v1/check HTTP/1.1\r\n{head}{secret}Content-Length: 3000000\r\n\r\n".encode())
                raw.sendall(b"[" * 3_000_000)
            elif what == 3:
                raw.sendall(b"POST /v1/runs HTTP/1.1\r\n" + b"A: b\r\n" * 20_000)
            else:
                raw.sendall(f"GET /health HTTP/1.1\r\n{head}".encode())
            raw.settimeout(0.05)
            raw.recv(4096)
        except OSError:
            pass
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def readers_that_do_not_read(generator):
    with socket.create_connection(("127.0.0.1", plane.port), timeout=20) as raw:
        head = f"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:{plane.port}\r\nAuthorization: Bearer {plane.token}\r\n\r\n"
        raw.sendall(head.encode())
        ended.wait(generator.uniform(5, 30))


def slow_clients(generator):
    with proxied() as raw:
        for byte in b"CONNECT api.acme.example:443 HTTP/1.1\r\n":
            raw.sendall(bytes([byte]))
            if ended.wait(generator.uniform(0.05, 0.3)):
                return


def answer_time():
    before = time.monotonic()
    plane.ask("GET", "/health")
    return (time.monotonic() - before) * 1000


def sample():
    place = f"/proc/{plane.process.pid}"
    status = dict(line.split(":", 1) for line in open(place + "/status"))
    times = [answer_time() for _ in range(5)]
    return {
        "seconds": round(time.monotonic() - started),
        "memory_mib": round(int(status["VmRSS"].split()[0]) / 1024, 1),
        "descriptors": len(os.listdir(place + "/fd")),
        "threads": int(status["Threads"]),
        "health_ms": round(statistics.median(times), 2),
        "trials": counts.get("trials", 0),
        "drills": counts.get("drills", 0),
        "handshakes": counts.get("handshakes", 0),
        "hostile": counts.get("hostile to the proxy", 0) + counts.get("hostile to the control plane", 0),
    }


def plot(samples, columns):
    """Small charts one below the other, from 0 to the largest value."""
    width, height, gap = 760, 110, 46
    parts = []
    last = samples[-1]["seconds"] or 1
    for index, (column, name) in enumerate(columns):
        top = 24 + index * (height + gap)
        most = max(row[column] for row in samples) or 1
        points = " ".join(
            f"{60 + row['seconds'] / last * (width - 80):.1f},{top + height - row[column] / most * height:.1f}" for row in samples
        )
        parts.append(
            f'<text x="60" y="{top - 8}">{name}: 0 to {most:g}</text>'
            f'<rect x="60" y="{top}" width="{width - 80}" height="{height}" fill="none" stroke="#767676"/>'
            f'<polyline points="{points}" fill="none" stroke="#0b5394" stroke-width="1.5"/>'
        )
    bottom = 24 + len(columns) * (height + gap)
    parts.append(f'<text x="60" y="{bottom - 22}">0 to {last / 60:.0f} minutes</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom}" font-family="sans-serif" font-size="13">'
        f'<title>A soak test of {last / 60:.0f} minutes</title><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


plane = Plane()
started = time.monotonic()
samples = []
try:
    for work, pause, many in [
        (runs, 1, 1), (drills, 0.2, 1), (handshakes, 0.02, 2), (hostile_to_the_proxy, 0.05, 1),
        (hostile_to_the_control_plane, 0.05, 1), (readers_that_do_not_read, 0, 3), (slow_clients, 0, 3),
    ]:
        for _ in range(many):
            again_and_again(work, pause)
    while time.monotonic() - started < minutes * 60 and plane.process.poll() is None:
        ended.wait(period)
        samples.append(sample())
finally:
    ended.set()
    died = plane.process.poll()
    if died is None:
        plane.process.send_signal(signal.SIGTERM)
        try:
            plane.process.wait(30)
        except subprocess.TimeoutExpired:
            complaints.append("it did not end by SIGTERM within 30 seconds")
            plane.process.kill()

os.makedirs(folder, exist_ok=True)
with open(folder + "/soak.csv", "w") as file:
    writer = csv.DictWriter(file, samples[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(samples)
columns = [
    ("memory_mib", "Resident memory, MiB"), ("descriptors", "Open descriptors"), ("threads", "Threads"),
    ("health_ms", "GET /health, median of five, ms"),
]
open(folder + "/soak.svg", "w").write(plot(samples, columns))

quarter = max(1, len(samples) // 4)
print("| What | Third quarter, median | Last quarter, median | Most |\n|---|---:|---:|---:|")
status = 0
for column, name in columns:
    values = [row[column] for row in samples]
    early, late = statistics.median(values[-2 * quarter : -quarter] or values), statistics.median(values[-quarter:])
    print(f"| {name} | {early:g} | {late:g} | {max(values):g} |")
    few = {"memory_mib": 3, "descriptors": 10, "threads": 2, "health_ms": 1e9}[column]
    if late > 1.03 * early and late > early + few:
        status = 1
        print(f"{name}: it grows", file=sys.stderr)
print("\n" + "; ".join(f"{amount} {what}" for what, amount in sorted(counts.items())))
if died is not None:
    status = 1
    print(f"pindrill ended by itself, with {died}", file=sys.stderr)
for words in complaints:
    print(words, file=sys.stderr)
sys.exit(status)
