"""What the API tells of pages, revisions and changes (formatversion 2), as records of a dump."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.dump.live.phpform import dumps
from wikiapi.dump.records import (
    Contributor,
    DumpNamespace,
    DumpRevision,
    DumpSlot,
    Hidden,
    LogItem,
    PageHead,
)
from wikiapi.errors import DumpError
from wikiapi.wikitext.redirect import redirect_target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.title.codec import TitleCodec

    Data = Mapping[str, Any]

_MAIN = "main"
_UNKNOWN_USER = "Unknown user"
_STAMP = 14


def stamp(text: str) -> str:
    """The 14 digits of a timestamp.

    Raises:
        DumpError: it is none.
    """
    digits = "".join(char for char in text if char in "0123456789")
    if len(digits) != _STAMP:
        raise DumpError(f"the wiki tells a time {text[:40]!r}")
    return digits


def namespaces(answer: Data) -> tuple[DumpNamespace, ...]:
    """The wiki's namespaces, from ``siprop=namespaces``."""
    return tuple(
        DumpNamespace(entry["id"], entry["name"], entry.get("case") != "case-sensitive")
        for entry in answer.get("namespaces", {}).values()
    )


def page_head(page: Data, newest: DumpRevision | None, titles: TitleCodec) -> PageHead:
    """A page, from ``prop=info&inprop=protection`` and its newest revision."""
    target = redirect_target(newest.main.text, titles) if newest and page.get("redirect") else None
    levels = [
        f"{entry['type']}={entry['level']}"
        for entry in page.get("protection", ())
        if "source" not in entry
    ]
    redirect = target.prefixed_text if target else None
    return PageHead(page["pageid"], page["ns"], page["title"], redirect, ":".join(levels))


def revision(data: Data) -> DumpRevision:
    """A revision, from ``prop=revisions`` with its slots."""
    number = data["revid"]
    slots = {role: _slot(role, slot, data) for role, slot in data.get("slots", {}).items()}
    main = slots.pop(_MAIN, None) or _slot(_MAIN, {"texthidden": True}, data)
    return DumpRevision(
        number,
        data.get("parentid", 0),
        stamp(data["timestamp"]),
        contributor(data),
        data.get("comment", ""),
        bool(data.get("minor")),
        hidden(data),
        (main, *(slots[role] for role in sorted(slots))),
    )


def _slot(role: str, slot: Data, data: Data) -> DumpSlot:
    text = slot.get("content")
    return DumpSlot(
        role,
        slot.get("contentmodel", ""),
        text or "",
        slot.get("size", data.get("size")),
        slot.get("sha1", ""),
        data["revid"],
        absent=text is None,
    )


def contributor(data: Data) -> Contributor:
    """Who did it; ``userid`` is 0 for addresses."""
    return Contributor(data.get("user") or _UNKNOWN_USER, data.get("userid", 0))


def hidden(data: Data) -> int:
    """Which parts of a revision or log entry are suppressed."""
    slots = data.get("slots", {}).values()
    flags = Hidden.NOTHING
    if any(slot.get("texthidden") for slot in slots) or "actionhidden" in data:
        flags |= Hidden.TEXT
    if "commenthidden" in data:
        flags |= Hidden.COMMENT
    if "userhidden" in data:
        flags |= Hidden.USER
    return int(flags)


def log_item(change: Data) -> LogItem:
    """A log entry, from ``list=recentchanges``."""
    return LogItem(
        change["logid"],
        stamp(change["timestamp"]),
        contributor(change),
        change.get("comment", ""),
        change.get("logtype", ""),
        change.get("logaction", ""),
        change.get("title", ""),
        dumps(_stored_params(change)),
        hidden(change),
    )


def _stored_params(change: Data) -> dict[str | int, Any]:
    """Parameters as the log keeps them: the API names the target of a move in another way."""
    params = change.get("logparams") or {}
    stored: dict[str | int, Any]
    stored = dict(params) if isinstance(params, dict) else dict(enumerate(params))
    if change.get("logtype") == "move" and "target_title" in stored:
        silent = "1" if stored.get("suppressredirect") else "0"
        stored = {"4::target": stored["target_title"], "5::noredir": silent}
    if change.get("revid"):
        stored["associated_rev_id"] = change["revid"]
    return stored
