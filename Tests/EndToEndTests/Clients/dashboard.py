"""Plays the dashboard of 'pindrill serve' in a real browser, with curl as the phone.

    python3 dashboard.py PINDRILL drill | device | views | languages | lesson | measure [PICTURES]
    python3 dashboard.py PINDRILL picture docs/images/dashboard.png

Wants Playwright and axe-playwright-python from PyPI, and Debian's chromium and zbar-tools. Ends with 0 if all was as it should be.
"""

import contextlib
import json
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import axe_playwright_python
from playwright.sync_api import sync_playwright

HOSTILE = "<img src=x onerror=document.title='broken'>\"'&\u202eevil"
FILE = """\
version: 1
host: api.acme.example
keys: { leaf: {}, evil: { by: attacker } }
authorities: { acme-root: {}, mallory: { by: attacker } }
stores: { phone: { system: [acme-root], user: [mallory] } }
chains:
  today: { key: leaf, issuer: acme-root }
  forged: { key: evil, issuer: mallory }
policies: { pinned: { pins: [leaf] } }
clients: { app: { kind: attended, ask: %(hostile)s }, reference: { kind: reference } }
scenarios:
  - name: attack
    about: %(hostile)s
    steps: [ { present: today, note: %(hostile)s }, { at: 30d, present: forged } ]
""" % {"hostile": json.dumps(HOSTILE, ensure_ascii=False)}


class Dashboard:
    """A server, a browser, and all that the browser asked for and complained of."""

    def __init__(self, address, browser):
        self.url, self.token = address["url"], address["token"]
        self.context = browser.new_context(viewport={"width": 1200, "height": 900})
        self.requests, self.complaints = [], []
        self.page = self.watch(self.context.new_page())

    def watch(self, page):
        page.set_default_timeout(180_000)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: message.type in ("error", "warning") and self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def text(self, selector):
        return self.page.inner_text(selector)

    def wait(self, selector, **options):
        return self.page.wait_for_selector(selector, **options)

    def check(self):
        """Holds what was seen to what may be."""
        foreign = [url for url in self.requests if not url.startswith(self.url + "/")]
        assert not foreign, f"requests that leave the machine: {foreign}"
        assert not self.complaints, f"the browser complains: {self.complaints}"
        assert "[object" not in self.text("main") and "undefined" not in self.text("main"), self.text("main")
        assert "broken" not in self.page.title(), "text became markup"
        assert self.page.locator("main img, main script").count() == 0, "text became markup"

    def inspect(self, name, pictures=None):
        """axe-core's rules and no sideways scrolling, light and dark, wide and narrow."""
        axe = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
        self.check()
        for scheme in ("light", "dark"):
            for width in (1200, 360):
                self.page.emulate_media(color_scheme=scheme)
                self.page.set_viewport_size({"width": width, "height": 900})
                self.page.evaluate(axe)
                broken = self.page.evaluate("axe.run()")["violations"]
                told = [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in broken]
                assert not told, f"{name}, {scheme}, {width}: {told}"
                wide = self.page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, f"{name}, {scheme}: {wide} pixels in a window of {width}"
                if pictures:
                    self.page.screenshot(path=f"{pictures}/{name}-{scheme}-{width}.png", full_page=True)
        self.page.emulate_media(color_scheme="light")
        self.page.set_viewport_size({"width": 1200, "height": 900})


@contextlib.contextmanager
def dashboard(pindrill, *arguments, file=FILE, ends=0):
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        pathlib.Path(folder, "story.yaml").write_text(file, encoding="utf-8")
        ports = ["--port", "0", "--proxy-port", "0"]
        names = ["story.yaml"] if file else []
        server = subprocess.Popen(
            [pindrill, "serve", *names, *ports, "--json", *arguments], cwd=folder, stdout=subprocess.PIPE, text=True
        )
        try:
            line = server.stdout.readline()
            assert line, f"pindrill serve ended with {server.wait()}"
            # Chromium has services of its own, which look for the internet: nothing but this machine has a name for it.
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"),
                args=["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"],
            )
            shown = Dashboard(json.loads(line), browser)
            shown.page.goto(json.loads(line)["open"])
            shown.wait("h1")
            try:
                yield shown
            except Exception:
                print(shown.page.url, shown.text("body"), shown.complaints, sep="\n")
                raise
            shown.check()
            browser.close()
            server.terminate()
            assert server.wait(60) == ends or ends is None, f"pindrill serve ended with {server.wait()}"
        finally:
            server.terminate()
            server.wait(60)


