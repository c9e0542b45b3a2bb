"""A writable wiki in a server process, concurrent clients that write to it, and checks of both.

No accepted edit may be lost, no answer may be a server error, and the store must be consistent,
including its links, even if the server was killed at any moment.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from werkzeug.datastructures import FileStorage

from bench import servers
from bench.servers import PATIENCE, free_port
from tests.servers import Server, running
from wikiapi.config import parse_config
from wikiapi.factory import open_site
from wikiapi.http.wsgiclient import Received, multipart
from wikiapi.store.queries import texts
from wikiapi.testing import DeclaredUser, make_site

WRITER, PASSWORD = "Writer", "Writer-password"
SHARED_PAGES = 5
LINES = 50
"""Lines that a writer appends to a page; then the writers go on to other pages."""
STORE = "wiki.sqlite"
_URLENCODED = "application/x-www-form-urlencoded"
_API = "/w/api.php"
_FORMAT = {"format": "json", "formatversion": "2"}
_EXPECTED = frozenset({"editconflict", "articleexists", "missingtitle", "cantdelete"})
"""Errors that are expected if several writers change the same pages."""
_BEFORE_RECONNECTING = 0.05
_RETRYABLE = frozenset({"readonly", "ratelimited", "maxlag"})


class BusyError(RuntimeError):
    """The server answers that the request may succeed later (status 503 with Retry-After)."""


class Accepted(NamedTuple):
    """An edit that was answered with success.

    ``line`` was appended to the page; it is empty if the page may have been moved or deleted since.
    """

    writer: str
    page: str
    line: str
    revision: int


@dataclass
class Written:
    """The results of all writers of a run.

    ``seconds`` has those of each accepted edit, ``resets`` counts requests without an answer, and
    ``retryable`` those that were answered with an error after which a client tries again.
    """

    accepted: list[Accepted] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    resets: int = 0
    retryable: int = 0


@contextmanager
def database_server() -> Iterator[Server | None]:
    """Run the server that ``SERVER`` names (mariadb or postgresql); without it, SQLite is used."""
    kind = os.environ.get("SERVER")
    with running(kind) if kind else nullcontext() as server:
        yield server


def make_store(folder: Path, server: Server | None = None) -> str:
    """Write a wiki with pages that all writers share, and return the URL of its database."""
    for file in folder.glob(f"{STORE}*"):
        file.unlink()
    pages = {f"Shared {n}": f"{{{{Box|{n}}}}} [[Shared {n + 1}]]" for n in range(SHARED_PAGES)}
    site = make_site(
        {**pages, "Template:Box": "[[Category:Box {{{1}}}]]"},
        users=[DeclaredUser(WRITER, groups=("sysop", "bot"))],
        path=folder / STORE,
        writable=True,
    )
    site.db.close()
    url = f"sqlite:///{folder / STORE}"
    if server is None:
        return url
    copied = server.create(f"wiki_{secrets.token_hex(4)}")
    command = [sys.executable, "-m", "wikiapi", "db", "copy", url, copied]
    subprocess.run(command, check=True, capture_output=True)
    return copied


def settings(url: str) -> dict[str, Any]:
    """Return the settings of the wiki."""
    return {
        "site": {"name": "Writers", "writable": True},
        "database": {"url": url},
        "http": {"debug_info": "off"},
    }


@contextmanager
def serving(folder: Path, url: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run ``wikiapi serve`` with the wiki at a URL; yield its port and its process."""
    port = free_port()
    config = write_settings(folder, url)
    with serving_on(config, port) as process:
        yield port, process


def write_settings(folder: Path, url: str) -> Path:
    """Write the settings of the wiki at a URL; return the path of the file."""
    config = folder / "wikiapi.toml"
    config.write_text(_toml(settings(url)), encoding="utf-8")
    return config


def serving_on(config: Path, port: int) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """Run ``wikiapi serve`` on a port, with its log beside the settings; yield its process."""
    listen = ("--listen", f"127.0.0.1:{port}")
    return servers.serving(config, port, config.with_name("log"), *listen)


