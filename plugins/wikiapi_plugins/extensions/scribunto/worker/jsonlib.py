"""JSON for ``mw.text.jsonDecode`` and ``mw.loadJsonData``."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .values import TableMaker

_SUPERFLUOUS_COMMA = re.compile(r",(\s*[\]}])")
_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]{0,14})\Z", re.ASCII)


def decode(text: bytes, make_table: TableMaker, *, preserve: bool, fix: bool) -> Any:
    """The value of a JSON text.

    Args:
        text: the JSON.
        make_table: makes Lua tables.
        preserve: lists count from 0, and keys stay what they are.
        fix: commas before a closing bracket are overlooked.

    Raises:
        ValueError: it is not JSON.
    """
    source = text.decode("utf-8")
    if fix:
        source = _SUPERFLUOUS_COMMA.sub(r"\1", source)
    try:
        value = json.loads(source, parse_constant=_refused)
    except RecursionError:
        raise ValueError("Maximum stack depth exceeded") from None
    except json.JSONDecodeError:
        raise ValueError("Syntax error") from None
    return _converted(value, make_table, first=0 if preserve else 1)


def _refused(name: str) -> object:
    raise ValueError(f"Syntax error: {name}")


def _converted(value: Any, make_table: TableMaker, first: int) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    if isinstance(value, list):
        items = [_converted(each, make_table, first) for each in value]
        return make_table(dict(enumerate(items, first)) if first == 0 else items)
    if isinstance(value, dict):
        return make_table(_members(value, make_table, first))
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value) if abs(value) > 2**53 else value
    return value


def _members(value: dict[str, Any], make_table: TableMaker, first: int) -> dict[Any, Any]:
    """Keys that are whole numbers are numbers; if all count from 0, they then count from 1."""
    members = {_key(key): _converted(each, make_table, first) for key, each in value.items()}
    if first and members and list(members) == list(range(len(members))):
        return dict(enumerate(members.values(), 1))
    return members


def _key(key: str) -> bytes | int:
    return int(key) if _INTEGER.match(key) else key.encode("utf-8", "replace")
