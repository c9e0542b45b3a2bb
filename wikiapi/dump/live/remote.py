"""What a live wiki is requested, and whether it answers that."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from wikiapi.api.params.types.timestamp import compact
from wikiapi.dump.live import answers
from wikiapi.dump.live.answers import Change, RemotePage, RemoteSite
from wikiapi.dump.live.client import LiveApi, RefusedRequest
from wikiapi.dump.live.facts import Facts, unusable
from wikiapi.dump.xml.records import DumpRevision
from wikiapi.errors import DumpError
from wikiapi.store.database import Database
from wikiapi.store.models import UpdateLog
from wikiapi.store.sql.statements import chunked
from wikiapi.wiki import utc_now

PER_REQUEST = 50
"""As many titles, ids and revisions as a wiki takes from anyone."""
_MOST_PARTS = 100
"""Parts that the answer about so many may come in."""
_MOST_IDLE = 10
"""Parts of an answer in a row that may bring nothing new."""
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
    """A wiki, seen through its API. Every method may raise DumpError."""

    def __init__(self, api: LiveApi, clock: Callable[[], datetime] = utc_now) -> None:
        """Use this API; ``clock`` returns the local time."""
        self._api = api
        self._clock = clock

    def site(self) -> RemoteSite:
        """Return the wiki's name and namespaces, and its current time."""
        params = {"action": "query", "meta": "siteinfo", "siprop": "general|namespaces"}
        answer = self._api.ask({**params, "curtimestamp": "1"})
        site = answers.remote_site(Facts(answer, "the answer"))
        self._check_time(site.time)
        return site

    def oldest_change(self) -> str | None:
        """Return the time of the oldest recent change, 14 digits; None if there are none."""
        part = next(iter(self._api.query({**_CHANGES, "rclimit": 1})))
        changes = Facts(part, "the answer").objects("recentchanges", 1)
        return changes[0].time("timestamp") if changes else None

    def changes(self, walk: Walk) -> Iterator[tuple[list[Change], Walk | None]]:
        """Yield changes in batches by time, each with the position after it; None at the end.

        A continuation that the wiki no longer takes is left away: changes come once more then.
        """
        params = {**_CHANGES, "rcstart": walk.since, "rclimit": PER_REQUEST}
        try:
            yield from self._changes(params, walk)
        except RefusedRequest as error:
            if not walk.more or error.code != "badcontinue":
                raise
            yield from self._changes(params, Walk(walk.since, {}))

    def _changes(
        self, params: Mapping[str, str | int], walk: Walk
    ) -> Iterator[tuple[list[Change], Walk | None]]:
        reached = _Progress("changes")
        for part, more in self._api.parts(params, walk.more):
            given = Facts(part, "the answer").objects("recentchanges", PER_REQUEST)
            found = [answers.change(data) for data in given]
            for change in found:
                self._check_time(change.timestamp)
            reached.note(change.place for change in found)
            if found:
                yield found, Walk(walk.since, more) if more else None

    def pages_titled(self, titles: Iterable[str]) -> list[RemotePage]:
        """Return the pages that exist under the titles."""
        found: list[RemotePage] = []
        for batch in chunked(dict.fromkeys(titles), PER_REQUEST):
            pages, _ = self._info("titles", batch)
            found += pages.values()
        return found

    def pages(self, page_ids: Iterable[int]) -> dict[int, RemotePage]:
        """Return the pages that exist, by id."""
        found: dict[int, RemotePage] = {}
        for batch in chunked(sorted(page_ids), PER_REQUEST):
            pages, answered = self._info("pageids", map(str, batch))
            if answered != set(batch):
                number = min(answered ^ set(batch))
                raise unusable(f"page {number} was either not requested or not answered")
            found |= pages
        return found

    def _info(self, name: str, values: Iterable[str]) -> tuple[dict[int, RemotePage], set[int]]:
        """Return pages by id, and the ids of all pages in the answer, including deleted ones."""
        values_by_id: dict[int, dict[str, Any]] = defaultdict(dict)
        for page in self._pages({**_INFO, name: "|".join(values)}):
            if number := page.number("pageid", 0):
                # Another part may name the page again, without what was said of it before.
                values_by_id[number] |= page.values
        if len(values_by_id) > PER_REQUEST:
            raise unusable("there are more pages than were requested")
        pages = (Facts(values, f"page {number}") for number, values in values_by_id.items())
        found = map(answers.remote_page, filter(answers.exists, pages))
        return {page.id: page for page in found}, set(values_by_id)

    def revisions(self, rev_ids: Iterable[int]) -> dict[int, list[DumpRevision]]:
        """Return the revisions that exist, in lists by page, the oldest first."""
        found: dict[int, dict[int, DumpRevision]] = defaultdict(dict)
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
                    found[page_id][revision.id] = revision
        return {page_id: [revs[n] for n in sorted(revs)] for page_id, revs in found.items()}

    def history(self, page_id: int) -> Iterator[DumpRevision]:
        """Yield all revisions of a page, the oldest first."""
        walk: Mapping[str, str | int] = {
            "pageids": page_id,
            "rvlimit": PER_REQUEST,
            "rvdir": "newer",
        }
        reached = _Progress("revisions")
        for part in self._api.query({**_REVISIONS, **walk}):
            revisions: list[DumpRevision] = []
            for page in _pages_of(part):
                if page.identifier("pageid") != page_id:
                    raise unusable(f"page {page.identifier('pageid')} was not requested")
                revisions += _revisions(page)
            reached.note((revision.timestamp, revision.id) for revision in revisions)
            yield from revisions

    def _pages(self, params: Mapping[str, str | int]) -> Iterator[Facts]:
        """Yield the pages of all parts of the answer about some pages or revisions."""
        for number, part in enumerate(self._api.query(params)):
            if number > _MOST_PARTS:
                raise unusable("the answers continue without end")
            yield from _pages_of(part)

    def _check_time(self, moment: str) -> None:
        """Raise an error for a time in the future, at which every later update would continue."""
        if moment > compact(self._clock() + _AHEAD):
            raise DumpError(
                f"the wiki has changes of {moment}, but here it is only {compact(self._clock())}:"
                " one of the clocks is wrong"
            )