def _toml(tables: Mapping[str, Mapping[str, Any]]) -> str:
    return "\n".join(
        "\n".join([f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())])
        for name, table in tables.items()
    )


class Writer:
    """A client that is logged in, to wikiapi or MediaWiki.

    ``seconds`` is how long the last request took, from sending it to the last byte of its answer.
    """

    def __init__(
        self, port: int, name: str = WRITER, password: str = PASSWORD, patience: float = PATIENCE
    ) -> None:
        """Connect and log in; each answer must begin within ``patience`` seconds."""
        self._connection = HTTPConnection("127.0.0.1", port, timeout=patience)
        self._cookies: SimpleCookie = SimpleCookie()
        self.seconds = 0.0
        token = self._token("login")
        self.post(action="login", lgname=name, lgpassword=password, lgtoken=token)
        self.token = self._token("csrf")

    def _token(self, kind: str) -> str:
        answer = self.post(action="query", meta="tokens", type=kind)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return str(answer["query"]["tokens"][f"{kind}token"])

    def post(self, **params: str) -> Any:
        """Return the answer to a request.

        Raises:
            BusyError: its status is 503, and it says when to try again.
            RuntimeError: its status is not 200.
            OSError, HTTPException: there is no answer.
        """
        return self._send(urlencode({**_FORMAT, **params}).encode(), _URLENCODED)

    def _send(self, body: bytes, content_type: str) -> Any:
        reply = self.exchange(body, content_type)
        if reply.status == 503 and "retry-after" in reply.headers:
            raise BusyError(f"status {reply.status}: {reply.body[:200]!r}")
        if reply.status != 200:
            raise RuntimeError(f"status {reply.status}: {reply.body[:200]!r}")
        return json.loads(reply.body)

    def exchange(self, body: bytes, content_type: str) -> Received:
        """Return the answer to a form, whatever its status.

        Raises:
            OSError, HTTPException: there is no answer.
        """
        cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in self._cookies.items())
        headers = {"Content-Type": content_type, "Cookie": cookie}
        started = time.perf_counter()
        self._connection.request("POST", _API, body, headers)
        reply = self._connection.getresponse()
        data = reply.read()
        self.seconds = time.perf_counter() - started
        for value in reply.headers.get_all("Set-Cookie") or ():
            self._cookies.load(value)
        return Received(reply.status, {k.lower(): v for k, v in reply.headers.items()}, data)

    def write(self, **params: str) -> Any:
        """Return the answer to a request with a token."""
        return self.post(token=self.token, **params)

    def upload(self, file: bytes, **params: str) -> Any:
        """Return the answer to a request with a token and a file.

        Raises:
            RuntimeError, OSError, HTTPException: as for :meth:`post`.
        """
        fields = {**_FORMAT, "token": self.token, **params}
        return self._send(*multipart({**fields, "file": FileStorage(BytesIO(file), "file")}))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def write_for(
    port: int,
    writers: int,
    seconds: float,
    actions: frozenset[str],
    name: str = "",
    *,
    more_ports: Sequence[int] = (),
    reconnect: bool = False,
) -> Written:
    """Let several writers write at the same time, for a period or until the server is gone.

    Args:
        port: the port of the server.
        writers: the number of writers.
        seconds: how long they write.
        actions: the names of the actions that the wiki performs.
        name: a prefix that distinguishes the texts of this run from those of earlier runs.
        more_ports: the ports of other servers of the same wiki, among which the writers are shared.
        reconnect: whether a writer whose server is gone connects again, rather than stop.
    """
    written, ends, lock = Written(), time.monotonic() + seconds, threading.Lock()
    ports = (port, *more_ports)

    def run(number: int) -> None:
        counts = iter(range(1_000_000))
        while time.monotonic() < ends:
            is_connected = False
            try:
                with closing(Writer(ports[number % len(ports)])) as writer:
                    is_connected = True
                    for count in counts:
                        if time.monotonic() > ends:
                            return
                        _step(writer, f"{name}{number}", count, written, lock, actions)
            except RuntimeError as error:
                written.failures.append(str(error))
                time.sleep(_BEFORE_RECONNECTING)
            except (OSError, HTTPException):
                with lock:
                    written.resets += is_connected
                if not reconnect:
                    return
                time.sleep(_BEFORE_RECONNECTING)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return written


