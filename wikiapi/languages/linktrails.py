"""Letters after a link, and in some languages before it, that become part of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType

from wikiapi.languages.language import language as facts
from wikiapi.memoize import memoize

_BEFORE_LETTERS, _AFTER_LETTERS = "/^(", ")(.*)$/"
_PROPERTY = re.compile(r"\[?\\p\{(L|Chakma)\}\]?")
"""Matches a class of all letters (Croatian) or of those of a script, which Python does not have."""
_CHAKMA = "\U00011100-\U0001114f"
_LAST_LETTER = 0x3FFFF
_NUMBERED = re.compile(r"\\x\{([0-9A-Fa-f]{1,6})\}")


@memoize(64)
def trailing_letters(language: str) -> re.Pattern[str]:
    """Return a compiled pattern that matches only the link trail."""
    trail = facts(language).link_trail
    letters = trail.removeprefix(_BEFORE_LETTERS).rpartition(_AFTER_LETTERS)[0]
    classes = _PROPERTY.sub(lambda match: _CLASSES[match[1]](), letters)
    return re.compile(_with_characters(classes))


def split_prefix(text: str, language: str) -> tuple[str, str]:
    """Return a text without the letters at its end that join the link after it, and these."""
    letters = leading_letters(language)
    # Backwards, since a search would try every letter of a long word anew.
    match = letters.match(text[::-1]) if letters else None
    start = len(text) - match.end() if match else len(text)
    return text[:start], text[start:]


@memoize(64)
def leading_letters(language: str) -> re.Pattern[str] | None:
    """Return a pattern that matches a link prefix, or None if the language has none."""
    characters = facts(language).link_prefix_characters
    return re.compile(rf"[{_with_characters(characters)}]+") if characters else None


def _with_characters(pattern: str) -> str:
    """Return a pattern with characters in place of their numbers, which MediaWiki may write."""
    return _NUMBERED.sub(lambda match: chr(int(match[1], 16)), pattern)


def _any_letter() -> str:
    codes = range(_LAST_LETTER)
    is_letter = [unicodedata.category(chr(code)).startswith("L") for code in codes]
    starts = [chr(code) for code in codes if is_letter[code] and not is_letter[code - 1]]
    ends = [chr(code - 1) for code in codes if is_letter[code - 1] and not is_letter[code]]
    return f"[{''.join(f'{start}-{end}' for start, end in zip(starts, ends, strict=True))}]"


_CLASSES: Mapping[str, Callable[[], str]] = MappingProxyType(
    {"L": _any_letter, "Chakma": lambda: f"[{_CHAKMA}]"}
)
