"""Options of a tree, from the attributes of a tag or the action's JSON.

Their names and numbers are those of https://www.mediawiki.org/wiki/Extension:CategoryTree.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Any, TypeVar

from wikiapi.title import CATEGORY, MAIN
from wikiapi.wiki import Wiki

E = TypeVar("E", bound=IntEnum)

_NUMBER = re.compile(r"\s*([+-]?[0-9]{1,9})", re.ASCII)
_SEPARATORS = re.compile(r"[\s|]+")
_FALSE = frozenset({"", "0", "no", "n", "off", "false", "f"})
_MAIN_NAMES = frozenset({"-", "_", "*", "(main)"})


class Mode(IntEnum):
    """Which members a tree shows."""

    CATEGORIES = 0
    PAGES = 10
    ALL = 20
    PARENTS = 100


class HidePrefix(IntEnum):
    """Which titles are shown without their namespace."""

    NEVER = 0
    ALWAYS = 10
    CATEGORIES = 20
    AUTO = 30


_MODES = MappingProxyType({mode.name.lower(): mode for mode in Mode} | {"inverse": Mode.PARENTS})
_PREFIXES = MappingProxyType({hide.name.lower(): hide for hide in HidePrefix})
_DEEPEST = MappingProxyType({Mode.CATEGORIES: 2})


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """The options of a tree; ``namespaces`` are the ids of those shown, empty for all."""

    mode: Mode = Mode.CATEGORIES
    hide_prefix: HidePrefix = HidePrefix.CATEGORIES
    show_count: bool = False
    namespaces: tuple[int, ...] = ()
    no_translations: bool = False

    @classmethod
    def read(cls, options: Mapping[str, Any], site: Wiki) -> TreeOptions:
        """Return the options among the given values; unknown values give the defaults."""
        namespaces = _namespaces(options.get("namespaces"), site)
        mode = _named(options.get("mode"), _MODES, Mode, Mode.CATEGORIES)
        if namespaces and mode is not Mode.PARENTS:
            # The mode follows the chosen namespaces.
            if CATEGORY in namespaces:
                mode = Mode.CATEGORIES if len(namespaces) == 1 else Mode.ALL
            elif mode is Mode.CATEGORIES:
                mode = Mode.PAGES
        return cls(
            mode,
            _hide_prefix(options.get("hideprefix")),
            is_true(options.get("showcount")),
            namespaces,
            is_true(options.get("notranslations")),
        )

    def depth(self, value: Any) -> int:
        """Return the number of levels to show, limited to what the mode allows."""
        match = _NUMBER.match(str(value))
        return max(0, min(int(match[1]) if match else 1, _DEEPEST.get(self.mode, 1)))

    def encoded(self) -> str:
        """Return the options as JSON for the script that opens branches."""
        data = {
            "mode": self.mode.value,
            "hideprefix": self.hide_prefix.value,
            "showcount": self.show_count,
            "namespaces": list(self.namespaces) or False,
            "notranslations": self.no_translations,
        }
        return json.dumps(data, separators=(",", ":"))

    def hides_prefix(self, namespace: int) -> bool:
        """Return whether titles of a namespace are shown without its name."""
        if self.hide_prefix is HidePrefix.CATEGORIES:
            return namespace == CATEGORY
        if self.hide_prefix is HidePrefix.AUTO:
            return self.mode is Mode.CATEGORIES
        return self.hide_prefix is HidePrefix.ALWAYS


def is_true(value: Any) -> bool:
    """Return the truth value of an attribute or of a JSON value."""
    if isinstance(value, str):
        return value.strip().lower() not in _FALSE
    return bool(value)


def _named(value: Any, names: Mapping[str, E], kind: type[E], default: E) -> E:
    text = str(value).strip().lower()
    if text in names:
        return names[text]
    return next((one for one in kind if str(one.value) == text), default)


def _hide_prefix(value: Any) -> HidePrefix:
    if isinstance(value, bool):
        return HidePrefix.ALWAYS if value else HidePrefix.NEVER
    text = str(value).strip().lower()
    if text in ("yes", "y", "1", "true", "on"):
        return HidePrefix.ALWAYS
    if text in ("no", "n", "0", "false", "off"):
        return HidePrefix.NEVER
    return _named(value, _PREFIXES, HidePrefix, HidePrefix.CATEGORIES)


def _namespaces(value: Any, site: Wiki) -> tuple[int, ...]:
    if isinstance(value, list):
        names = [str(one) for one in value]
    elif isinstance(value, str):
        names = [name for name in _SEPARATORS.split(value) if name]
    else:
        return ()
    numbers = (_namespace(name, site) for name in names)
    return tuple(sorted({number for number in numbers if number is not None}))


def _namespace(name: str, site: Wiki) -> int | None:
    if name.lower() in _MAIN_NAMES:
        return MAIN
    if re.fullmatch(r"[0-9]{1,6}", name, re.ASCII):
        namespace = site.namespaces.get(int(name))
    else:
        namespace = site.namespaces.find(name)
    return namespace.id if namespace else None
