"""Parameters of log entries: what ``logevents`` and ``recentchanges`` tell as ``params``.

The store keeps them by keys ``<position>:<type>:<name>``, of which position and type may be empty;
entries of the oldest kind are lines without keys. Types of logs differ in how their parameters are
called: see ``logformats``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from wikiapi.api.params.types.timestamp import iso, parse_moment
from wikiapi.api.query.output import title_data
from wikiapi.api.result import Arr, Obj
from wikiapi.store import phpvalues

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.site import Site

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
    """Read parameters as the store keeps them; what cannot be read is left out."""
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


def tell(site: Site, values: Mapping[str, Any]) -> Obj:
    """Parameters as the answer has them, by their names alone."""
    told = Obj()
    for key, value in values.items():
        parts = key.split(":", _NUMBER_OF_PARTS - 1)
        if len(parts) == _NUMBER_OF_PARTS:
            told |= _typed(site, parts[2], parts[1].strip().lower(), value)
        else:
            told[key] = tree(value)
    return told


def title_fact(site: Site, name: str, text: str) -> dict[str, Any]:
    """A title under names of its own: ``<name>_ns`` and ``<name>_title``."""
    title = site.titles.try_parse(text) or site.titles.make(0, text.replace(" ", "_"))
    return {f"{name}_{key}": value for key, value in title_data(title).items()}


def tree(value: Any, element: str = "param") -> Any:
    """A value with the lists and objects of an answer."""
    if isinstance(value, dict):
        return Obj((str(key), tree(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return Arr(map(tree, value), element)
    return value


def moment_of(timestamp: str) -> datetime:
    """The moment of an entry, from its 14 digits."""
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
