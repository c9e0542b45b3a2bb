"""Queries a live wiki, checks its answers, and stores the position of an update."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from wikiapi.errors import DumpError
from wikiapi.importing.live import answers
from wikiapi.importing.live.answers import Change, RemotePage, RemoteSite
from wikiapi.importing.live.client import LiveApi, RefusedRequest
from wikiapi.importing.live.jsonobject import JsonObject, unusable
from wikiapi.importing.xml.records import DumpRevision
from wikiapi.store.database import Database
from wikiapi.store.notes import note, put_note, remove_note
from wikiapi.store.sql.batches import chunked
from wikiapi.timestamps import compact
from wikiapi.wiki import utc_now

PER_REQUEST = 50
"""The number of titles, ids or revisions that an anonymous user may request at once."""
_MAX_PARTS = 100
"""Parts of the answer to a request for that many."""
_MAX_IDLE = 10
"""Parts of an answer in a row that may have no items."""
_AHEAD = timedelta(days=1)
"""How far a wiki's clock may be ahead of this machine's."""
_INFO: Mapping[str, str] = {"prop": "info", "inprop": "protection"}
_REVISIONS: Mapping[str, str] = {
    "prop": "revisions",
    "rvslots": "*",
    "rvprop": (
        "ids|timestamp|flags|comment|user|userid|size|roles|slotsize|slotsha1|contentmodel|content"
    ),
}
_CHANGES: Mapping[str, str | int] = {
    "list": "recentchanges",
    "rcdir": "newer",
    "rctype": "edit|new|log",
    "rcprop": "ids|title|timestamp|user|userid|comment|loginfo",
}


class Remote:
    """A wiki that is read by its API. Every method may raise DumpError."""

    def __init__(self, api: LiveApi, clock: Callable[[], datetime] = utc_now) -> None:
        """Read from this API; ``clock`` returns the local time."""
        self._api = api
        self._clock = clock

    def site(self) -> RemoteSite:
        """Return the wiki's name and namespaces, and its current time."""
        params = {"action": "query", "meta": "siteinfo", "siprop": "general|namespaces"}
        answer = self._api.ask({**params, "curtimestamp": "1"})
        site = answers.remote_site(JsonObject(answer, "the answer"))
        self._check_time(site.time)
        return site

    def oldest_change(self) -> str | None:
        """Return the time of the oldest recent change, 14 digits; None if there are none."""
        part = next(iter(self._api.query({**_CHANGES, "rclimit": 1})))
        changes = JsonObject(part, "the answer").objects("recentchanges", 1)
        return changes[0].time("timestamp") if changes else None

    def changes(self, position: Position) -> Iterator[tuple[list[Change], Position | None]]:
        """Yield batches of changes by time, each with the position after it, or None at the end.

        If the wiki no longer accepts a continuation, the changes are read again from ``since``.
        """
        params = {**_CHANGES, "rcstart": position.since, "rclimit": PER_REQUEST}
        try:
            yield from self._changes(params, position)
        except RefusedRequest as error:
            if not position.more or error.code != "badcontinue":
                raise
            yield from self._changes(params, Position(position.since, {}))

    def _changes(
        self, params: Mapping[str, str | int], position: Position
    ) -> Iterator[tuple[list[Change], Position | None]]:
        order = _Order("changes")
        for part, more in self._api.parts(params, position.more):
            entries = JsonObject(part, "the answer").objects("recentchanges", PER_REQUEST)
            changes = [answers.change(data) for data in entries]
            for change in changes:
                self._check_time(change.timestamp)
            order.note(change.position for change in changes)
            if changes:
                yield changes, Position(position.since, more) if more else None

    def pages_titled(self, titles: Iterable[str]) -> list[RemotePage]:
        """Return the pages that exist with these titles."""
        pages: list[RemotePage] = []
        for batch in chunked(dict.fromkeys(titles), PER_REQUEST):
            by_id, _ = self._info("titles", batch)
            pages += by_id.values()
        return pages

    def pages(self, page_ids: Iterable[int]) -> dict[int, RemotePage]:
        """Return the pages that exist, by id."""
        pages: dict[int, RemotePage] = {}
        for batch in chunked(sorted(page_ids), PER_REQUEST):
            existing, answered = self._info("pageids", map(str, batch))
            if answered != set(batch):
                number = min(answered ^ set(batch))
                raise unusable(f"page {number} was either not requested or not answered")
            pages |= existing
        return pages

    def _info(self, name: str, values: Iterable[str]) -> tuple[dict[int, RemotePage], set[int]]:
        """Return pages by id, and the ids of all pages in the answer, including deleted ones."""
        values_by_id: dict[int, dict[str, Any]] = defaultdict(dict)
        for page in self._pages({**_INFO, name: "|".join(values)}):
            if number := page.number("pageid", 0):
                # A later part may contain the page again, without the values of an earlier one.
                values_by_id[number] |= page.values
        if len(values_by_id) > PER_REQUEST:
            raise unusable("there are more pages than were requested")
        objects = (JsonObject(values, f"page {number}") for number, values in values_by_id.items())
        pages = map(answers.remote_page, filter(answers.exists, objects))
        return {page.id: page for page in pages}, set(values_by_id)

    def revisions(self, rev_ids: Iterable[int]) -> dict[int, list[DumpRevision]]:
        """Return the revisions that exist, in lists by page, the oldest first."""
        by_page: dict[int, dict[int, DumpRevision]] = defaultdict(dict)
        owners: dict[int, int] = {}
        for batch in chunked(sorted(rev_ids), PER_REQUEST):
            requested = set(batch)
            for page in self._pages({**_REVISIONS, "revids": "|".join(map(str, batch))}):
                page_id = page.identifier("pageid")
                for revision in _revisions(page):
                    if revision.id not in requested:
                        raise unusable(f"revision {revision.id} was not requested")
                    if owners.setdefault(revision.id, page_id) != page_id:
                        raise unusable(f"revision {revision.id} belongs to two pages")
                    by_page[page_id][revision.id] = revision
        return {page_id: [revs[n] for n in sorted(revs)] for page_id, revs in by_page.items()}

    def history(self, page_id: int) -> Iterator[DumpRevision]:
        """Yield all revisions of a page, the oldest first."""
        params: Mapping[str, str | int] = {
            **_REVISIONS,
            "pageids": page_id,
            "rvlimit": PER_REQUEST,
            "rvdir": "newer",
        }
        order = _Order("revisions")
        for part in self._api.query(params):
            revisions: list[DumpRevision] = []
            for page in _pages_of(part):
                if page.identifier("pageid") != page_id:
                    raise unusable(f"page {page.identifier('pageid')} was not requested")
                revisions += _revisions(page)
            order.note((revision.timestamp, revision.id) for revision in revisions)
            yield from revisions

    def _pages(self, params: Mapping[str, str | int]) -> Iterator[JsonObject]:
        """Yield the pages in all parts of an answer."""
        for number, part in enumerate(self._api.query(params)):
            if number > _MAX_PARTS:
                raise unusable("the answers continue without end")
            yield from _pages_of(part)

    def _check_time(self, time: str) -> None:
        """Raise DumpError for a time in the future: later updates would continue from it."""
        if time > compact(self._clock() + _AHEAD):
            raise DumpError(
                f"the wiki has changes of {time}, but here it is only {compact(self._clock())}:"
                " one of the clocks is wrong"
            )


