#!/usr/bin/env python3
"""Makes things go wrong around a real pindrill, and writes down what came of it: docs/reliability/faults.md.

    Reliability/faults.py [PINDRILL [KILLS]]     default: .build/debug/pindrill 50

Needs Python, openssl and Linux; faketime where it is there. Everything happens in a temporary folder and on loopback. Ends with 1 if
something was not as it must be.
"""
import base64, glob, hashlib, json, os, random, resource, signal, socket, subprocess, sys, tempfile, time

program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/debug/pindrill")
kills = int(sys.argv[2]) if len(sys.argv) > 2 else 50
page = os.path.abspath("docs/reliability/faults.md")
rows, folder = [], tempfile.mkdtemp(prefix="pindrill-faults-")
os.chdir(folder)
home = os.path.join(folder, "tmp")
os.mkdir(home)
environment = {"PATH": os.environ["PATH"], "HOME": folder, "TMPDIR": home, "NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"}

STORY = """\
version: 1
host: api.acme.example
keys: { leaf: {}, next-leaf: {}, evil: { by: attacker } }
authorities: { acme-root: {}, mallory: { by: attacker } }
stores: { phone: { system: [acme-root], user: [mallory] } }
chains:
  today: { key: leaf, issuer: acme-root }
  tomorrow: { key: next-leaf, issuer: acme-root }
  forged: { key: evil, issuer: mallory }
policies: { leaf-and-backup: { pins: [leaf, next-leaf] } }
clients:
CLIENTS
scenarios:
  - { name: attack, steps: [{ present: today }, { present: forged }] }
  - { name: rotation, steps: [{ present: today }, { at: 30d, present: tomorrow }] }
"""
CURL = "curl --silent --show-error --output /dev/null --cacert {trust} --pinnedpubkey {pins} --connect-to ::{endpoint} {url}"


def story(name, **clients):
    """A scenario file with command clients, by name."""
    lines = [f"  {client}: {{ kind: command, {settings} }}" for client, settings in clients.items()]
    write(name, STORY.replace("CLIENTS", "\n".join(lines)))
    return name


