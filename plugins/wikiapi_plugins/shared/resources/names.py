"""The names of modules in a URL: ``jquery|ext.cite.styles,tags`` stands for three modules."""

from __future__ import annotations

from collections.abc import Iterable

MAX_MODULES = 500
_LONGEST_NAME = 255


class TooManyModules(Exception):
    """A URL names more modules than are served at once."""


def unpacked_names(text: str) -> list[str]:
    """Return the names in a value of the parameter ``modules``, each once.

    Groups are separated by ``|``. The names of a group share the prefix of its first name: what
    precedes the last dot.

    Raises:
        TooManyModules: there are more than :data:`MAX_MODULES`.
    """
    names: dict[str, None] = {}
    for group in text.split("|"):
        first, *others = group.split(",")
        prefix = first.rpartition(".")[0]
        names[first] = None
        for other in others:
            names[f"{prefix}.{other}" if prefix else other] = None
            if len(names) > MAX_MODULES:
                raise TooManyModules
    if len(names) > MAX_MODULES:
        raise TooManyModules
    return [
        name for name in names if name and len(name.encode("utf-8", "replace")) <= _LONGEST_NAME
    ]


def packed_names(names: Iterable[str]) -> str:
    """Return the value of the parameter ``modules`` for names, sorted and grouped by prefix."""
    groups: dict[str, list[str]] = {}
    for name in sorted(set(names)):
        prefix, _, last = name.rpartition(".")
        groups.setdefault(prefix, []).append(last)
    return "|".join(
        f"{prefix}.{','.join(lasts)}" if prefix else ",".join(lasts)
        for prefix, lasts in groups.items()
    )
