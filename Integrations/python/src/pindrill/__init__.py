"""Shows an app chains of certificates, and says whether it obeyed its pins: `PinDrill`."""

from __future__ import annotations

import atexit
import contextlib
import http.client
import json
import os
import queue
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Callable

__all__ = ["WORDS", "Attempt", "Drill", "PinDrill", "PinDrillError"]

#: What may be said of an attempt.
WORDS = ("worked", "refused", "refused-pin", "failed", "again", "skip")


class PinDrillError(Exception):
    """PinDrill could not be asked, or gave no verdict."""


@dataclass
class Attempt:
    """What an app needs to know to make one attempt. Whether it should be refused is not said."""

    number: int
    ask: str
    #: Whose server the app believes to reach.
    host: str
    #: The proxy to go through, as ``http://127.0.0.1:8899``; who is led to its address and port needs no proxy.
    proxy: str
    address: str
    port: int
    #: The roots that the device trusts, in PEM.
    trust: str
    #: For the report, if it is set.
    note: str = ""
    #: What the app shows, where the answers of a scenario carry `{code}`: `worked` counts with it alone.
    code: str = ""

    @property
    def url(self) -> str:
        return f"https://{self.host}/"


class Drill:
    """One scenario, played to one app."""

    def __init__(self, pindrill: PinDrill, state: dict[str, Any]) -> None:
        self._pindrill, self._state = pindrill, state
        self._steps: dict[int, int] = {}
        self._seen: list[dict[str, Any]] = []
        self._is_settled = False

    def play(self, act: Callable[[Attempt], str]) -> Drill:
        """Has each attempt made by `act`, which says how the app took it: one of `WORDS`."""
        path = f"/v1/drills/{self._state['id']}"
        try:
            while self._ready(path):
                attempt = self._attempt()
                word = act(attempt)
                if word not in WORDS:
                    raise PinDrillError(f"the app's word was {word!r}, which is none of: {', '.join(WORDS)}")
                body = {"attempt": attempt.number, "word": word}
                if attempt.note:
                    body["note"] = attempt.note
                if attempt.code:
                    body["code"] = attempt.code
                self._state = self._pindrill._ask("POST", f"{path}/word?wait=30", body)
            if self._state.get("verdict") != "pass":
                self._seen = self._pindrill._ask("GET", "/v1/observations")["connections"]
        except BaseException:
            self._stop()
            raise
        return self

    def expect(self, verdict: str) -> None:
        """Fails with all that is known if the verdict is another."""
        if self.verdict != verdict:
            raise AssertionError(self.account(verdict))

    @property
    def verdict(self) -> str:
        """`pass`, `fail`, `inconclusive`, `not-applicable` or `skipped`."""
        self._is_settled = True
        if "verdict" not in self._state:
            reason = self._state.get("reason", "play it first")
            raise PinDrillError(f"{self._state['scenario']!r} has no verdict: {reason}")
        return str(self._state["verdict"])

    def account(self, expected: str = "pass") -> str:
        """What happened, for people."""
        state = self._state
        lines = [
            f"{state['scenario']} · {state['policy']} · {state['client']}: "
            f"{state.get('verdict')} ({state.get('consequence')}), expected: {expected}"
        ]
        for result in state["results"]:
            if result["verdict"] == "pass":
                continue
            lines.append(
                f"  step {result['number']}: {result['host']} showed {', '.join(result['shown'])}, "
                f"whose key is the {result['holder']}'s: {result['verdict']} ({result['consequence']})"
            )
            lines.append(f"    why: {result['grounds']}")
            for seen in self._seen:
                if seen["source"] == state["id"] and self._steps.get(seen.get("attempt", 0)) == result["number"]:
                    lines.append(f"    the wire saw: {seen['connection']['reaction']}")
            if "word" in result:
                lines.append(f"    the app's word: {result['word']}")
            if "advice" in result:
                lines.append(f"    next: {result['advice']}")
        return "\n".join(lines + [f"  {finding}" for finding in state.get("findings", [])])

    def _ready(self, path: str) -> bool:
        """Waits until an attempt is to be made or the drill is over."""
        limit = self._pindrill._answer_seconds
        end = time.monotonic() + limit
        while self._state["state"] not in ("waiting", "finished", "stopped"):
            left = end - time.monotonic()
            if left <= 0:
                raise PinDrillError(f"{self._state['scenario']!r} was still {self._state['state']!r} after {limit} s")
            wait = max(1, min(30, int(left)))
            self._state = self._pindrill._ask("GET", f"{path}?wait={wait}&after={self._state['attempt']}")
        return bool(self._state["state"] == "waiting")

    def _attempt(self) -> Attempt:
        state = self._state
        step, proxy = state["step"], state["proxy"]
        self._steps[state["attempt"]] = step["number"]
        return Attempt(
            number=state["attempt"],
            ask=state["ask"],
            host=step["host"],
            proxy=proxy["url"],
            address=proxy["address"],
            port=proxy["port"],
            trust=self._pindrill._read("GET", f"/v1/trust/{_quoted(step['store'])}?format=pem"),
        )

    def _stop(self) -> None:
        self._is_settled = True
        with contextlib.suppress(PinDrillError):
            self._pindrill._ask("POST", f"/v1/drills/{self._state['id']}/stop")


