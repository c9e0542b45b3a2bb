"""What a file says of itself, as a list of names and values to any depth."""

from __future__ import annotations

from typing import Any

from wikiapi.api.result import Arr, Obj
from wikiapi.filerepo.metadata import decode_metadata, pairs


def metadata_list(stored: bytes | str | None) -> Arr | None:
    """The metadata of a stored text; None if there is none."""
    values, _ = decode_metadata(stored)
    return listed(values) if values else None


def listed(value: Any) -> Arr:
    """A mapping or list as objects with ``name`` and ``value``."""
    return Arr((_named(name, one) for name, one in pairs(value)), "metadata")


def _named(name: str | int, value: Any) -> Obj:
    shown = listed(value) if isinstance(value, dict | list) else value
    return Obj({"name": name, "value": shown}, bools=("value",))
