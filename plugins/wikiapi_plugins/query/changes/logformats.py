"""The parameters of log entries, from their stored form to that of answers.

Stored parameters have keys ``<position>:<type>:<name>``, in which position and type may be empty;
the oldest entries are lines without keys. Over the years entries were stored with different keys:
positions alone, positions with names, and positions with types and names. Tables map the keys of
each type of log to the current ones; some types need more than new keys.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wikiapi.api import Arr, Obj, compact, iso, moment_of, title_data
from wikiapi.expiry import INFINITY, describe_expiry, expiry_moment, is_forever
from wikiapi.site import Site
from wikiapi.store import phpvalues
from wikiapi.store.queries import ChangeRow, visibility
from wikiapi.timestamps import parse_moment

Values = dict[str, Any]
"""Stored parameters by key."""

_KEYS: Mapping[str, Mapping[str, str]] = {
    "block": {"0": "5::duration", "1": "6:array:flags", "6::flags": "6:array:flags"},
    "merge": {
        "0": "4:title:dest",
        "1": "5:timestamp:mergepoint",
        "4::dest": "4:title:dest",
        "4::src": "4:title:src",
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
_PROTECT_ACTIONS = {
    "protect": _PROTECT,
    "modify": _PROTECT,
    "move_prot": {"0": "4:title:oldtitle", "4::oldtitle": "4:title:oldtitle"},
}
_DELETE = {
    "0": "4::type",
    "1": "5::ids",
    "2": "6::ofield",
    "3": "7::nfield",
}
_DELETE_EVENT = {"0": "5::ids", "1": "6::ofield", "2": "7::nfield"}
_SHIFTED = {"4::ids": "5::ids", "5::ofield": "6::ofield", "6::nfield": "7::nfield"}
_DELETE_PARAM = {
    "restore": ":assoc:count",
    "delete_redir": "4::target",
    "delete_redir2": "4::target",
}
"""The only parameter of these actions; other deletions have none."""
_VISIBILITY_BITS = {
    "content": visibility.TEXT,
    "comment": visibility.COMMENT,
    "user": visibility.USER,
    "restricted": visibility.RESTRICTED,
}

_REVISION = "associated_rev_id"
_SERIALISED = ("a:", "O:", "C:")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)


def entry_params(
    site: Site, kind: tuple[str, str], raw: str, timestamp: str, language: str
) -> tuple[Obj, int | None]:
    """Return the parameters of a log entry in the form of answers, and the revision it made.

    Args:
        site: the wiki.
        kind: type and action of the entry.
        raw: the parameters as stored; unreadable ones are left out.
        timestamp: when the entry was made, 14 digits.
        language: the language of texts.
    """
    log, action = kind
    if log == "suppress":
        log = "block" if action.endswith("block") else "delete"
    values = _parse(raw)
    revision_id = values.pop(_REVISION, None)
    data = Obj()
    for key, value in _current_values(log, action, values, timestamp).items():
        match key.split(":", 2):
            case [_, type_, name]:
                data |= _typed(site, name, type_.strip().lower(), value)
            case _:
                data[key] = _tree(value)
    match log:
        case "block":
            _complete_block(site, data, timestamp, language)
        case "protect":
            details = data.get("details")
            for detail in details if isinstance(details, list) else ():
                if isinstance(detail, dict) and "expiry" in detail:
                    expiry = str(detail["expiry"])
                    detail["expiry"] = "infinite" if is_forever(expiry) else iso(expiry)
        case "rights":
            for name in ("oldgroups", "newgroups", "oldmetadata", "newmetadata"):
                if isinstance(data.get(name), list):
                    data[name] = Arr(data[name], "g")
    return data, revision_id if isinstance(revision_id, int) else None


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


def _parse(raw: str) -> Values:
    try:
        stored = phpvalues.loads(raw)
    except phpvalues.BadPhpValue:
        lines = raw.split("\n") if raw and not raw.startswith(_SERIALISED) else []
        return {str(number): line for number, line in enumerate(lines)}
    if isinstance(stored, list):
        stored = dict(enumerate(stored))
    if not isinstance(stored, dict):
        return {}
    return {str(key): value for key, value in stored.items()}


def _current_values(log: str, action: str, values: Values, timestamp: str) -> Values:
    """Return parameters with the keys and in the form in which entries are stored today."""
    keys = _KEYS.get(log, {})
    if log == "protect":
        keys = _PROTECT_ACTIONS.get(action, {})
    elif log == "delete":
        keys = _SHIFTED | (_DELETE_EVENT if action == "event" else _DELETE)
    for old, new in keys.items():
        if old in values:
            values[new] = values.pop(old)
    match log:
        case "block" if action in ("block", "reblock"):
            values = _block_values(values, timestamp)
        case "delete" if action in ("event", "revision"):
            values = _visibility_values(values, "logging" if action == "event" else "revision")
        case "delete":
            param = _DELETE_PARAM.get(action)
            values = {key: value for key, value in values.items() if key == param}
        case "move":
            values = {"5:bool:suppressredirect": False} | values
        case "protect":
            cascade = values.get("5:bool:cascade")
            if isinstance(cascade, str):
                values["5:bool:cascade"] = cascade == "cascade"
        case "rights":
            values = _rights_values(values)
    return values


def _block_values(values: Values, timestamp: str) -> Values:
    values = {"5::duration": INFINITY, "6:array:flags": []} | values
    flags = values["6:array:flags"]
    if isinstance(flags, str):
        values["6:array:flags"] = [flag for flag in flags.split(",") if flag]
    duration = str(values["5::duration"])
    if is_forever(duration):
        return values | {"5::duration": INFINITY}
    end = expiry_moment(duration, moment_of(timestamp))
    return values if end is None else values | {":timestamp:expiry": compact(end)}


def _visibility_values(values: Values, default_type: str) -> Values:
    """Return what was hidden; bits are stored as a number or as ``ofield=<number>``."""
    ids = values.get("5::ids", [])
    data = {
        "::type": values.get("4::type", default_type),
        ":array:ids": ids if isinstance(ids, list) else str(ids).split(","),
    }
    for key, name in (("6::ofield", ":assoc:old"), ("7::nfield", ":assoc:new")):
        if key in values:
            digits = str(values[key]).rpartition("=")[2]
            is_number = digits.isascii() and digits.isdigit() and len(digits) < 10
            bits = int(digits) if is_number else 0
            hidden = {part: bool(bits & bit) for part, bit in _VISIBILITY_BITS.items()}
            data[name] = {"bitmask": bits} | hidden
    return data


def _rights_values(values: Values) -> Values:
    """Return the groups as lists, each with the expiry of the memberships."""
    for key, metadata_key in (
        ("4:array:oldgroups", "oldmetadata"),
        ("5:array:newgroups", "newmetadata"),
    ):
        if key not in values:
            continue
        match values[key]:
            case dict(stored):
                groups = [str(group) for group in stored.values()]
            case list(stored):
                groups = [str(group) for group in stored]
            case stored:
                groups = [group.strip() for group in str(stored).split(",") if group.strip()]
        metadata = values.pop(metadata_key, [])
        values[key] = groups
        values[metadata_key] = memberships = []
        for number, group in enumerate(groups):
            has_own = isinstance(metadata, list) and number < len(metadata)
            own = metadata[number] if has_own else None
            expiry = own.get("expiry") if isinstance(own, dict) else None
            ends = expiry and expiry != INFINITY
            memberships.append({"group": group, "expiry": iso(str(expiry)) if ends else INFINITY})
    return values


def _complete_block(site: Site, data: Obj, timestamp: str, language: str) -> None:
    """Add the duration in words, and convert the lists of flags and of pages."""
    if "duration" in data:
        data["duration-l10n"] = describe_expiry(
            str(data["duration"]),
            moment_of(timestamp),
            language,
            site.messages.catalog,
            american=site.config.wikitext.american_dates,
        )
    if isinstance(data.get("flags"), list):
        data["flags"] = Arr(data["flags"], "f")
    restrictions = data.get("restrictions")
    if isinstance(restrictions, dict) and isinstance(restrictions.get("pages"), list):
        pages = restrictions["pages"]
        titles = (Obj(_title_data(site, "page", str(page))) for page in pages)
        restrictions["pages"] = Arr(titles, "p")


def _typed(site: Site, name: str, kind: str, value: Any) -> dict[str, Any]:
    """Return a parameter in the form of answers, which depends on its type."""
    match kind:
        case "bool":
            return {name: value not in (None, False, 0, "", "0", [])}
        case "number":
            return {name: _number(value)}
        case "timestamp":
            moment = parse_moment(str(value))
            return {name: value if moment is None else iso(f"{moment:%Y%m%d%H%M%S}")}
        case "title" | "title-link":
            return _title_data(site, name, str(value))
        case "msg" | "msg-content":
            return {f"{name}_key": str(value)}
        case "assoc":
            return {name: Obj() if value == [] else _tree(value)}
        case "array":
            return {name: _tree(value, name)}
        case _:
            return {name: _tree(value)}


def _title_data(site: Site, name: str, text: str) -> dict[str, Any]:
    """Return a title under the keys ``<name>_ns`` and ``<name>_title``."""
    title = site.titles.try_parse(text) or site.titles.make(0, text.replace(" ", "_"))
    return {f"{name}_{key}": value for key, value in title_data(title).items()}


def _tree(value: Any, element: str = "param") -> Any:
    """Return a value with its lists and dictionaries converted to those of answers."""
    if isinstance(value, dict):
        return Obj((str(key), _tree(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return Arr(map(_tree, value), element)
    return value


def _number(value: Any) -> int | float:
    """Return the number with which a text begins, as in PHP; 0 if there is none."""
    if isinstance(value, bool | int | float):
        return value
    match = _NUMBER.match(str(value))
    if match is None:
        return 0
    text = match[0]
    return int(text) if text.isdigit() and len(text) < 19 else float(text)
