"""A server of the wiki, and what a request costs: time, memory, and the wait of other clients."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from http.client import HTTPException
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psutil
from werkzeug.datastructures import FileStorage

from bench import servers
from bench.memory import descendants
from bench.worst import files, wiki
from bench.worst.inputs import Request, Step, rendered
from bench.worst.requests import FILE_KEY, TOKEN
from bench.writing import Writer
from wikiapi.http.wsgiclient import Received, multipart

PATIENCE = 150.0
"""Seconds after which a server that gives no answer counts as unresponsive."""
_ATTEMPTS = 3
_INTERVAL = 0.1
"""Seconds between two requests of the light clients."""
_SAMPLING = 0.05
_FORMAT = {"format": "json", "formatversion": "2"}
_LARGE = 100_000
REFUSALS = frozenset(
    {
        "internal_api_error_BudgetExceeded",
        "internal_api_error_DBQueryTimeoutError",
        "internal_api_error_Wikimedia\\RequestTimeout\\RequestTimeoutException",
    }
)
"""Codes that say that a request exceeded a limit of the configuration, rather than a failure."""
_ANOTHER = "another client"
_WARM_UP = """
{{Boxed|a=b}} {{Wide}} {{#invoke:Hostile|echo|a}} {{#expr:1+1}} {{#time:Y|now|de}} <ref>a</ref>
<syntaxhighlight lang=python>a</syntaxhighlight> <math>a</math> <templatestyles src="Styles.css"/>
[[File:Photo.png|thumb|50px|a]] {{#dpl:category=Many|count=5}} <poem>a</poem> [[Many 1]] {{Table}}
"""
_TOKENS = {"watch": "watch", "patrol": "patrol", "rollback": "rollback", "userrights": "userrights"}


@dataclass
class Cost:
    """What a request cost: seconds, and MB (1e6 bytes) of the server and its processes.

    ``seconds`` are those of the slowest step, ``processor`` the processor time of all steps and of
    the light clients' requests meanwhile, ``peak`` the memory above that before the request,
    ``kept`` what remains after it. ``checktoken`` and ``edit`` are the seconds that the light
    clients waited at most. ``failure`` says what must not happen, if it did.
    """

    seconds: float = 0.0
    processor: float = 0.0
    peak: float = 0.0
    kept: float = 0.0
    checktoken: float = 0.0
    edit: float = 0.0
    bytes: int = 0
    status: int = 0
    code: str = ""
    failure: str = ""

    @property
    def waited(self) -> float:
        """The seconds that another client waited at most."""
        return max(self.checktoken, self.edit)

    @property
    def stopped_another(self) -> bool:
        """Whether another client got an error, rather than the one that sent the request."""
        return self.failure.startswith(_ANOTHER)

    @property
    def failure_kind(self) -> str:
        """The beginning of the failure, which is the same for failures of the same cause."""
        return self.failure[:60]

    @property
    def score(self) -> float:
        """A figure by which requests are compared: a second counts as 50 MB.

        Of the request itself the processor time counts, on which other programs have less effect.
        """
        return max(self.processor, self.peak / 50, self.waited)


def code_of(reply: Received) -> str:
    """Return the error code of an answer; empty if there is none."""
    return reply.headers.get("mediawiki-api-error", "")


def failure_of(reply: Received) -> str:
    """Return what must not happen about an answer: a server error, or an internal one."""
    code = code_of(reply)
    if code in REFUSALS:
        return ""
    if code.startswith("internal_api_error"):
        return f"{code}: {reply.body[:300]!r}"
    is_busy = reply.status == 503 and "retry-after" in reply.headers
    return (
        f"status {reply.status}: {reply.body[:300]!r}"
        if reply.status >= 500 and not is_busy
        else ""
    )


class Client(Writer):
    """A client that sends the steps of requests."""

    def __init__(self, port: int, name: str) -> None:
        """Connect, log in, and get tokens."""
        super().__init__(port, name, f"{name}-password", PATIENCE)
        answer = self.post(action="query", meta="tokens", type="*")
        self._tokens: Mapping[str, str] = answer["query"]["tokens"]

    def send_step(self, step: Step, file_key: str) -> tuple[Received, int]:
        """Return the answer to a step, and the number of bytes of its form."""
        form: dict[str, Any] = {}
        if step.get("action") != "query" or "format" not in step:
            form |= _FORMAT
        for name, value in step.items():
            if isinstance(value, dict) and "text" in value:
                form[name] = rendered(value["text"])
            elif isinstance(value, dict):
                form |= _upload(name, value["file"], step.get("part"))
            elif value == TOKEN:
                kind = _TOKENS.get(str(step.get("action")), "csrf")
                form[name] = self._tokens[f"{kind}token"]
            elif value == FILE_KEY:
                form |= {name: file_key} if file_key else {}
            elif name != "part":
                form[name] = value
        fields = {n: _as_utf8(v) if isinstance(v, str) else v for n, v in form.items()}
        size = sum(len(value) for value in fields.values() if isinstance(value, str))
        if size > _LARGE or not all(isinstance(value, str) for value in fields.values()):
            body, kind = multipart(fields)
        else:
            body, kind = urlencode(fields).encode(), "application/x-www-form-urlencoded"
        # The server closes connections that were idle for some seconds.
        self.close()
        return self.exchange(body, kind), len(body)


def _as_utf8(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


@lru_cache(4)
def _file(description: str) -> bytes:
    return files.made(json.loads(description))


def _upload(name: str, description: list[Any], part: Any) -> dict[str, Any]:
    data = _file(json.dumps(description))
    if not part:
        return {name: FileStorage(BytesIO(data), "file")}
    number, parts = part
    size = max(1024, -(-len(data) // parts))
    chunk = data[number * size : (number + 1) * size]
    offsets = {"offset": str(number * size), "filesize": str(len(data))}
    return {name: FileStorage(BytesIO(chunk), "chunk"), **offsets}


class Light:
    """A client that sends the same small request again and again, to see how long it waits."""

    def __init__(self, port: int, params: Mapping[str, str]) -> None:
        """Take the port, and parameters; a ``token`` is replaced by one of the session."""
        self._port, self._params = port, params
        self._lock = threading.Lock()
        self._is_over = threading.Event()
        self._times: list[tuple[float, float]] = []
        self._since = 0.0
        self._failures: list[str] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._is_over.is_set():
            try:
                with closing(self._client()) as client:
                    while not self._is_over.wait(_INTERVAL):
                        self._ask(client)
            except (OSError, HTTPException, RuntimeError) as error:
                self._note_failure(f"no answer: {error!r}")
            self._is_over.wait(_INTERVAL)

    def _client(self) -> Writer:
        return Writer(self._port, wiki.LIGHT, f"{wiki.LIGHT}-password", PATIENCE)

    def _note_failure(self, failure: str) -> None:
        """Record that a request failed, and how long it took if it had been sent."""
        with self._lock:
            if self._since:
                self._times.append((self._since, time.monotonic()))
            self._since = 0.0
            self._failures.append(failure)

    def _ask(self, client: Writer) -> None:
        params = {**_FORMAT, **self._params}
        if "token" in params:
            params["token"] = client.token
        self._since = started = time.monotonic()
        reply = client.exchange(urlencode(params).encode(), "application/x-www-form-urlencoded")
        with self._lock:
            self._times.append((started, time.monotonic()))
            self._since = 0.0
            if failure := failure_of(reply):
                self._failures.append(failure)

    def waited(self, since: float) -> tuple[float, str]:
        """Return the longest wait since a moment, once nothing is under way; and a failure."""
        now = time.monotonic()
        while 0 < self._since < now and time.monotonic() < now + PATIENCE:
            time.sleep(0.002)
        with self._lock:
            longest = max((end - start for start, end in self._times if end >= since), default=0.0)
            failure = "; ".join(self._failures[:1])
            self._times.clear()
            self._failures.clear()
        if 0 < self._since < now:
            failure = f"no answer to {self._params['action']} in {PATIENCE} s"
        return longest, failure

    def close(self) -> None:
        """Stop."""
        self._is_over.set()
        self._thread.join(PATIENCE)


@dataclass
class Processes:
    """The memory and processor time of a process and its descendants during a request."""

    process: int
    before: float = 0.0
    _highest: dict[str, float] = field(default_factory=dict)
    _is_over: threading.Event = field(default_factory=threading.Event)

    def begin(self) -> None:
        """Reset the peaks of all processes, and watch for others that they start."""
        for number in self._processes():
            with suppress(OSError):
                Path(f"/proc/{number}/clear_refs").write_text("5", encoding="ascii")
        self.before = self._sum("VmRSS")
        self._highest.clear()
        self._is_over.clear()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def end(self) -> tuple[float, float]:
        """Return the peak, and what is kept, in MB above the memory at the beginning."""
        self._is_over.set()
        self._thread.join()
        self._sample()
        return sum(self._highest.values()) - self.before, self._sum("VmRSS") - self.before

    def processor_time(self) -> float:
        """Return the processor time in seconds of all processes, and of those that have ended."""
        total = 0.0
        for number in self._processes():
            with suppress(psutil.NoSuchProcess):
                total += sum(psutil.Process(int(number)).cpu_times()[:4])
        return total

    def _watch(self) -> None:
        while not self._is_over.wait(_SAMPLING):
            self._sample()

    def _sample(self) -> None:
        for number in self._processes():
            self._highest[number] = max(self._highest.get(number, 0.0), _field(number, "VmHWM"))

    def _processes(self) -> set[str]:
        return {str(self.process), *descendants(self.process)}

    def _sum(self, name: str) -> float:
        return sum(_field(number, name) for number in self._processes())


def _field(process: str, name: str) -> float:
    """Return a size in MB of ``/proc/PROCESS/status``; 0 if the process has ended."""
    with suppress(OSError):
        for line in (
            Path(f"/proc/{process}/status")
            .read_text(encoding="ascii", errors="replace")
            .splitlines()
        ):
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) * 1024 / 1e6
    return 0.0


class Measured:
    """A server of a fresh copy of the wiki, with clients."""

    def __init__(self, folder: Path) -> None:
        """Write the wiki into a folder; nothing is started yet."""
        self.log = folder / "log"
        self._folder = folder
        self._original = folder / "original.sqlite"
        self._closing = ExitStack()
        wiki.make_store(self._original)

    def start(self) -> None:
        """Start a server of a fresh copy of the wiki, instead of the one that runs.

        Raises:
            OSError, HTTPException, RuntimeError: it does not start, even on another port.
        """
        for attempts in reversed(range(_ATTEMPTS)):
            self.stop()
            try:
                self._start()
            except (OSError, HTTPException, RuntimeError):
                # Another program may have taken the port since it was free.
                if not attempts:
                    raise
            else:
                break

    def _start(self) -> None:
        state = Path(tempfile.mkdtemp(dir=self._folder))
        self._closing.callback(shutil.rmtree, state, ignore_errors=True)
        shutil.copy(self._original, state / wiki.STORE)
        port = servers.free_port()
        config = state / "wikiapi.toml"
        config.write_text(_toml(wiki.settings(state / wiki.STORE, state / "files", port)), "utf-8")
        (state / "files").mkdir()
        # The log is read from where it ended before.
        self._read = self.log.stat().st_size if self.log.exists() else 0
        self.process = self._closing.enter_context(servers.serving(config, port, self.log))
        self._port = port
        self._clients: dict[str, Client] = {}
        self._upload_files()
        self._lights = [
            Light(port, {"action": "checktoken", "type": "csrf", "token": "x"}),
            Light(port, {"action": "edit", "title": "Quiet", "appendtext": "x", "token": "x"}),
        ]
        for light in self._lights:
            self._closing.callback(light.close)
        self._closing.callback(self._kill)
        self._processes = Processes(self.process.pid)
        self._warm_up()

    def stop(self) -> None:
        """Stop the server."""
        self._closing.close()

    def _kill(self) -> None:
        """Kill the server, which may answer nothing any more and must not delay the search."""
        with suppress(OSError):
            for number in descendants(self.process.pid):
                with suppress(OSError):
                    subprocess.run(["kill", "-9", number], check=False, capture_output=True)
            self.process.kill()

    def modules(self) -> dict[str, Any]:
        """Return what ``action=paraminfo`` says about all modules, by path."""
        client = self._client(wiki.ADMIN)
        answer = client.post(action="paraminfo", modules="**|main", helpformat="none")
        return {module["path"]: module for module in answer["paraminfo"]["modules"]}

    def measure(self, request: Request) -> Cost:
        """Send a request; return what it cost."""
        cost, file_key = Cost(), ""
        self._processes.begin()
        started, processor = time.monotonic(), self._processes.processor_time()
        try:
            client = self._client(request.user)
            for step in request.steps:
                reply, size = client.send_step(step, file_key)
                cost.seconds = max(cost.seconds, client.seconds)
                cost.bytes = max(cost.bytes, size)
                cost.status, cost.code = reply.status, code_of(reply) or cost.code
                cost.failure = cost.failure or failure_of(reply)
                file_key = _file_key(reply)
        except (OSError, HTTPException, RuntimeError) as error:
            cost.seconds = max(cost.seconds, time.monotonic() - started)
            cost.failure = f"no answer: {type(error).__name__} {error}"
            self._clients.pop(request.user, None)
        for light, name in zip(self._lights, ("checktoken", "edit"), strict=True):
            waited, failure = light.waited(started)
            setattr(cost, name, waited)
            if failure:
                cost.failure = cost.failure or f"{_ANOTHER}: {failure}"
        cost.processor = max(0.0, self._processes.processor_time() - processor)
        cost.peak, cost.kept = self._processes.end()
        # The log has tracebacks of errors of which the answers are judged, too.
        if (trace := self._trace()) and not cost.code.startswith("internal_api_error"):
            cost.failure = cost.failure or f"in the log: {trace}"
        if self.process.poll() is not None:
            cost.failure = f"the server ended with status {self.process.returncode}"
        if cost.code in ("badtoken", "permissiondenied", "readapidenied"):
            self._clients.pop(request.user, None)
        return cost

    def _client(self, name: str) -> Client:
        if name not in self._clients:
            self._clients[name] = Client(self._port, name)
            self._closing.callback(self._clients[name].close)
        return self._clients[name]

    def _trace(self) -> str:
        """Return the last line of a traceback that was added to the log; empty if there is none."""
        with self.log.open("rb") as file:
            file.seek(self._read)
            added = file.read()
            self._read = file.tell()
        _, mark, trace = added.partition(b"Traceback (most recent call last)")
        if not mark:
            return ""
        lines = trace.decode("utf-8", "replace").splitlines()
        ends = [line for line in lines[1:] if line and not line.startswith(" ")]
        places = [line.strip() for line in lines if line.startswith("  File")]
        return f"{ends[0] if ends else ''} at {places[-1] if places else ''}"[:400]

    def _warm_up(self) -> None:
        """Send what makes the server load modules and start processes."""
        for user in (wiki.ADMIN, wiki.USER):
            client = self._client(user)
            for number in range(4):
                text = f"{number} {_WARM_UP}"
                client.post(action="parse", title="A", contentmodel="wikitext", text=text)
        client.write(action="edit", title="Warm", text=_WARM_UP)
        client.post(action="query", list="search", srsearch="line")
        client.post(action="compare", fromtitle="Main Page", totitle="Quiet")

    def _upload_files(self) -> None:
        client = self._client(wiki.ADMIN)
        svg = ["svg", "", "<rect width='5' height='5'/>", 3, 1, 1]
        for name, description in (("Photo.png", ["png", 800, 1, 10, 1]), ("Vector.svg", svg)):
            client.upload(
                files.made(description), action="upload", filename=name, ignorewarnings="1"
            )


def _file_key(reply: Received) -> str:
    with suppress(ValueError, KeyError, TypeError):
        return str(json.loads(reply.body)["upload"]["filekey"])
    return ""


def _toml(tables: Mapping[str, Mapping[str, Any]]) -> str:
    lines: list[str] = []
    for name, table in tables.items():
        lines.append(f"[{name}]")
        lines += (f"{key} = {json.dumps(value)}" for key, value in table.items())
    for space in wiki.NAMESPACES:
        lines += [
            "[[namespaces]]",
            f"id = {space.id}",
            f"name = {json.dumps(space.name)}",
            "subpages = true",
        ]
    return "\n".join(lines) + "\n"