def phone(page, folder, *options):
    """curl, as a tester sets up a phone: with the proxy and the roots that the page names."""
    address = page.inner_text("summary:has-text('The device') + div code >> nth=0")
    with page.expect_download() as download:
        page.click("a[download$='.pem']")
    roots = f"{folder}/roots.pem"
    download.value.save_as(roots)
    return lambda *more: subprocess.run(
        ["curl", "--silent", "--max-time", "20", "--cacert", roots, "--proxy", f"http://{address}", *options, *more]
        + ["https://api.acme.example/"],
        stdout=subprocess.DEVNULL,
    ).returncode


def pin(shown):
    stores = api(shown, "GET", "/v1/policies")
    return "sha256//" + stores["policies"][0]["pins"][0]


def api(shown, method, path, body=None):
    response = shown.context.request.fetch(
        shown.url + path, method=method, data=body, headers={"Authorization": f"Bearer {shown.token}"}
    )
    assert response.ok, response.text()
    return response.json()


def begin(shown):
    shown.page.click("text=Start the drill")
    shown.wait(".word[aria-disabled=false]")
    visible = shown.page.locator(".word:visible")
    assert visible.count() == 7, f"{visible.count()} buttons for seven words"


def drill(pindrill, pictures):
    with tempfile.TemporaryDirectory() as folder, dashboard(pindrill, ends=1) as shown:
        page = shown.page

        # A state that is late when it is read is not the last word, though no event tells of a later one.
        def late(route):
            answer = route.fetch()
            route.fulfill(response=answer, json=answer.json() | {"state": "starting", "revision": 0, "attempt": 0})

        page.route("**/v1/drills/*", late, times=1)

        # A naive app: curl trusts the attacker's root and pins nothing. The keyboard alone gives the words.
        begin(shown)
        assert page.inner_text(".ask") == HOSTILE.replace("\u202e", "\ufffd")
        naive = phone(page, folder)
        assert naive() == 0
        shown.wait(".connection.accepted")
        shown.inspect("drill", pictures)
        page.keyboard.press("n")
        page.keyboard.type(HOSTILE)
        page.keyboard.press("Enter")
        shown.wait(".notes li")
        page.locator("h1").focus()
        page.keyboard.press("w")
        shown.wait("button.next:visible")
        assert "served" in page.inner_text("#announcements"), page.inner_text("#announcements")
        page.keyboard.press("Enter")
        shown.wait("text=Step 2 of 2, day 30")
        shown.wait(".chain.attacker")
        assert "attacker's certificate" in page.inner_text("#announcements")

        # Hosts that are not under test come, too, and one of them is named to do harm.
        address = page.inner_text("summary:has-text('The device') + div code >> nth=0").rsplit(":", 1)
        with socket.create_connection((address[0], int(address[1]))) as stranger:
            stranger.sendall(b"CONNECT <img/src=x/onerror=document.title='broken'>:443 HTTP/1.1\r\n\r\n")
            stranger.recv(1)
        assert naive() == 0
        shown.wait(".connection.accepted.bad")
        # Another page sees the same, and gives the word.
        other = shown.watch(shown.context.new_page())
        other.goto(page.url)
        other.wait_for_selector(".word[aria-disabled=false]")
        other.click(".word.worked")
        shown.wait(".verdict")
        assert "fail intercepted" in page.inner_text(".verdict"), page.inner_text(".verdict")
        other.close()
        shown.inspect("drill-failed", pictures)
        page.click("text=Read the report")
        page.click(".trial summary")
        assert "attack · pinned · app" in page.inner_text(".report")
        shown.wait(".trial .connection:has-text('api.acme.example') .badge >> nth=1", state="attached")
        badges = page.locator(".trial .connection:has-text('api.acme.example') .badge").all_inner_texts()
        assert badges == ["owner", "attacker"], f"whose chains were shown: {badges}"
        shown.inspect("report", pictures)

        # Its twin: the same phone, with the pin.
        page.click("nav >> text=Drill")
        begin(shown)
        pinned = phone(page, folder, "--pinnedpubkey", pin(shown))
        assert pinned() == 0
        page.click(".word.again")
        shown.wait(".word[aria-disabled=false]")
        shown.page.wait_for_function("() => document.querySelectorAll('.connection').length === 0")
        assert pinned() == 0
        shown.wait(".connection.accepted")
        page.click(".word.worked")
        page.click("button.next")
        shown.wait(".chain.attacker")
        assert pinned() == 90
        shown.wait(".connection.rejected")
        page.click(".word.refused-pin")
        shown.wait(".verdict")
        assert "pass protected" in page.inner_text(".verdict"), page.inner_text(".verdict")


