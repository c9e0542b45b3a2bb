"""The parameters of log entries, from their stored form to that of answers.

Over the years entries were stored with different keys: positions alone, positions with names, and
positions with types and names. Tables map the keys of each type of log to the current ones; some
types need more than new keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from wikiapi.api import Arr, Obj, compact, iso, title_data
from wikiapi.expiry import INFINITY, describe_expiry, is_forever, moment_after
from wikiapi.site import Site
from wikiapi.store import phpvalues
from wikiapi.store.queries import ChangeRow, visibility
from wikiapi.timestamps import parse_moment

Values = dict[str, Any]


_KEYS: Mapping[str, Mapping[str, str]] = {
    "block": {"0": "5::duration", "1": "6:array:flags", "6::flags": "6:array:flags"},
    "merge": {
        "0": "4:title:dest",
        "1": "5:timestamp:mergepoint",
        "4::dest": "4:title:dest",
        "5::mergepoint": "5:timestamp:mergepoint",
    },
    "move": {
        "0": "4:title:target",
        "1": "5:bool:suppressredirect",
        "4::target": "4:title:target",
        "5::noredir": "5:bool:suppressredirect",
    },
    "patrol": {
        "0": "4:number:curid",
        "1": "5:number:previd",
        "2": "6:bool:auto",
        "4::curid": "4:number:curid",
        "5::previd": "5:number:previd",
        "6::auto": "6:bool:auto",
    },
    "rights": {
        "0": "4:array:oldgroups",
        "1": "5:array:newgroups",
        "4::oldgroups": "4:array:oldgroups",
        "5::newgroups": "5:array:newgroups",
    },
    "tag": {
        "4::revid": "4:number:revid",
        "6:list:tagsAdded": "6:array:tagsAdded",
        "8:list:tagsRemoved": "8:array:tagsRemoved",
    },
    "upload": {"img_timestamp": ":timestamp:img_timestamp"},
}
_PROTECT = {"0": "4::description", "1": "5:bool:cascade", "details": ":array:details"}
_MOVE_PROTECTION = {"0": "4:title:oldtitle", "4::oldtitle": "4:title:oldtitle"}
_DELETE = {
    "0": "4::type",
    "1": "5::ids",
    "2": "6::ofield",
    "3": "7::nfield",
}
_DELETE_EVENT = {"0": "5::ids", "1": "6::ofield", "2": "7::nfield"}
_SHIFTED = {"4::ids": "5::ids", "5::ofield": "6::ofield", "6::nfield": "7::nfield"}
_HIDDEN = {
    "content": visibility.TEXT,
    "comment": visibility.COMMENT,
    "user": visibility.USER,
    "restricted": visibility.RESTRICTED,
}


def entry_params(
    site: Site, kind: tuple[str, str], raw: str, timestamp: str, language: str
) -> tuple[Obj, int | None]:
    """Return the parameters of a log entry in the form of answers, and the revision it made.

    Args:
        site: the wiki.
        kind: type and action of the entry.
        raw: the parameters as stored.
        timestamp: when the entry was made, 14 digits.
        language: the language of texts.
    """
    stored = parse(raw)
    values = _renamed(dict(stored.values), _keys(kind))
    shape = _SHAPES.get(kind[0])
    if shape:
        values = shape(kind[1], values, timestamp)
    data = params_data(site, values)
    finish = _FINISHES.get(kind[0])
    if finish:
        finish(site, data, timestamp, language)
    return data, stored.revision_id


def log_info(site: Site, change: ChangeRow, language: str) -> dict[str, Any]:
    """Return the data about the log entry of a change, if the change is one (``loginfo``)."""
    kind = (change.log_type or "", change.log_action or "")
    params, _ = entry_params(site, kind, change.params or "", change.timestamp, language)
    return {
        "logid": change.log_id,
        "logtype": change.log_type,
        "logaction": change.log_action,
        "logparams": params,
    }


def _keys(kind: tuple[str, str]) -> Mapping[str, str]:
    log, action = kind
    if log == "protect":
        return {"protect": _PROTECT, "modify": _PROTECT, "move_prot": _MOVE_PROTECTION}.get(
            action, {}
        )
    if log == "delete" or (log == "suppress" and action in ("event", "revision")):
        return _SHIFTED | (_DELETE_EVENT if action == "event" else _DELETE)
    return _KEYS.get("block" if log == "suppress" and action.endswith("block") else log, {})


def _renamed(values: Values, keys: Mapping[str, str]) -> Values:
    for old, new in keys.items():
        if old in values:
            values[new] = values.pop(old)
    return values


# Types whose parameters need other values


def _block(action: str, values: Values, timestamp: str) -> Values:
    if action not in ("block", "reblock"):
        return values
    values = {"5::duration": INFINITY, "6:array:flags": []} | values
    flags = values["6:array:flags"]
    if isinstance(flags, str):
        values["6:array:flags"] = [flag for flag in flags.split(",") if flag]
    duration = str(values["5::duration"])
    if is_forever(duration):
        return values | {"5::duration": INFINITY}
    end = moment_after(duration, moment_of(timestamp))
    return values if end is None else values | {":timestamp:expiry": compact(end)}


def _delete(action: str, values: Values, _: str) -> Values:
    if action in ("event", "revision"):
        return _visibility(values, "logging" if action == "event" else "revision")
    known = {"restore": ":assoc:count", "delete_redir": "4::target", "delete_redir2": "4::target"}
    return {key: value for key, value in values.items() if key == known.get(action)}


def _visibility(values: Values, otherwise: str) -> Values:
    ids = values.get("5::ids", [])
    data = {
        "::type": values.get("4::type", otherwise),
        ":array:ids": ids if isinstance(ids, list) else str(ids).split(","),
    }
    for key, name in (("6::ofield", ":assoc:old"), ("7::nfield", ":assoc:new")):
        if key in values:
            data[name] = _bits(values[key])
    return data


def _bits(field: Any) -> Values:
    """Return visibility bits from a number or ``ofield=<number>``."""
    digits = str(field).rpartition("=")[2]
    bits = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0
    return {"bitmask": bits} | {name: bool(bits & bit) for name, bit in _HIDDEN.items()}


def _move(_: str, values: Values, __: str) -> Values:
    return {"5:bool:suppressredirect": False} | values


def _protect(_: str, values: Values, __: str) -> Values:
    cascade = values.get("5:bool:cascade")
    return values | ({"5:bool:cascade": cascade == "cascade"} if isinstance(cascade, str) else {})


def _rights(_: str, values: Values, __: str) -> Values:
    for key, more in (("4:array:oldgroups", "oldmetadata"), ("5:array:newgroups", "newmetadata")):
        if key in values:
            groups = _groups(values[key])
            known = values.pop(more, [])
            values[key] = groups
            values[more] = [_membership(known, n, group) for n, group in enumerate(groups)]
    return values


def _groups(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [str(group) for group in value.values()]
    if isinstance(value, list):
        return [str(group) for group in value]
    return [group.strip() for group in str(value).split(",") if group.strip()]


def _membership(known: Any, number: int, group: str) -> Values:
    own = known[number] if isinstance(known, list) and number < len(known) else {}
    expiry = own.get("expiry") if isinstance(own, dict) else None
    ends = expiry and expiry != INFINITY
    return {"group": group, "expiry": iso(str(expiry)) if ends else INFINITY}


_SHAPES: Mapping[str, Callable[[str, Values, str], Values]] = {
    "block": _block,
    "suppress": lambda action, values, timestamp: (
        _block(action, values, timestamp)
        if action.endswith("block")
        else _delete(action, values, timestamp)
    ),
    "delete": _delete,
    "move": _move,
    "protect": _protect,
    "rights": _rights,
}


# Types whose answers have more data than the parameters


def _finish_block(site: Site, data: Obj, timestamp: str, language: str) -> None:
    if "duration" in data:
        start = moment_of(timestamp)
        data["duration-l10n"] = describe_expiry(
            str(data["duration"]),
            start,
            language,
            site.messages.catalog,
            american=site.config.wikitext.american_dates,
        )
    if isinstance(data.get("flags"), list):
        data["flags"] = Arr(data["flags"], "f")
    restrictions = data.get("restrictions")
    if isinstance(restrictions, dict) and isinstance(restrictions.get("pages"), list):
        pages = restrictions["pages"]
        titles = (Obj(title_fact(site, "page", str(page))) for page in pages)
        restrictions["pages"] = Arr(titles, "p")


def _finish_protect(_: Site, data: Obj, __: str, ___: str) -> None:
    details = data.get("details")
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict) and "expiry" in detail:
            expiry = str(detail["expiry"])
            detail["expiry"] = "infinite" if is_forever(expiry) else iso(expiry)


def _finish_rights(_: Site, data: Obj, __: str, ___: str) -> None:
    for name in ("oldgroups", "newgroups", "oldmetadata", "newmetadata"):
        if isinstance(data.get(name), list):
            data[name] = Arr(data[name], "g")


_FINISHES: Mapping[str, Callable[[Site, Obj, str, str], None]] = {
    "block": _finish_block,
    "suppress": _finish_block,
    "protect": _finish_protect,
    "rights": _finish_rights,
}


# Stored parameters have keys ``<position>:<type>:<name>``, in which position and type may be empty;
# the oldest entries are lines without keys.

_REVISION = "associated_rev_id"
_SERIALISED = ("a:", "O:", "C:")
_NUMBER_OF_PARTS = 3
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class StoredParams:
    """The parameters of an entry by key, and the revision that the entry made."""

    values: Mapping[str, Any]
    revision_id: int | None = None


def parse(raw: str) -> StoredParams:
    """Parse the stored parameters of an entry; unreadable ones are left out."""
    try:
        found = phpvalues.loads(raw)
    except phpvalues.BadPhpValue:
        lines = raw.split("\n") if raw and not raw.startswith(_SERIALISED) else []
        return StoredParams({str(number): line for number, line in enumerate(lines)})
    if isinstance(found, list):
        found = dict(enumerate(found))
    if not isinstance(found, dict):
        return StoredParams({})
    values = {str(key): value for key, value in found.items()}
    revision = values.pop(_REVISION, None)
    return StoredParams(values, revision if isinstance(revision, int) else None)


def params_data(site: Site, values: Mapping[str, Any]) -> Obj:
    """Return parameters in the form of answers, by name only."""
    data = Obj()
    for key, value in values.items():
        parts = key.split(":", _NUMBER_OF_PARTS - 1)
        if len(parts) == _NUMBER_OF_PARTS:
            data |= _typed(site, parts[2], parts[1].strip().lower(), value)
        else:
            data[key] = tree(value)
    return data


def title_fact(site: Site, name: str, text: str) -> dict[str, Any]:
    """Return a title under the keys ``<name>_ns`` and ``<name>_title``."""
    title = site.titles.try_parse(text) or site.titles.make(0, text.replace(" ", "_"))
    return {f"{name}_{key}": value for key, value in title_data(title).items()}


def tree(value: Any, element: str = "param") -> Any:
    """Return a value with its lists and dictionaries converted to those of answers."""
    if isinstance(value, dict):
        return Obj((str(key), tree(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return Arr(map(tree, value), element)
    return value


def moment_of(timestamp: str) -> datetime:
    """Return the time of an entry, from its 14 digits."""
    return parse_moment(timestamp) or datetime.fromtimestamp(0, UTC)


def _typed(site: Site, name: str, kind: str, value: Any) -> dict[str, Any]:
    match kind:
        case "bool":
            return {name: value not in (None, False, 0, "", "0", [])}
        case "number":
            return {name: _number(value)}
        case "timestamp":
            moment = parse_moment(str(value))
            return {name: value if moment is None else iso(f"{moment:%Y%m%d%H%M%S}")}
        case "title" | "title-link":
            return title_fact(site, name, str(value))
        case "msg" | "msg-content":
            return {f"{name}_key": str(value)}
        case "assoc":
            return {name: Obj() if value == [] else tree(value)}
        case "array":
            return {name: tree(value, name)}
        case _:
            return {name: tree(value)}


def _number(value: Any) -> int | float:
    if isinstance(value, bool | int | float):
        return value
    match = _NUMBER.match(str(value))
    if match is None:
        return 0
    text = match[0]
    return int(text) if text.isdigit() and len(text) < 19 else float(text)
