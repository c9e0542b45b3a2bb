"""What a live wiki is asked for."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from wikiapi.dump.live.answers import revision, stamp
from wikiapi.dump.live.client import RefusedRequest
from wikiapi.dump.live.position import Walk
from wikiapi.store.statements import chunked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wikiapi.dump.live.client import LiveApi
    from wikiapi.dump.records import DumpRevision

    Data = Mapping[str, Any]

PER_REQUEST = 50
"""As many titles, ids and revisions as a wiki takes from anyone."""
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

    def __init__(self, api: LiveApi) -> None:
        """Ask this API."""
        self._api = api

    def site(self) -> Data:
        """``general`` and ``namespaces`` of the wiki, and the ``time`` there, 14 digits."""
        params = {"action": "query", "meta": "siteinfo", "siprop": "general|namespaces"}
        answer = self._api.ask({**params, "curtimestamp": "1"})
        return {**answer["query"], "time": stamp(answer["curtimestamp"])}

    def oldest_change(self) -> str | None:
        """When the oldest of the recent changes was made, 14 digits; None if there are none."""
        answer = self._api.ask({"action": "query", **_CHANGES, "rclimit": 1})
        changes = answer["query"]["recentchanges"]
        return stamp(changes[0]["timestamp"]) if changes else None

    def changes(self, walk: Walk) -> Iterator[tuple[list[Data], Walk | None]]:
        """Changes in batches by time, each with where to go on afterwards; None at the end.

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
    ) -> Iterator[tuple[list[Data], Walk | None]]:
        for part, more in self._api.parts(params, walk.more):
            if found := part.get("recentchanges"):
                yield found, Walk(walk.since, more) if more else None

    def pages_titled(self, titles: Iterable[str]) -> list[Data]:
        """The pages that exist under the titles."""
        return [page for page in self._info("titles", titles) if _exists(page)]

    def pages(self, page_ids: Iterable[int]) -> dict[int, Data]:
        """The pages that exist, by id."""
        found = self._info("pageids", map(str, sorted(page_ids)))
        return {page["pageid"]: page for page in found if _exists(page)}

    def revisions(self, rev_ids: Iterable[int]) -> dict[int, list[DumpRevision]]:
        """The revisions that exist, in lists by page, the oldest first."""
        found: dict[int, dict[int, DumpRevision]] = defaultdict(dict)
        for batch in chunked(map(str, sorted(rev_ids)), PER_REQUEST):
            for page in self._parts({**_REVISIONS, "revids": "|".join(batch)}):
                found[page["pageid"]].update(_revisions(page))
        return {page_id: [revs[n] for n in sorted(revs)] for page_id, revs in found.items()}

    def history(self, page_id: int) -> Iterator[DumpRevision]:
        """All revisions of a page, the oldest first."""
        walk: Mapping[str, str | int] = {
            "pageids": page_id,
            "rvlimit": PER_REQUEST,
            "rvdir": "newer",
        }
        for page in self._parts({**_REVISIONS, **walk}):
            yield from _revisions(page).values()

    def _info(self, name: str, values: Iterable[str]) -> Iterator[Data]:
        for batch in chunked(dict.fromkeys(values), PER_REQUEST):
            yield from self._parts({**_INFO, name: "|".join(batch)})

    def _parts(self, params: Mapping[str, str | int]) -> Iterator[Data]:
        for part in self._api.query(params):
            yield from part.get("pages", ())


def _exists(page: Data) -> bool:
    return page.get("pageid", 0) > 0 and "missing" not in page


def _revisions(page: Data) -> dict[int, DumpRevision]:
    return {data["revid"]: revision(data) for data in page.get("revisions", ())}