def device(pindrill, pictures):
    """A phone elsewhere: its camera reads where to go, in each colour scheme and width, and the page is there."""
    with socket.socket() as free:
        free.bind(("127.0.0.2", 0))
        place = f"127.0.0.2:{free.getsockname()[1]}"
    with dashboard(pindrill, "--listen", place, "--allow", "127.0.0.1", ends=130) as shown:
        page = shown.page
        begin(shown)
        code = shown.wait("svg.qr-code")
        assert code.get_attribute("aria-label") == f"QR code of http://{place}/"
        assert page.locator(f"code:text-is('http://{place}/')").is_visible()
        shown.inspect("device", pictures)
        with tempfile.TemporaryDirectory() as folder:
            for scheme, width in [("light", 1200), ("dark", 1200), ("dark", 360)]:
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size({"width": width, "height": 900})
                code.screenshot(path=f"{folder}/code.png")
                read = ["zbarimg", "-q", "--raw", "-Sbinary", "--nodbus", f"{folder}/code.png"]
                told = subprocess.run(read, stdout=subprocess.PIPE, text=True).stdout.strip()
                assert told == f"http://{place}/", f"{scheme}, {width}: {told}"
        answer = subprocess.run(["curl", "--silent", told], stdout=subprocess.PIPE, text=True).stdout
        assert "PinDrill: roots for this device" in answer, answer
        # The fingerprints look as they do there, to be compared.
        shown_here = page.locator("dd code").all_inner_texts()
        assert len(shown_here) == 2 and all(one in answer for one in shown_here), shown_here


REPORT = {
    "version": 1,
    "file": HOSTILE,
    "trials": [
        None,
        {
            "scenario": HOSTILE,
            "policy": {},
            "client": [],
            "verdict": "constructor",
            "steps": [{"shown": 3, "verdict": 5, "attempts": [{"output": HOSTILE, "connections": [{"target": HOSTILE}]}]}],
        },
    ],
}


def views(pindrill, pictures):
    with dashboard(pindrill) as shown:
        page = shown.page
        shown.inspect("choose", pictures)

        # Each view is one key away, and takes the focus.
        for name in ("Observe", "Run", "Lesson", "Drill"):
            page.focus(f"nav >> text={name}")
            page.keyboard.press("Enter")
            page.wait_for_function("name => document.title.startsWith(name)", arg=name)
            assert page.evaluate("document.activeElement.tagName") == "H1"
        page.keyboard.press("w")

        # A drill that does not exist says so, and not what.
        page.goto(f"{shown.url}/#drill/nowhere")
        assert "nowhere" in shown.wait(".failure").inner_text()
        assert len(shown.complaints) == 1, shown.complaints  # the browser's own line about the 404
        shown.complaints.clear()

        # Any app is observed.
        page.goto(f"{shown.url}/#observe")
        page.select_option("#step", "2")
        page.click("button:has-text('Show it')")
        shown.wait("h3:has-text('is shown step 2')")
        address = page.inner_text("article code >> nth=0")
        curl = ["curl", "--silent", "--insecure", "--proxy", f"http://{address}", "https://api.acme.example/"]
        assert subprocess.run(curl, stdout=subprocess.DEVNULL).returncode == 0
        shown.wait("text=never pinned")
        shown.inspect("observe", pictures)
        page.click("text=Show nothing to")
        shown.wait("h3:has-text('is shown step')", state="detached")

        # A run is started, watched and read.
        page.goto(f"{shown.url}/#run")
        page.select_option("#client", "reference")
        shown.inspect("run", pictures)
        page.click("text=Start the run")
        shown.wait("text=finished, exit status")
        page.click("text=Read the report")
        shown.wait(".report")
        page.click("text=Also trials")
        page.click(".trial summary")
        shown.wait(".result")

        # Who has no code is told how to come in, in words.
        stranger = shown.watch(shown.page.context.browser.new_page())
        stranger.goto(shown.url)
        stranger.wait_for_selector("#code")
        stranger.close()
        assert all("401" in complaint for complaint in shown.complaints), shown.complaints
        shown.complaints.clear()

        # A saved report is opened in the browser; a bad one is refused, and a hostile one is only text.
        for name, content, expected in [
            ("bad.json", "<html>", "it is not JSON"),
            ("other.json", '{"version": 2}', "it is no report"),
            (HOSTILE, json.dumps(REPORT), "Nothing needs attention"),
        ]:
            page.goto(f"{shown.url}/#run")
            page.reload()
            asked = len(shown.requests)
            page.set_input_files("#saved", [{"name": name, "mimeType": "application/json", "buffer": content.encode()}])
            if "html" in content or "2}" in content:
                assert expected in shown.wait(".failure").inner_text()
            else:
                page.click(".trial summary")
                shown.wait(".trial pre")
            sent = [url for url in shown.requests[asked:] if "/v1/" in url and "events" not in url]
            assert not any("report" in url and not url.endswith("/v1/reports") for url in sent), sent


