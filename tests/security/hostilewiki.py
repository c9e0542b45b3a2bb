"""A wiki that does not answer as MediaWiki does: what it says at each level, from bytes to JSON.

An honest wiki answers a whole update once; its answers are kept, and given again with a change.
"""

from __future__ import annotations

import copy
import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import parse_qsl, urlencode

from wikiapi.fetching import Reply
from wikiapi.testing import DeclaredUser, Edit, Wiki
from wikiapi.testing.client import URLENCODED
from wikiapi.testing.declaration import Declaration

Path = tuple[str | int, ...]
Change = Callable[[dict[str, str], Any], Any]

GONE = object()
"""Stands for a value that is left out."""
SINCE = "20200101000000"
_PATIENCE = 20
_PAGES = {
    "Main Page": "Hello [[World]] {{Box|1}}",
    "World": [Edit("one", user="Ada"), Edit("two", user="192.0.2.9", minor=True)],
    "Template:Box": "[[Category:Boxed]] {{{1}}}",
    "Doomed": "[[Main Page]]",
    "Moving": "#REDIRECT [[World]]",
}


def honest_wiki() -> Wiki:
    """Return a wiki in the state in which a store may have copied it."""
    return Wiki(Declaration(pages=_PAGES, users=[DeclaredUser("Ada")]))


def change(wiki: Wiki) -> None:
    """Make all changes in the wiki that an update has to process."""
    wiki.clock.advance(60)
    wiki.edit("World", "three [[New page]]", user="Ada", comment="more", minor=True)
    wiki.edit("New page", "#REDIRECT [[World]]", user="Ada")
    wiki.clock.advance(60)
    wiki.move("Moving", "Talk:Moved", user="Ada", reason="better")
    wiki.delete("Doomed", user="Ada", reason="gone")
    db = wiki.site.db
    db.execute_sql("UPDATE revision SET rev_deleted = 7 WHERE rev_id = 2")
    db.execute_sql("INSERT INTO page_restrictions VALUES (9, 2, 'edit', 'sysop', 0, 'infinity')")
    params = 'a:2:{s:7:"4::type";s:8:"revision";s:6:"5::ids";a:1:{i:0;s:1:"2";}}'
    for kind, action, more in (("delete", "revision", params), ("import", "interwiki", "")):
        wiki.clock.advance(60)
        _log(wiki, kind, action, more)


def _log(wiki: Wiki, kind: str, action: str, params: str) -> None:
    """Add an entry of the log about a page, and its recent change."""
    db, moment = wiki.site.db, f"{wiki.clock():%Y%m%d%H%M%S}"
    page = db.execute_sql("SELECT page_id FROM page WHERE page_title = 'New_page'")[0][0]
    number = db.execute_sql("SELECT max(log_id) + 1 FROM logging")[0][0]
    db.execute_sql(
        "INSERT INTO logging (log_id, log_type, log_action, log_timestamp, log_actor,"
        " log_namespace, log_title, log_page, log_comment_id, log_params, log_deleted)"
        " VALUES (?, ?, ?, ?, 1, 0, 'New_page', ?, 1, ?, 0)",
        (number, kind, action, moment, page, params),
    )
    db.execute_sql(
        "INSERT INTO recentchanges (rc_timestamp, rc_actor, rc_namespace, rc_title, rc_comment_id,"
        " rc_this_oldid, rc_last_oldid, rc_type, rc_source, rc_cur_id, rc_logid, rc_log_type,"
        " rc_log_action, rc_params)"
        " VALUES (?, 1, 0, 'New_page', 1, 0, 0, 3, 'mw.log', ?, ?, ?, ?, ?)",
        (moment, page, number, kind, action, params),
    )


class Answers:
    """Stands in for ``HttpClient.fetch``: answers as a wiki does, or as a change of that makes it.

    ``change`` gets the parameters of a request and the answer, and returns another answer.
    """

    def __init__(self, wiki: Wiki) -> None:
        self.wiki = wiki
        self._kept: dict[bytes, bytes] = {}
        self.change: Change | None = None
        self.asked: list[dict[str, str]] = []

    def __call__(self, url: str, form: Mapping[str, str], **options: object) -> Reply:
        body = urlencode(form).encode()
        params = dict(parse_qsl(body.decode(), keep_blank_values=True))
        self.asked.append(params)
        assert len(self.asked) < 1_000, "this update has no end"
        answer = self.honest(body)
        if self.change is not None:
            answer = json.dumps(self.change(params, json.loads(answer))).encode()
        return Reply(answer, {})

    def honest(self, body: bytes) -> bytes:
        """Return the wiki's answer."""
        if body not in self._kept:
            reply = self.wiki.client.raw("POST", body=body, content_type=URLENCODED)
            self._kept[body] = reply.body
        return self._kept[body]

    def forget(self) -> None:
        """Forget the answers, because the wiki has changed."""
        self._kept.clear()

    def by_request(self) -> dict[bytes, Any]:
        """Return every answer by its request."""
        return {body: json.loads(answer) for body, answer in self._kept.items()}


def body_of(params: dict[str, str]) -> bytes:
    """Return the request for parameters."""
    return urlencode(params).encode()


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the position of each value in an answer."""
    yield path
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, (*path, number))


def replaced(answer: Any, path: Path, value: Any) -> Any:
    """Return a copy of an answer with another value at a position, or with none."""
    if not path:
        return {} if value is GONE else value
    made = copy.deepcopy(answer)
    inner = made
    for step in path[:-1]:
        inner = inner[step]
    if value is GONE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return made


def _read_request(connection: socket.socket) -> None:
    """Read to its end: what is left unread makes a reset of the end of the connection."""
    with connection.makefile("rb") as file:
        length = 0
        while (line := file.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        file.read(length)


@contextmanager
def raw_server(reply: Iterable[bytes]) -> Iterator[str]:
    """Serve bytes to whoever asks, as long as they are taken; gives ``http://HOST:PORT``."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(_PATIENCE)
    is_over = threading.Event()

    def serve() -> None:
        while not is_over.is_set():
            with suppress(OSError):
                connection, _ = listener.accept()
                with connection, suppress(OSError):
                    connection.settimeout(_PATIENCE)
                    _read_request(connection)
                    for piece in reply:
                        if is_over.is_set():
                            break
                        connection.sendall(piece)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    host, port = listener.getsockname()
    try:
        yield f"http://{host}:{port}"
    finally:
        is_over.set()
        with suppress(OSError), socket.create_connection((host, port), 1):
            pass
        thread.join(_PATIENCE)
        listener.close()
