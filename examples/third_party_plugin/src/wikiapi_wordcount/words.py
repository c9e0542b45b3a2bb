"""Counting words."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def count_words(text: str, shortest: int = 1) -> int:
    """Return the number of words with at least ``shortest`` letters in a text."""
    return sum(len(word) >= shortest for word in _WORD.findall(text))