class PinDrill:
    """The PinDrill that `PINDRILL_URL` and `PINDRILL_TOKEN` or `PINDRILL_TOKEN_FILE` name, or one of its own.

    One of its own is `program serve file`, and ends when this is closed.
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | None = None,
        *,
        url: str | None = None,
        token_file: str | os.PathLike[str] | None = None,
        program: str = "pindrill",
        start_seconds: float = 60,
        answer_seconds: float = 60,
    ) -> None:
        self._answer_seconds = answer_seconds
        self._drills: list[Drill] = []
        self._end: Callable[[], None] = lambda: None
        self.url = url or os.environ.get("PINDRILL_URL") or ""
        if self.url:
            self._token = _found_token(token_file)
        else:
            self._start(program, file, start_seconds)

    def drill(self, scenario: str, *, policy: str | None = None, client: str | None = None) -> Drill:
        """Begins a drill. Policy and client are needed where there is a choice."""
        names = {"scenario": scenario, "policy": policy, "client": client}
        body = {key: name for key, name in names.items() if name is not None}
        drill = Drill(self, self._ask("POST", "/v1/drills?wait=30", body))
        self._drills.append(drill)
        return drill

    def pins(self, policy: str) -> list[str]:
        """What a policy pins, as digests in base64, for an app that is told its pins."""
        for found in self._ask("GET", "/v1/policies")["policies"]:
            if found["name"] == policy:
                return list(found.get("pins", []))
        raise PinDrillError(f"there is no policy {policy!r}")

    def close(self) -> None:
        """Ends what was started. A drill whose verdict nobody has asked for is an error: its test would prove nothing."""
        forgotten = [drill for drill in self._drills if not drill._is_settled]
        for drill in forgotten:
            drill._stop()
        self._drills = []
        self._end()
        atexit.unregister(self._end)
        if forgotten:
            raise PinDrillError(f"nobody asked for the verdict of {forgotten[0]._state['scenario']!r}")

    def __enter__(self) -> PinDrill:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is None:
            return self.close()
        with contextlib.suppress(PinDrillError):
            self.close()

    def _start(self, program: str, file: str | os.PathLike[str] | None, seconds: float) -> None:
        words = [program, "serve", *([os.fspath(file)] if file is not None else []), "--port", "0", "--proxy-port", "0", "--json"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PINDRILL_")}
        with tempfile.TemporaryFile("w+") as errors:
            try:
                process = subprocess.Popen(
                    words,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env=environment,
                    encoding="utf-8",
                )
            except OSError as error:
                raise PinDrillError(f"{program!r} could not be started: {error.strerror}") from None
            assert process.stdout
            lines: queue.SimpleQueue[str] = queue.SimpleQueue()
            threading.Thread(target=lambda out=process.stdout: lines.put(out.readline()), daemon=True).start()
            try:
                place = json.loads(lines.get(timeout=seconds))
                self.url, self._token = place["url"], place["token"]
            except BaseException as error:
                _end(process)
                if not isinstance(error, (queue.Empty, ValueError)):
                    raise
                errors.seek(0)
                said = errors.read().strip()
                why = f"was not ready after {seconds:g} s" if isinstance(error, queue.Empty) else "ended"
                raise PinDrillError(f"'{program} serve' {why}{': ' if said else ''}{said}") from None
        self._end = partial(_end, process)
        atexit.register(self._end)

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        answer = json.loads(self._read(method, path, body))
        assert isinstance(answer, dict)
        return answer

    def _read(self, method: str, path: str, body: dict[str, Any] | None = None) -> str:
        try:
            request = urllib.request.Request(self.url.rstrip("/") + path, method=method)
        except ValueError:
            raise PinDrillError(f"{self.url!r} is no address") from None
        request.add_header("Authorization", f"Bearer {self._token}")
        request.add_header("Content-Type", "application/json")
        if body is not None:
            request.data = json.dumps(body).encode()
        # Never through a proxy that the environment names.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=30 + self._answer_seconds) as response:
                return str(response.read().decode())
        except urllib.error.HTTPError as error:
            raise PinDrillError(_sentence(error.code, error.read())) from None
        except (OSError, http.client.HTTPException) as error:
            reason = str(getattr(error, "reason", error)).strip()
            raise PinDrillError(f"no PinDrill answers at {self.url}: {reason}; is 'pindrill serve' running?") from None


def _sentence(status: int, body: bytes) -> str:
    try:
        error = json.loads(body)
        message, nearest = str(error["message"]), error.get("nearest")
    except (ValueError, KeyError, TypeError):
        return f"PinDrill answered with status {status}"
    return f"{message}; did you mean {nearest!r}?" if nearest and nearest not in message else message


def _found_token(file: str | os.PathLike[str] | None) -> str:
    file = file or os.environ.get("PINDRILL_TOKEN_FILE")
    try:
        token = open(file, encoding="utf-8").read().strip() if file else os.environ.get("PINDRILL_TOKEN", "")
    except OSError as error:
        raise PinDrillError(f"the token file {os.fspath(file or '')!r} cannot be read: {error.strerror}") from None
    if not token:
        raise PinDrillError("an address without a token: set PINDRILL_TOKEN, or PINDRILL_TOKEN_FILE")
    return token


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout:
        process.stdout.close()


def _quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")