def _step(
    writer: Writer,
    number: str,
    count: int,
    written: Written,
    lock: threading.Lock,
    actions: frozenset[str],
) -> None:
    """Write once, mostly to a page to which others write as well."""
    shared = count % SHARED_PAGES + SHARED_PAGES * (count // (4 * SHARED_PAGES * LINES))
    page, line = f"Shared {shared}", f"line {number}.{count}."
    own = f"Page {number} {count // 4}"
    kind = count % 4
    params = {"action": "edit", "title": page, "appendtext": f"\n\n{line} [[{own}]]"}
    if kind == 1:
        params = {"action": "edit", "title": own, "text": f"{{{{Box|{number}}}}} [[{page}]]"}
    elif kind == 2 and "move" in actions:
        params = {"action": "move", "from": own, "to": f"{own} moved"}
    elif kind == 3 and "delete" in actions:
        params = {"action": "delete", "title": own}
    try:
        answer = writer.write(**params)
    except BusyError:
        with lock:
            written.retryable += 1
        return
    code = answer.get("error", {}).get("code", "")
    with lock:
        written.codes[code or params["action"]] += 1
        if code in _RETRYABLE:
            written.retryable += 1
        elif code and code not in _EXPECTED:
            written.failures.append(f"{params['action']}: {answer['error']}")
        elif not code and params["action"] == "edit":
            written.seconds.append(writer.seconds)
            kept = line if "appendtext" in params else ""
            revision = answer["edit"]["newrevid"]
            written.accepted.append(Accepted(number, params["title"], kept, revision))


def lost(url: str, written: Written) -> list[str]:
    """Return what is wrong with the accepted edits in the wiki.

    Their revisions must have different ids, which increase for each writer, and must exist, if only
    as those of a deleted page. The appended lines must be in the pages, in the order of the ids.
    """
    titles = {edit.page for edit in written.accepted if edit.line}
    site = open_site(parse_config(settings(url)))
    with closing(site.db):
        keys = {page: site.titles.parse(page).key for page in titles}
        contents = texts.current(site.db, list(keys.values()))
        text_of = {
            page: contents[key].text or "" if key in contents else "" for page, key in keys.items()
        }
        stored = {
            row[0]
            for table, column in (("revision", "rev_id"), ("archive", "ar_rev_id"))
            for row in site.db.execute_sql(f"SELECT {column} FROM {table}")
        }
    return list(complaints(written.accepted, text_of, stored))


def complaints(
    accepted: Sequence[Accepted], text_of: Mapping[str, str], stored: Container[int]
) -> Iterator[str]:
    """Yield what is wrong with accepted edits, by the texts of pages and the ids of revisions."""
    last_of: dict[str, int] = {}
    for edit in accepted:
        if edit.revision not in stored:
            yield f"{edit}: its revision is missing"
        if edit.revision <= last_of.get(edit.writer, 0):
            yield f"{edit}: its id is not above that of the writer's edit before it"
        last_of[edit.writer] = edit.revision
    position_of: dict[str, int] = {}
    before = 0
    for edit in sorted(accepted, key=lambda edit: edit.revision):
        if edit.revision == before:
            yield f"{edit}: two edits have its id"
        before = edit.revision
        if edit.line:
            position = text_of[edit.page].find(edit.line)
            if position < 0:
                yield f"{edit}: its line is missing"
            elif position < position_of.get(edit.page, 0):
                yield f"{edit}: its line is above that of an earlier edit"
            position_of[edit.page] = max(position, position_of.get(edit.page, 0))


def check(folder: Path) -> str:
    """Return the output of ``wikiapi check --links`` if it finds problems; otherwise ``""``."""
    command = [sys.executable, "-m", "wikiapi", "check", "--links"]
    command += ["--config", str(folder / "wikiapi.toml")]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def kill(process: subprocess.Popen[bytes], after: float) -> threading.Timer:
    """Kill a server after some seconds; return the timer."""
    timer = threading.Timer(after, process.send_signal, [signal.SIGKILL])
    timer.start()
    return timer