def write(name, content):
    with open(name, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return name


def script(name, lines):
    write(name, "#!/bin/sh\n" + lines)
    os.chmod(name, 0o755)


def processor():
    """What children used, in seconds: unlike time, it is the same on a busy machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Ending:
    def __init__(self, *words, before="", limit=120, wrapper=()):
        line = [program, *words]
        if before:
            line = ["bash", "-c", before + '; exec "$@"', "bash", *line]
        started, before = time.monotonic(), processor()
        try:
            done = subprocess.run([*wrapper, *line], env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit)
            self.status, self.out, self.error = done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            self.status, self.out, self.error = "no end", "", f"after {limit} s"
        self.seconds, self.work = time.monotonic() - started, processor() - before

    @property
    def complaint(self):
        told = "\n".join([self.error, self.out])
        lines = [line for line in told.splitlines() if line.strip() and " warning: " not in line and not line.startswith(("Usage", "  See", "note:"))]
        return lines[0] if lines else ""


def row(number, what, isRight, came):
    rows.append((number, what, isRight, came))
    print(f"{'ok ' if isRight else 'NOT'} {number}: {what}: {came}", flush=True)


def told(number, what, ending, status, *words, where=None):
    """It ends with this status, and says all of these words."""
    text = ending.out + ending.error if where is None else where
    isRight = ending.status == status and all(word in text for word in words)
    row(number, what, isRight, f"exit status {ending.status}: {ending.complaint[:160] or 'no complaint'}")


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True)


def certificates():
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=Root", "-keyout", "root.key",
            "-out", "root.pem", "-days", "30")
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=api.acme.example", "-keyout", "leaf.key",
            "-out", "leaf.csr")
    write("leaf.ext", "subjectAltName=DNS:api.acme.example\n")
    openssl("x509", "-req", "-in", "leaf.csr", "-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", "-extfile", "leaf.ext",
            "-out", "leaf.pem", "-days", "20")
    write("chain.pem", open("leaf.pem").read() + open("root.pem").read())
    key = subprocess.run(["openssl", "pkey", "-in", "leaf.key", "-pubout", "-outform", "DER"], check=True, capture_output=True).stdout
    write("pins.txt", f"sha256//{base64.b64encode(hashlib.sha256(key).digest()).decode()}\n")


def check(chain, *more):
    return Ending("check", "--policy", "pins.txt", "--dialect", "curl", "--chain", chain, "--host", "api.acme.example", "--trust", "root.pem", *more)


def files():
    good = check("chain.pem")
    told("twin", "a whole chain, to compare with", good, 0, "accept")
    marked = "".join("\ufeff" + open(name).read() for name in ("leaf.pem", "root.pem"))
    told("F1", "a byte order mark before each certificate of a chain", check(write("marked.pem", marked)), 0, "accept")
    told("F3", "`--trust` with a leaf, which clients on OpenSSL may trust",
         Ending("check", "--policy", "pins.txt", "--dialect", "curl", "--chain", "chain.pem", "--host", "api.acme.example", "--trust", "leaf.pem"), 0, "leaf.pem")
    one = "".join(line.strip() for line in open("leaf.pem"))
    ending = check(write("one.pem", one))
    told("F9", "a certificate on one line", ending, 65, "one.pem")
    told("F10", "a PKCS #12 file without its password as a chain", check(p12()), 65, "chain.p12")
    os.mkfifo("fifo")
    told("F11", "a FIFO that nobody writes to", check("fifo"), 65, "fifo")
    told("F12", "a chain in UTF-16", check(write("u16.pem", open("leaf.pem").read().encode("utf-16"))), 65, "UTF-16")
    told("–", "an empty file", check(write("empty.pem", "")), 65, "empty")
    told("–", "a file that may not be read", check("/proc/1/mem"), 65)
    ending = Ending("run", write("typo.yaml", STORY.replace("CLIENTS", "  curl: { kind: command, rum: curl }")))
    told("–", "a typo in a scenario file", ending, 65, "typo.yaml:", "did you mean 'run'?")


def p12():
    openssl("pkcs12", "-export", "-in", "chain.pem", "-inkey", "leaf.key", "-passout", "pass:secret", "-out", "chain.p12")
    return "chain.p12"


def whole(path):
    """The report, if it is a whole document."""
    try:
        return json.load(open(path))
    except (OSError, ValueError):
        return None


def clients():
    write("script.sh", "#!/bin/sh\necho hi\n")
    ending = Ending("run", story("noscript.yaml", app="run: ./script.sh"))
    told("F4", "a client script without the x bit", ending, 2, "may not be executed", "chmod +x")
    ending = Ending("run", story("missing.yaml", app="run: ./absent.sh"))
    told("F4", "a client that is missing", ending, 2, "absent.sh")
    ending = Ending("run", "--report", "json=-", story("curl.yaml", curl=f"run: '{CURL}', refused-pin: {{ exit: 90 }}"))
    isJSON = whole(write("out.json", ending.out)) is not None
    row("F5", "`--report json=-`", isJSON and not os.path.exists("-"), f"exit status {ending.status}, standard output is {'one' if isJSON else 'no'} document")
    told("twin", "the same client, undisturbed", ending, 0, '"pass"')
    ending = Ending("run", "--timeout", "1s", story("hang.yaml", app="run: sleep 1000"), limit=60)
    told("–", "a client that hangs", ending, 2, "ended by our timeout")
    ending = Ending("run", story("crash.yaml", app='run: sh -c "kill -SEGV $$"'))
    told("–", "a client that crashes", ending, 2, "signal")
    ending = Ending("run", story("never.yaml", app="run: 'true'"))
    told("–", "a client that never connects", ending, 2, "never connected")
    ending = Ending("run", "--timeout", "2s", story("noise.yaml", app="""run: python3 -c "print('a' * 60)", refused: { text: '(a+)+$' }"""), limit=60)
    row("R1, F8", "a text rule that backtracks, and a client that prints 60 a's", ending.status == 2 and ending.seconds < 50,
        f"exit status {ending.status} after {ending.seconds:.0f} s: {ending.complaint[:120]}")
    script("orders.sh", "echo '##[error]x'; echo '##vso[task.complete]'; exit 1")
    ending = Ending("run", "--verbose", story("orders.yaml", app="run: ./orders.sh"))
    harmless = not any("##[" in line or "##vso[" in line for line in (ending.out + ending.error).splitlines())
    row("R8", "a client that prints orders for a CI service", harmless and ending.status == 2 and "error]x" in ending.out, f"exit status {ending.status}, {'made harmless' if harmless else 'they are there'}")


def limits():
    for number, count in (("F7, R3", 24), ("F7, R3", 32)):
        ending = Ending("run", "curl.yaml", before=f"ulimit -n {count}")
        told(number, f"`ulimit -n {count}`", ending, 2, "ulimit -n 1024")
    told("twin", "`ulimit -n 256`", Ending("run", "curl.yaml", before="ulimit -n 256"), 0)
    report = "full.json"
    ending = Ending("run", "--report", f"json={report}", "curl.yaml", before="ulimit -f 1; trap '' XFSZ")
    row("R6", "no room for more than 1 KiB of a report", ending.status in (2, 74) and report in ending.error,
        f"exit status {ending.status}: {ending.complaint[:120]}")
    ending = Ending("run", "--report", "json=/dev/full", "curl.yaml")
    told("R6", "a report on a device that is full", ending, 74, "No space left")
    for size in (300, 600):
        told("–", f"at most {size} MiB of address space", Ending("run", "curl.yaml", before=f"ulimit -v {size * 1024}"), 2, "ulimit -v")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        told("–", "a port that is taken", Ending("serve", "curl.yaml", "--port", str(port)), 2, str(port))


def sizes():
    text = "val b = CertificatePinner.Builder()" + '.add("a.example", "sha256/x")' * 20_000
    ending = Ending("audit", write("Long.kt", text), limit=300)
    row("R2", f"a source with 20,000 pins in one chain of calls ({len(text) // 1000} kB)", ending.work < 60, f"{ending.work:.1f} s of a core, exit status {ending.status}")
    openssl("pkcs8", "-topk8", "-in", "leaf.key", "-v2", "aes-256-cbc", "-iter", "8000000", "-passout", "pass:secret", "-out", "slow.key")
    ending = Ending("pins", "slow.key", limit=100)
    row("R7", "a key with 8,000,000 rounds of PBKDF2", ending.work < 5 and ending.status != 0, f"{ending.work:.1f} s of a core, exit status {ending.status}: {ending.complaint[:120]}")


def clocks():
    fake = subprocess.run(["which", "faketime"], capture_output=True, text=True).stdout.strip()
    if not fake:
        return print("skipped: clock jumps: faketime is not installed")
    for what, later in (("an hour ahead", "+1h"), ("an hour back", "-1h")):
        write("offset", "+0")
        slow = story("slow.yaml", curl=f"run: './later.sh 0.5 {CURL}', refused-pin: {{ exit: 90 }}")
        # The wrapper makes what the library would make at its start, and would move the environment by it.
        command = [fake, "-m", "-f", "+0", "env", "-u", "FAKETIME", f"FAKETIME_TIMESTAMP_FILE={folder}/offset", "FAKETIME_NO_CACHE=1",
                   "DONT_FAKE_MONOTONIC=1", program, "run", "--report", "json=clock.json", slow]
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(1)
        write("offset", later)
        try:
            lines = process.communicate(timeout=120)[1].decode().splitlines()
            error = "".join(f"; {line}" for line in lines if not line.startswith("note:"))
            status = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            error, status = "", "no end"
        document = whole("clock.json") or {"summary": {"verdicts": {}}}
        verdicts = document["summary"]["verdicts"]
        row("–", f"the clock jumps {what} during a run", status == 0 and verdicts.get("fail") == 0,
            f"exit status {status}, {verdicts.get('pass')} passed, {verdicts.get('fail')} failed{error[:100]}")


def processes(session):
    found = []
    for place in glob.glob("/proc/[0-9]*"):
        try:
            fields = open(place + "/stat").read().rsplit(")", 1)[1].split()
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(place[6:]))
        except (OSError, IndexError):
            pass
    return found


def holds_key(path):
    try:
        content = open(path, "rb").read()
    except OSError:
        return False
    return b"PRIVATE KEY" in content


def killed():
    generator = random.Random(5)
    slow = story("kill.yaml", curl=f"run: './later.sh 0.2 {CURL}', refused-pin: {{ exit: 90 }}", other="run: sleep 30, timeout: 1s")
    left, keys, halves, finished, folders = 0, 0, 0, 0, 0
    for _ in range(kills):
        write("killed.json", '{"of": "an earlier run"}')
        process = subprocess.Popen([program, "run", "--report", "json=killed.json", slow], env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(generator.uniform(0.02, 3))
        process.send_signal(signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + 3
        while processes(process.pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        rest = processes(process.pid)
        left += len(rest)
        for number in rest:
            os.kill(number, signal.SIGKILL)
        keys += sum(holds_key(path) for path in glob.glob(home + "/**", recursive=True) if os.path.isfile(path))
        document = whole("killed.json")
        halves += document is None
        finished += len((document or {}).get("trials", []))
    folders = len(os.listdir(home))
    # One that was killed before it locked its folder left an empty one, which the next run takes for its neighbour's for an hour.
    for name in os.listdir(home):
        if not os.path.exists(f"{home}/{name}/owner"):
            os.utime(f"{home}/{name}", (0, 0))
    Ending("run", "curl.yaml")
    row("R5", f"SIGKILL at {kills} random moments of a run", left == 0 and keys == 0 and halves == 0,
        f"{left} processes left, {keys} files with a private key, {halves} damaged reports; {finished} finished trials were in the reports")
    row("R5", "folders of runs that were killed", len(os.listdir(home)) <= 1, f"{folders} before the next run, {len(os.listdir(home))} after it")


script("later.sh", 'sleep "$1"; shift; exec "$@"')
certificates()
for part in (files, clients, limits, sizes, clocks, killed):
    part()
os.makedirs(os.path.dirname(page), exist_ok=True)
with open(page, "w") as file:
    file.write("# Faults, and what came of them\n\n`Reliability/faults.py` wrote this table. *twin* is the same without the fault.\n\n")
    file.write("| Case | What was done | What came of it | As it must be |\n|---|---|---|---|\n")
    for number, what, isRight, came in rows:
        came = came.replace(folder + "/", "").replace("|", "\\|").replace("<", "&lt;")
        file.write(f"| {number} | {what} | {came} | {'yes' if isRight else '**no**'} |\n")
subprocess.run(["rm", "-rf", folder])
sys.exit(0 if all(isRight for _, _, isRight, _ in rows) else 1)