def languages(pindrill, pictures):
    """Each text of the views stands in the catalogue of texts, with the same places for what varies, and is shown."""
    sources = pathlib.Path(__file__).resolve().parents[3] / "Sources/CEmbedded/Data/dashboard"
    with dashboard(pindrill, ends=130) as shown:
        page = shown.page
        texts = page.evaluate("async () => (await import('/texts.js')).texts")
        used = [json.loads(f'"{text}"') for file in sources.glob("*.js") for text in re.findall(r'\btr\(\s*"((?:[^"\\]|\\.)*)"', file.read_text())]
        used += page.evaluate("""async () => {
          const { verdicts, consequences, attributions } = await import("/words.js");
          return [verdicts, consequences, attributions].flatMap(Object.values);
        }""")
        assert len(used) > 80, used
        lacking = sorted({text for text in used if text not in texts})
        assert not lacking, f"texts that no language has: {lacking}"
        for english, others in texts.items():
            places = sorted(re.findall(r"\{\d\}", english))
            assert len(others) == 3 and all(others), english
            assert all(sorted(re.findall(r"\{\d\}", other)) == places for other in others), english

        # The heading, and what a drill says to do, wherever it stands.
        for view, language, heading in [("drill", "ko", "드릴"), ("observe", "ja", "観察"), ("run", "zh", "运行")]:
            page.goto(f"{shown.url}/#{view}")
            page.select_option("#language", language)
            shown.wait(f"h1:text-is('{heading}')")
            assert page.evaluate("document.documentElement.lang").startswith(language)
            shown.inspect(f"{view}-{language}", pictures)
        page.goto(f"{shown.url}/#drill")
        page.select_option("#language", "ja")
        page.click("text=ドリルを始める")
        shown.wait("text=指示どおりに操作し、結果を答えてください。")
        assert "ステップ 1/" in page.inner_text(".step")
        shown.inspect("drill-played-ja", pictures)
        # What the app was shown stays where it is when its tester changes the language.
        page.select_option("#language", "en")
        shown.wait("text=Do what is asked")
        page.click("text=Stop the drill")
        shown.wait("text=It has no verdict")


def lesson(pindrill, pictures):
    # What PinDrill's own app does is no finding: the server ends well.
    with dashboard(pindrill, "--no-commands", file="") as shown:
        page = shown.page
        page.goto(f"{shown.url}/#lesson")
        keys = """async () => {
          const { texts } = await import("/lesson-texts.js");
          return Object.values(texts).map((one) => Object.keys(one));
        }"""
        told = page.evaluate(keys)
        assert len(told) == 4 and all(one == told[0] for one in told), "a language lacks a text"
        # What was begun before the page is read anew does not stand in the way. The view of before has such a button, too.
        shown.wait("h2:has-text('Act 1:')")
        page.click("button.big")
        shown.wait(".moral")
        page.reload()
        endings = []
        for act in range(1, 5):
            shown.wait(f"h2:has-text('Act {act}:')")
            page.click("button.big")
            while True:
                shown.wait(".moral")
                page.wait_for_function("() => document.querySelector('button.big').getAttribute('aria-disabled') === 'false'")
                if page.locator(".learnt").count():
                    break
                page.click("button.big")
            endings.append(page.inner_text(".moral"))
            if act == 1:
                assert "password" in page.inner_text("mark"), page.inner_text(".panels")
                assert "\ufffd" not in page.inner_text(".panels"), page.inner_text(".panels")
                shown.inspect("lesson", pictures)
                for language, word in [("ko", "비밀번호"), ("ja", "パスワード"), ("zh", "密码")]:
                    page.select_option("#language", language)
                    shown.wait(f".panels:has-text('{word}')")
                    shown.inspect(f"lesson-{language}", pictures)
                page.select_option("#language", "en")
            if act < 4:
                page.click("button.big")
        expected = ["leaked", "protected", "locked out", "served"]
        assert all(word in ending for word, ending in zip(expected, endings)), endings


