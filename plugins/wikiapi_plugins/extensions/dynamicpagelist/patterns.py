"""Patterns in the parameters of lists."""

from __future__ import annotations

import re
from itertools import islice

from wikiapi_plugins.extensions.dynamicpagelist.options import BadOptions
from wikiapi_plugins.wikitext import patterns
from wikiapi_plugins.wikitext.patterns import MissingLibraryError, Pattern

DELIMITERS = "/#~|%@!"
_LISTED = re.compile(
    r"\s*+(?P<item>([/#~|%@!])(?:\\.|(?!\2).)++\2[imsSuUx]*+|[^,]*+)\s*+(?:,|\Z)", re.DOTALL
)


def read_pattern(text: str) -> Pattern | None:
    """Return the pattern that a text contains; ``None`` if it is not a valid one.

    Raises:
        BadOptions: the text is written like a pattern, but RE2 is not installed.
    """
    try:
        return patterns.parse_pattern(text, DELIMITERS)
    except MissingLibraryError:
        raise BadOptions("dpl-no-patterns") from None


def read_patterns(name: str, text: str, number: int) -> list[Pattern | None]:
    """Return the first patterns of a parameter, ``number`` of them, with ``None`` for missing ones.

    They are separated by commas; a place between these may be empty.

    Raises:
        BadOptions: one of them is not a valid pattern, or RE2 is not installed.
    """
    patterns: list[Pattern | None] = []
    for match in islice(_LISTED.finditer(text.strip()), number):
        written = match["item"].strip()
        pattern = read_pattern(written) if written else None
        if written and pattern is None:
            raise BadOptions("dpl-wrong-value", name, written)
        patterns.append(pattern)
    return [*patterns, *[None] * (number - len(patterns))]
