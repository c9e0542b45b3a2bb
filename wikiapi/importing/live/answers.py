"""Converts answers about pages, revisions and changes (formatversion 2) to records of a dump."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from wikiapi.filerepo.sha1 import from_hex
from wikiapi.importing.live.jsonobject import LARGEST_SIZE, JsonObject, unusable
from wikiapi.importing.xml.records import (
    Contributor,
    DumpNamespace,
    DumpRevision,
    DumpSlot,
    Hidden,
    LogItem,
    PageHead,
)
from wikiapi.store import phpvalues
from wikiapi.title.redirects import Redirects

_MAIN = "main"
_UNKNOWN_USER = "Unknown user"
_LONGEST_NAME = 255
"""Bytes of a user name."""
_LONGEST_KIND = 64
"""Bytes of the name of a slot, a content model or a log type."""
_MAX_IDS = 10_000
_NUMBER = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


class RemoteSite(NamedTuple):
    """A wiki: its database name, empty if unknown, its namespaces, and its time (14 digits)."""

    wiki_id: str
    namespaces: tuple[DumpNamespace, ...]
    time: str


class RemotePage(NamedTuple):
    """A page as it is now.

    ``latest`` is the id of its newest revision, ``restrictions`` its protection as in a dump, such
    as ``edit=sysop:move=sysop``.
    """

    id: int
    ns: int
    title: str
    latest: int
    is_redirect: bool
    restrictions: str


class Change(NamedTuple):
    """A recent change. ``page_id`` and ``rev_id`` are 0 if there is none.

    ``titles`` are those in a log entry, ``changed_visibility`` the ids of the revisions whose
    visibility it changed.
    """

    id: int
    timestamp: str
    page_id: int
    rev_id: int
    log: LogItem | None
    titles: tuple[str, ...]
    changed_visibility: tuple[int, ...]

    @property
    def position(self) -> tuple[str, int]:
        """The timestamp and the id, by which changes are sorted."""
        return self.timestamp, self.id


def remote_site(answer: JsonObject) -> RemoteSite:
    """Return the wiki of an answer to ``siprop=general|namespaces`` with ``curtimestamp``."""
    query = answer.object("query")
    namespaces = tuple(
        DumpNamespace(
            entry.namespace("id"),
            entry.text("name"),
            entry.text("case", "") != "case-sensitive",
        )
        for _, entry in query.object("namespaces").members()
    )
    if not namespaces:
        raise unusable("the wiki has no namespaces")
    general = query.object("general")
    return RemoteSite(_short_text(general, "wikiid", ""), namespaces, answer.time("curtimestamp"))


def exists(page: JsonObject) -> bool:
    """Return whether a page in an answer exists."""
    return page.number("pageid", 0) > 0 and not page.flag("missing")


def remote_page(page: JsonObject) -> RemotePage:
    """Return an existing page from ``prop=info&inprop=protection``."""
    levels = [
        f"{_short_text(entry, 'type')}={_short_text(entry, 'level')}"
        for entry in page.objects("protection", _MAX_IDS)
        if not entry.text("source", "")
    ]
    return RemotePage(
        page.identifier("pageid"),
        page.namespace("ns"),
        page.text("title"),
        page.identifier("lastrevid"),
        page.flag("redirect"),
        ":".join(levels),
    )


def page_head(page: RemotePage, newest: DumpRevision, redirects: Redirects) -> PageHead:
    """Return the head of a page; the target of a redirect is read from its newest revision."""
    target = redirects.target(newest.main.text) if page.is_redirect else None
    redirect = target.prefixed_text if target else None
    return PageHead(page.id, page.ns, page.title, redirect, page.restrictions)


def revision(data: JsonObject) -> DumpRevision:
    """Return a revision from ``prop=revisions`` with ``rvslots``."""
    number = data.identifier("revid")
    contents = dict(data.object("slots").members())
    slots = {_limited(role): _slot(role, slot, data) for role, slot in contents.items()}
    main = slots.pop(_MAIN, None) or _slot(_MAIN, JsonObject({}, "the main slot"), data)
    return DumpRevision(
        number,
        data.number("parentid", 0),
        data.time("timestamp"),
        contributor(data),
        data.text("comment", ""),
        data.flag("minor"),
        _hidden(data, any(slot.flag("texthidden") for slot in contents.values())),
        (main, *(slots[role] for role in sorted(slots))),
    )


def _slot(role: str, slot: JsonObject, data: JsonObject) -> DumpSlot:
    text = slot.text("content", "")
    size = data.number("size", 0, most=LARGEST_SIZE)
    return DumpSlot(
        role,
        _short_text(slot, "contentmodel", ""),
        text,
        slot.number("size", size, most=LARGEST_SIZE),
        from_hex(slot.text("sha1", "")),
        data.identifier("revid"),
        absent=slot.values.get("content") is None,
    )


def contributor(data: JsonObject) -> Contributor:
    """Return the user of a revision or log entry; the id of an IP address is 0."""
    name = data.text("user", "") or _UNKNOWN_USER
    if len(name.encode()) > _LONGEST_NAME:
        raise unusable(f"the user of {data.name} has a name of more than {_LONGEST_NAME} bytes")
    return Contributor(name, data.number("userid", 0))


def _hidden(data: JsonObject, is_text_hidden: bool) -> int:
    """Return which parts of a revision or log entry are suppressed."""
    flags = Hidden.NOTHING
    if is_text_hidden or data.flag("actionhidden"):
        flags |= Hidden.TEXT
    if data.flag("commenthidden"):
        flags |= Hidden.COMMENT
    if data.flag("userhidden"):
        flags |= Hidden.USER
    return int(flags)


def change(data: JsonObject) -> Change:
    """Return a recent change from ``list=recentchanges``."""
    is_of_log = bool(data.number("logid", 0))
    params = data.tree("logparams")
    named = JsonObject(params if isinstance(params, dict) else {}, f"logparams of {data.name}")
    # The page of an edit is known by its id.
    titles = (data.text("title", ""), named.text("target_title", "")) if is_of_log else ()
    return Change(
        data.identifier("rcid"),
        data.time("timestamp"),
        data.number("pageid", 0),
        data.number("revid", 0),
        _log_item(data, params) if is_of_log else None,
        tuple(filter(None, titles)),
        tuple(_changed_visibility(data, named)),
    )


def _changed_visibility(data: JsonObject, params: JsonObject) -> Iterator[int]:
    if data.text("logtype", "") != "delete" or params.values.get("type") != "revision":
        return
    ids = params.values.get("ids", [])
    for number in ids if isinstance(ids, list) else [ids]:
        digits = str(number)
        if not _NUMBER.fullmatch(digits):
            raise unusable(f"ids of {params.name} are not ids of revisions")
        yield int(digits)


def _log_item(data: JsonObject, params: Any) -> LogItem:
    return LogItem(
        data.identifier("logid"),
        data.time("timestamp"),
        contributor(data),
        data.text("comment", ""),
        _short_text(data, "logtype", ""),
        _short_text(data, "logaction", ""),
        data.text("title", ""),
        phpvalues.dumps(_stored_params(data, params)),
        _hidden(data, is_text_hidden=False),
    )


def _stored_params(data: JsonObject, params: Any) -> dict[str | int, Any]:
    """Return parameters as in the log table: the API has other names for those of a move."""
    if not isinstance(params, dict | list | None):
        raise unusable(f"logparams of {data.name} is not an object")
    stored: dict[str | int, Any]
    stored = dict(params) if isinstance(params, dict) else dict(enumerate(params or ()))
    if data.text("logtype", "") == "move" and "target_title" in stored:
        silent = "1" if stored.get("suppressredirect") else "0"
        stored = {"4::target": stored["target_title"], "5::noredir": silent}
    if rev_id := data.number("revid", 0):
        stored["associated_rev_id"] = rev_id
    return stored


def _short_text(data: JsonObject, name: str, default: str | None = None) -> str:
    return _limited(data.text(name, default))


def _limited(name: str) -> str:
    """Return a name, which must fit into its column."""
    if len(name.encode()) > _LONGEST_KIND:
        raise unusable(f"the name {name[:_LONGEST_KIND]!r} is too long")
    return name
