"""Lists within metadata as one text, for clients that know no lists."""

from __future__ import annotations

from typing import Any

_TYPE = "_type"
_FORMATTED_TYPE = "_formatted"
_DEFAULT_LANGUAGE = "x-default"


def flatten(value: dict[Any, Any] | list[Any]) -> Any:
    """One text of several values: as bullet points, numbered, or the one in the best language.

    ``_type`` among the values says which: ``ul`` (the default), ``ol`` or ``lang``.
    """
    entries = dict(enumerate(value)) if isinstance(value, list) else dict(value)
    kind = entries.pop(_TYPE, "ul")
    entries.pop(_FORMATTED_TYPE, None)
    if not entries:
        return ""
    if kind == "lang":
        return entries.get(_DEFAULT_LANGUAGE, next(iter(entries.values())))
    items = list(entries.values())
    if len(items) == 1:
        return items[0]
    bullet = "#" if kind == "ol" else "*"
    return "".join(f"\n{bullet}{item}" for item in items)
