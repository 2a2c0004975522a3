"""Opens a report's page in Chromium, and holds it to what it promises.

    reportpage.py PAGE PAYLOADS [FOLDER]

PAYLOADS is JSON: texts that clients and servers said, each of which must stand in the page as it is, without running and
without making an element. FOLDER takes pictures. Wants Playwright and axe-playwright-python from PyPI and Debian's
chromium. Prints how long the page took to open, then "done".
"""

import collections
import json
import pathlib
import re
import shutil
import sys
import time

import axe_playwright_python
from playwright.sync_api import sync_playwright

# All that the templates write.
ELEMENTS = set(
    "html head meta title style body main h1 h2 h3 p strong b br table caption thead tbody tr th td span ul ol li div a form label "
    "input fieldset legend button details summary section dl dt dd pre code figure figcaption script".split()
)
ATTRIBUTES = set(
    "lang charset name content http-equiv class id scope colspan tabindex role aria-label href title for type autocomplete "
    "spellcheck value checked hidden open".split()
)
# What a page shows in the place of what steers a terminal, or turns the direction of writing.
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def seen(text):
    lines = [STEERING.sub("\ufffd", line).strip() for line in re.split("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]", text)]
    return [line for line in lines if line]


def wait(page, claim):
    """The page's policy forbids what Playwright's own way to wait does."""
    for _ in range(400):
        if page.evaluate(claim):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"never came true: {claim}")


def main(page_path, payload_path, pictures=None):
    payloads = json.loads(pathlib.Path(payload_path).read_text())
    axe = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
    address = pathlib.Path(page_path).resolve().as_uri()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(bypass_csp=False)
        asked, dialogs, errors = [], [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        start = time.monotonic()
        page.goto(address, wait_until="load")
        wait(page, "!document.getElementById('filter') || !document.getElementById('filter').hidden")
        print(f"opened in {time.monotonic() - start:.2f} s")

        names = page.evaluate(
            "[...document.querySelectorAll('*')].map(e => [e.localName, ...[...e.attributes].map(a => a.name)])"
        )
        strange = {name[0] for name in names} - ELEMENTS
        assert not strange, f"elements that no template has: {strange}"
        strange = {attribute for name in names for attribute in name[1:]} - ATTRIBUTES
        assert not strange, f"attributes that no template has: {strange}"
        assert page.evaluate("window.broken") is None, "a script of theirs has run"
        assert asked == [address], f"asked for {asked}"
        assert not dialogs and not errors, f"{dialogs} {errors}"
        text = page.evaluate("document.body.textContent")
        lines = collections.Counter(line.strip() for line in text.split("\n"))
        for payload in payloads:
            for line in seen(payload):
                assert lines[line] or line in text, f"not shown as it is: {payload!r}"

        if pictures is None and len(names) > 50_000:
            print("done")
            return
        filter_works(page)
        for scheme in ("light", "dark"):
            for width in (1200, 360):
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size({"width": width, "height": 900})
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, f"{scheme}: {wide} pixels in a window of {width}"
                if pictures:
                    page.screenshot(path=f"{pictures}/{scheme}-{width}.png", full_page=True)
        if pictures:
            page.set_viewport_size({"width": 1200, "height": 900})
            page.pdf(path=f"{pictures}/print.pdf", print_background=True)
        # axe needs to be let in; the page itself was looked at with its policy in force.
        free = browser.new_page(bypass_csp=True)
        free.goto(address)
        for scheme in ("light", "dark"):
            free.emulate_media(color_scheme=scheme)
            free.evaluate(axe)
            told = [(rule["id"], [node["html"][:200] for node in rule["nodes"]][:3]) for rule in free.evaluate("axe.run()")["violations"]]
            assert not told, f"{scheme}: {told}"
        # Whole without its script.
        bare = browser.new_context(java_script_enabled=False).new_page()
        bare.goto(address)
        assert bare.locator("details.t").count() == page.locator("details.t").count()
        assert not bare.locator("#filter").is_visible()
    print("done")


def filter_works(page):
    """Only trials with the words, and only with the marks, that are asked for; by keyboard as well."""
    trials = page.locator("details.t")
    count = trials.count()
    if not count:
        return
    name = trials.first.locator("summary").text_content().split()[1]
    page.locator("#words").fill(name)
    wait(page, "document.getElementById('count').textContent.startsWith('0') === false")
    page.locator("#words").fill("no such words anywhere")
    wait(page, "document.querySelectorAll('details.t:not([hidden])').length === 0")
    page.locator("#words").fill("")
    wait(page, f"document.querySelectorAll('details.t:not([hidden])').length === {count}")
    boxes = page.locator("input[name=mark]")
    for index in range(boxes.count()):
        boxes.nth(index).focus()
        page.keyboard.press("Space")
    assert page.locator("details.t:not([hidden])").count() == 0
    for index in range(boxes.count()):
        boxes.nth(index).focus()
        page.keyboard.press("Space")
    assert page.locator("details.t:not([hidden])").count() == count


main(*sys.argv[1:])
