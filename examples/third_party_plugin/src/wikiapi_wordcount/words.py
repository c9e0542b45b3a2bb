"""What a word is."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def count_words(text: str, shortest: int = 1) -> int:
    """How many words of at least ``shortest`` letters a text has."""
    return sum(len(word) >= shortest for word in _WORD.findall(text))
