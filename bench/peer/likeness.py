"""The share of visible text that two renderings have in common, to compare only equal work."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from html import unescape
from typing import Any

ALIKE = 0.9
_INVISIBLE = re.compile(r"<!--.*?-->|<style.*?</style>|<[^>]*>", re.DOTALL)
_WORD = re.compile(r"\w+")


def likeness(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """Return the share of common words in two answers of action=parse; 0 if one is an error."""
    if "parse" not in one or "parse" not in other:
        return 0.0
    words, others = _words(one["parse"]["text"]), _words(other["parse"]["text"])
    total = words.total() + others.total()
    return 2 * (words & others).total() / total if total else 1.0


def _words(html: str) -> Counter[str]:
    return Counter(_WORD.findall(unescape(_INVISIBLE.sub(" ", html))))