class _Progress:
    """How far an answer in parts has come; one that comes no further is given up."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._reached = ("", 0)
        self._idle = 0

    def note(self, places: Iterable[tuple[str, int]]) -> None:
        """Record the items of a part by their times and numbers.

        Raises:
            DumpError: one came before, or nothing has come for too long.
        """
        before = self._reached
        for place in places:
            if place <= self._reached:
                raise unusable(f"{self._name} come twice, or not in chronological order")
            self._reached = place
        self._idle = 0 if self._reached > before else self._idle + 1
        if self._idle > _MOST_IDLE:
            raise unusable(f"the answers continue without end, but without further {self._name}")


def _pages_of(part: Mapping[str, Any]) -> list[Facts]:
    return Facts(part, "the answer").objects("pages", PER_REQUEST)


def _revisions(page: Facts) -> list[DumpRevision]:
    return [answers.revision(data) for data in page.objects("revisions", PER_REQUEST)]


_KEY = "wikiapi-followed-"
_WALK_KEY = "wikiapi-following-"


@dataclass(frozen=True, slots=True)
class Walk:
    """Where an update is on its way: since when (14 digits), and the wiki's own continuation.

    With it an update that was cut short takes the changes in the same batches as one that was not,
    and so writes the same rows.
    """

    since: str
    more: Mapping[str, str]


def load_position(db: Database, address: str) -> str | None:
    """Return the time of the last change taken over, 14 digits; None before the first update."""
    return _get(db, _key(_KEY, address))


def save_position(db: Database, address: str, moment: str) -> None:
    """Note the time of a change; call inside the transaction that takes it over."""
    known = load_position(db, address) or ""
    _put(db, _key(_KEY, address), max(moment, known))


def load_walk(db: Database, address: str) -> Walk | None:
    """Return the position at which the last update was interrupted; None if it was not."""
    value = _get(db, _key(_WALK_KEY, address))
    return Walk(**json.loads(value)) if value else None


def save_walk(db: Database, address: str, walk: Walk | None) -> None:
    """Note where an update is, None at its end; call inside the transaction of a batch."""
    key = _key(_WALK_KEY, address)
    if walk is not None:
        _put(db, key, json.dumps(asdict(walk)))
    else:
        db.execute_write(UpdateLog.delete().where(UpdateLog.ul_key == key))


def _get(db: Database, key: str) -> str | None:
    value = db.scalar(UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == key))
    return str(value) if value else None


def _put(db: Database, key: str, value: str) -> None:
    db.insert_many(UpdateLog, [(key, value)], on_conflict="replace")


def _key(prefix: str, address: str) -> str:
    return prefix + sha256(address.encode()).hexdigest()[:32]
