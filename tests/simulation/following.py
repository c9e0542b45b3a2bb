"""Replication of the wiki to a second store over the API, while requests fail and pages are edited.

No socket is opened: requests are passed to the WSGI application of the wiki, and its answers, or
the beginnings of them, are read as if they came from the network.
"""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from http.client import responses
from itertools import zip_longest
from pathlib import Path
from urllib.parse import parse_qs

from tests.simulation.seams import FAULT, Seams
from wikiapi.config import Config
from wikiapi.fetching import client
from wikiapi.http.wsgiclient import Received
from wikiapi.importing.live import client as live
from wikiapi.importing.live import remote
from wikiapi.testing.client import URLENCODED, ApiClient
from wikiapi.testing.clock import Clock

ADDRESS = "http://live.example/w/api.php"
_RATES = (0.0, 0.1, 0.7)
"""Shares of requests that fail. A request is tried six times."""
_SHOWN = ("Content-Type", "Content-Encoding", "Retry-After")
_LAGGING = b'{"error": {"code": "maxlag", "info": "Waiting: 9 seconds lagged."}}'
_REVISIONS = """
    SELECT page_id, page_namespace, page_title, rev_id, rev_timestamp, rev_parent_id, rev_deleted,
        rev_minor_edit, rev_sha1, actor_name, comment_text, CAST(old_text AS TEXT)
    FROM revision JOIN page ON page_id = rev_page JOIN actor ON actor_id = rev_actor
        JOIN comment ON comment_id = rev_comment_id JOIN slots ON slot_revision_id = rev_id
        JOIN content ON content_id = slot_content_id JOIN text ON 'tt:' || old_id = content_address
    ORDER BY rev_id
"""
_LOG = """
    SELECT log_id, log_type, log_action, log_timestamp, actor_name, log_namespace, log_title,
        comment_text
    FROM logging JOIN actor ON actor_id = log_actor JOIN comment ON comment_id = log_comment_id
    WHERE log_type != 'create' ORDER BY log_id
"""
"""Without page creations, which are not in the list of recent changes."""
_LINKS = """
    SELECT {at}_from, lt_namespace, lt_title FROM {table} JOIN linktarget ON lt_id = {at}_target_id
    ORDER BY 1, 2, 3
"""
_SAME = {
    "pages": "SELECT page_id, page_namespace, page_title, page_latest, page_is_redirect, page_len"
    " FROM page ORDER BY page_id",
    "revisions": _REVISIONS,
    "log": _LOG,
    "counts": "SELECT ss_total_pages, ss_good_articles FROM site_stats",
    "members of categories": "SELECT cat_title, cat_pages, cat_subcats, cat_files FROM category"
    " WHERE cat_pages ORDER BY 1",
    "links to pages": _LINKS.format(table="pagelinks", at="pl"),
    "uses of templates": _LINKS.format(table="templatelinks", at="tl"),
    "categories": _LINKS.format(table="categorylinks", at="cl"),
    "uses of files": "SELECT il_from, il_to FROM imagelinks ORDER BY 1, 2",
}
"""What an update promises to copy, which excludes file versions."""


def differences(live: Path, follower: Path) -> Iterator[str]:
    """Yield the differences between the store of the wiki and the second one, one of each kind."""
    with closing(sqlite3.connect(live)) as one, closing(sqlite3.connect(follower)) as other:
        for what, sql in _SAME.items():
            for there, here in zip_longest(one.execute(sql), other.execute(sql)):
                if there != here:
                    yield f"{what}: {there!r} in the wiki, {here!r} in the second store"[:600]
                    break


def beside(config: Config, folder: Path) -> Config:
    """Return the configuration with the paths of a wiki in another folder."""
    database = replace(config.database, url=f"sqlite:///{folder / Path(config.database.url).name}")
    files = replace(config.files, folder=str(folder / config.files.folder))
    return replace(config, database=database, files=files)