class _Order:
    """Checks that the items of an answer in parts are in order, and that new ones keep coming."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._reached = ("", 0)
        self._idle = 0

    def note(self, positions: Iterable[tuple[str, int]]) -> None:
        """Record the items of a part by their timestamps and ids.

        Raises:
            DumpError: they are not in order, or too many parts had no items.
        """
        before = self._reached
        for position in positions:
            if position <= self._reached:
                raise unusable(f"{self._name} come twice, or not in chronological order")
            self._reached = position
        self._idle = 0 if self._reached > before else self._idle + 1
        if self._idle > _MAX_IDLE:
            raise unusable(f"the answers continue without end, but without further {self._name}")


def _pages_of(part: Mapping[str, Any]) -> list[JsonObject]:
    return JsonObject(part, "the answer").objects("pages", PER_REQUEST)


def _revisions(page: JsonObject) -> list[DumpRevision]:
    return [answers.revision(data) for data in page.objects("revisions", PER_REQUEST)]


_LAST_CHANGE_KEY = "wikiapi-followed-"
_POSITION_KEY = "wikiapi-following-"


@dataclass(frozen=True, slots=True)
class Position:
    """The position of an update: the time it began at (14 digits), and the wiki's continuation.

    An interrupted update that continues from it reads the same batches of changes as one that was
    not interrupted, and so writes the same rows.
    """

    since: str
    more: Mapping[str, str]


def load_last_change(db: Database, address: str) -> str | None:
    """Return the time of the last change written, 14 digits; None before the first update."""
    return note(db, _key(_LAST_CHANGE_KEY, address)) or None


def save_last_change(db: Database, address: str, time: str) -> None:
    """Store the time of the last change; call it in the transaction that writes the change."""
    last = load_last_change(db, address) or ""
    put_note(db, _key(_LAST_CHANGE_KEY, address), max(time, last))


def load_position(db: Database, address: str) -> Position | None:
    """Return the position at which the last update was interrupted; None if it was not."""
    value = note(db, _key(_POSITION_KEY, address))
    return Position(**json.loads(value)) if value else None


def save_position(db: Database, address: str, position: Position | None) -> None:
    """Store the position of an update, None at its end; call it in the transaction of a batch."""
    key = _key(_POSITION_KEY, address)
    if position is not None:
        put_note(db, key, json.dumps(asdict(position)))
    else:
        remove_note(db, key)


def _key(prefix: str, address: str) -> str:
    return prefix + sha256(address.encode()).hexdigest()[:32]
