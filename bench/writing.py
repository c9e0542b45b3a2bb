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
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from werkzeug.datastructures import FileStorage

from bench import servers
from bench.servers import PATIENCE, free_port
from tests.servers import Server, running
from wikiapi.config import parse_config
from wikiapi.factory import open_site
from wikiapi.http.wsgiclient import multipart
from wikiapi.store.queries import texts
from wikiapi.testing import DeclaredUser, make_site

WRITER, PASSWORD = "Writer", "Writer-password"
SHARED_PAGES = 5
STORE = "wiki.sqlite"
_URLENCODED = "application/x-www-form-urlencoded"
_API = "/w/api.php"
_FORMAT = {"format": "json", "formatversion": "2"}
_EXPECTED = frozenset({"editconflict", "articleexists", "missingtitle", "cantdelete"})
"""Errors that are expected if several writers change the same pages."""


@dataclass
class Written:
    """The results of all writers of a run."""

    accepted: dict[str, str] = field(default_factory=dict)
    """The page of each line that was appended and accepted."""
    codes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


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


def settings(url: str, port: int = 0) -> dict[str, Any]:
    """Return the settings of the wiki."""
    return {
        "site": {"name": "Writers", "writable": True},
        "database": {"url": url},
        "http": {"listen": f"127.0.0.1:{port}", "debug_info": "off"},
    }


@contextmanager
def serving(folder: Path, url: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run ``wikiapi serve`` with the wiki at a URL; yield its port and its process."""
    port = free_port()
    config = folder / "wikiapi.toml"
    config.write_text(_toml(settings(url, port)), encoding="utf-8")
    with servers.serving(config, port, folder / "log") as process:
        yield port, process


def _toml(tables: Mapping[str, Mapping[str, Any]]) -> str:
    return "\n".join(
        "\n".join([f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())])
        for name, table in tables.items()
    )


class Writer:
    """A client that is logged in, to wikiapi or MediaWiki.

    ``seconds`` is how long the last request took, from sending it to the last byte of its answer.
    """

    def __init__(self, port: int) -> None:
        """Connect and log in."""
        self._connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._cookies: SimpleCookie = SimpleCookie()
        self.seconds = 0.0
        tokens = self.post(action="query", meta="tokens", type="login")
        token = tokens["query"]["tokens"]["logintoken"]
        self.post(action="login", lgname=WRITER, lgpassword=PASSWORD, lgtoken=token)
        self.token: str = self.post(action="query", meta="tokens")["query"]["tokens"]["csrftoken"]

    def post(self, **params: str) -> Any:
        """Return the answer to a request.

        Raises:
            RuntimeError: its status is not 200.
            OSError, HTTPException: there is no answer.
        """
        return self._send(urlencode({**_FORMAT, **params}).encode(), _URLENCODED)

    def _send(self, body: bytes, content_type: str) -> Any:
        cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in self._cookies.items())
        headers = {"Content-Type": content_type, "Cookie": cookie}
        started = time.perf_counter()
        self._connection.request("POST", _API, body, headers)
        reply = self._connection.getresponse()
        data = reply.read()
        self.seconds = time.perf_counter() - started
        for value in reply.headers.get_all("Set-Cookie") or ():
            self._cookies.load(value)
        if reply.status != 200:
            raise RuntimeError(f"status {reply.status}: {data[:200]!r}")
        return json.loads(data)

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
    port: int, writers: int, seconds: float, actions: frozenset[str], name: str = ""
) -> Written:
    """Let several writers write at the same time, for a period or until the server is gone.

    Args:
        port: the port of the server.
        writers: the number of writers.
        seconds: how long they write.
        actions: the names of the actions that the wiki performs.
        name: a prefix that distinguishes the texts of this run from those of earlier runs.
    """
    written, ends, lock = Written(), time.monotonic() + seconds, threading.Lock()

    def run(number: int) -> None:
        try:
            writer = Writer(port)
        except (OSError, HTTPException):
            return
        with closing(writer):
            for count in range(1_000_000):
                if time.monotonic() > ends:
                    return
                try:
                    _step(writer, f"{name}{number}", count, written, lock, actions)
                except RuntimeError as error:
                    written.failures.append(str(error))
                except (OSError, HTTPException):
                    return

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
    page, line = f"Shared {count % SHARED_PAGES}", f"line {number}.{count}."
    own = f"Page {number} {count // 4}"
    kind = count % 4
    params = {"action": "edit", "title": page, "appendtext": f"\n\n{line} [[{own}]]"}
    if kind == 1:
        params = {"action": "edit", "title": own, "text": f"{{{{Box|{number}}}}} [[{page}]]"}
    elif kind == 2 and "move" in actions:
        params = {"action": "move", "from": own, "to": f"{own} moved"}
    elif kind == 3 and "delete" in actions:
        params = {"action": "delete", "title": own}
    answer = writer.write(**params)
    code = answer.get("error", {}).get("code", "")
    with lock:
        written.codes[code or params["action"]] += 1
        if code and code not in _EXPECTED:
            written.failures.append(f"{params['action']}: {answer['error']}")
        if not code and "appendtext" in params:
            written.seconds.append(writer.seconds)
            written.accepted[line] = page


def lost(url: str, written: Written) -> list[str]:
    """Return the accepted lines that are missing from the wiki."""
    site = open_site(parse_config(settings(url)))
    with closing(site.db):
        titles = {page: site.titles.parse(page).key for page in set(written.accepted.values())}
        found = texts.current(site.db, list(titles.values()))
        text_of = {page: found[key].text or "" for page, key in titles.items()}
    return [line for line, page in written.accepted.items() if line not in text_of[page]]


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