class Network:
    """The network between the command and the wiki; install it only in a forked process."""

    def __init__(
        self,
        wiki: ApiClient,
        clock: Clock,
        seams: Seams,
        is_at_rest: Callable[[], bool],
        *,
        names_deleted: bool,
    ) -> None:
        """Pass requests on; the clock advances only while the wiki ``is_at_rest``.

        Updates rely on a write becoming visible within a minute of its timestamp. Unless
        ``names_deleted`` is true, recent changes have 0 for the ids of deleted pages, as in
        MediaWiki until 2013.
        """
        self._wiki, self._clock, self._seams, self._is_at_rest = wiki, clock, seams, is_at_rest
        self._names_deleted = names_deleted
        self._rate = 0.0

    def install(self) -> None:
        """Answer all HTTP requests of this process."""
        client.connect = lambda *_: _Wire(self._answer)  # type: ignore[assignment, attr-defined]
        live.LiveApi = partial(live.LiveApi, wait=self._wait)  # type: ignore[assignment, misc]
        remote.Remote = partial(remote.Remote, clock=self._clock)  # type: ignore[assignment, misc]

    def begin(self) -> None:
        """Draw the share of requests that fail from now on."""
        self._rate = self._seams.draw.choice(_RATES)

    def _wait(self, seconds: float) -> None:
        self._seams.turns.wait_until(self._is_at_rest)
        self._clock.advance(seconds)

    def _answer(self, request: bytes) -> bytes:
        """Return the bytes that the wiki, or the network, answers a request with."""
        head, _, body = request.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")[1:]
        headers = dict(line.split(": ", 1) for line in lines)
        asked = parse_qs(body.decode())
        what = "".join(asked.get(name, [""])[0] + " " for name in ("meta", "list", "prop")).strip()
        self._seams.come(f"request {what}")
        fails = self._seams.draw.random() < self._rate
        failure = self._seams.draw.choice(list(_FAILURES)) if fails else ""
        if fails:
            self._seams.note(f"{FAULT} request: {failure}")
        if failure == _REFUSED:
            raise ConnectionRefusedError("connection refused")
        if not self._names_deleted:
            headers.pop("Accept-Encoding")
        reply = self._wiki.raw("POST", body=body, headers=headers, content_type=URLENCODED)
        if not self._names_deleted:
            reply = _without_deleted_ids(reply)
        data = _FAILURES[failure](reply) if fails else _sent(reply)
        self._seams.come("answer")
        if failure == _CUT_OFF:
            data = data[: self._seams.draw.randrange(len(data))]
        return data


class _Wire:
    """The methods of a socket that the client of the command uses."""

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        self._answer = answer
        self._sent = b""
        self._received: io.BytesIO | None = None

    def settimeout(self, seconds: float) -> None:
        """Do nothing: the answer is there at once."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def send(self, data: memoryview) -> int:
        self._sent += data
        return len(data)

    def recv_into(self, buffer: memoryview) -> int:
        if self._received is None:
            self._received = io.BytesIO(self._answer(self._sent))
        return self._received.readinto(buffer)


def _without_deleted_ids(reply: Received) -> Received:
    """Return an answer whose recent changes have 0 for the ids of deleted pages."""
    answer = json.loads(reply.body)
    for entry in answer.get("query", {}).get("recentchanges", []):
        if entry.get("logaction") in ("delete", "delete_redir"):
            entry["pageid"] = 0
    return replace(reply, body=json.dumps(answer).encode())


def _sent(reply: Received) -> bytes:
    """Return an answer as bytes of HTTP."""
    named = {name: reply.headers.get(name.lower()) for name in _SHOWN}
    fields = [f"{name}: {value}" for name, value in named.items() if value]
    status = f"HTTP/1.1 {reply.status} {responses[reply.status]}"
    head = "\r\n".join([status, f"Content-Length: {len(reply.body)}", *fields])
    return head.encode() + b"\r\n\r\n" + reply.body


def _busy(_: Received) -> bytes:
    return _sent(Received(503, {"retry-after": "30"}, b"too many are here"))


def _lagging(_: Received) -> bytes:
    headers = {"content-type": "application/json", "retry-after": "5"}
    return _sent(Received(200, headers, _LAGGING))


_REFUSED, _CUT_OFF = "refused", "cut off"
_FAILURES: dict[str, Callable[[Received], bytes]] = {
    _REFUSED: _sent,
    _CUT_OFF: _sent,
    "busy": _busy,
    "lagging": _lagging,
}
"""The bytes that are received by kind of failure; those of a cut-off answer are cut later."""