REACT = """const watch = new MutationObserver(() => {
  const scenario = document.querySelector("main #scenario");
  if (!scenario) return;
  watch.disconnect();
  const before = document.getElementById("about").textContent;
  scenario.selectedIndex = scenario.options.length - 1;
  scenario.dispatchEvent(new Event("change"));
  if (document.getElementById("about").textContent === before) return;
  // Told after the next picture has been drawn.
  requestAnimationFrame(() => setTimeout(() => { window.reacted = performance.now(); }));
});
watch.observe(document, { childList: true, subtree: true })"""

WATCH = """new MutationObserver(() => {
  window.changed = Date.now();
}).observe(document, { childList: true, subtree: true, characterData: true, attributes: true })"""


def measure(pindrill, _):
    """Prints, in milliseconds, how long a page takes from the address until its first field reacts, and an event to the page.

    The page is that of the shipped file, which is the longest, and of a browser that has seen nothing of it."""
    with dashboard(pindrill, file="", ends=None) as shown:
        sizes, taken = {}, {"loaded": [], "drawn": [], "reacted": []}
        for _ in range(5):
            context = shown.context.browser.new_context(viewport={"width": 1200, "height": 900})
            page = context.new_page()
            page.add_init_script(REACT)
            page.on("response", lambda response: sizes.update({response.url: len(response.body())}) if response.ok and "/v1/" not in response.url else None)
            page.goto(f"{shown.url}/enter?code={api(shown, 'POST', '/v1/codes', {})['code']}")
            page.wait_for_function("() => window.reacted > 0")
            times = page.evaluate("""() => ({
              loaded: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
              drawn: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
              reacted: window.reacted,
            })""")
            for name, values in taken.items():
                values.append(times[name])
            context.close()
        told = ", ".join(f"{name} {statistics.median(values):.0f} (worst {max(values):.0f})" for name, values in taken.items())
        print(f"bytes {sum(sizes.values())}; {told}")
    with dashboard(pindrill, ends=None) as shown, tempfile.TemporaryDirectory() as folder:
        page = shown.page
        page.add_init_script(WATCH)
        page.goto(shown.url)
        begin(shown)
        told, drawn = [], []
        naive = phone(page, folder)
        path = "/v1/drills/" + page.url.rsplit("/", 1)[1]
        for _ in range(20):
            state = api(shown, "GET", path)
            naive()
            ended = time.time() * 1000
            shown.wait(".connection.accepted")
            drawn.append(page.evaluate("window.changed") - ended)
            start = time.time() * 1000
            api(shown, "POST", path + "/word?wait=10", {"attempt": state["attempt"], "word": "again"})
            page.wait_for_function("() => document.querySelectorAll('.connection').length === 0")
            told.append(page.evaluate("window.changed") - start)
        median = statistics.median
        print(f"word to page {median(told):.0f} (worst {max(told):.0f}), curl's end to page {median(drawn):.0f} (worst {max(drawn):.0f})")


def picture(pindrill, path):
    """Draws docs/images/dashboard.png: the shipped rotation, in the middle of its second step."""
    with dashboard(pindrill, file="", ends=None) as shown, tempfile.TemporaryDirectory() as folder:
        page = shown.page
        page.set_viewport_size({"width": 1100, "height": 900})
        page.select_option("#scenario", "attacker-installed-root")
        page.select_option("#policy", "leaf-and-backup")
        begin(shown)
        naive = phone(page, folder)
        page.click("summary:has-text('The device')")
        naive()
        shown.wait(".connection.accepted")
        page.keyboard.press("w")
        page.click("button.next")
        shown.wait(".chain.attacker")
        naive()
        shown.wait(".connection.bad")
        page.screenshot(path=path, full_page=True)


if __name__ == "__main__":
    program, part, *pictures = sys.argv[1:]
    pindrill = str(pathlib.Path(program).resolve())
    {"drill": drill, "device": device, "views": views, "languages": languages, "lesson": lesson, "measure": measure, "picture": picture}[part](pindrill, *(pictures or [None]))
    print("done")
