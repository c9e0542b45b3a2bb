"""Regular expressions, written as in PHP: ``/pattern/flags``, or with another delimiter.

They are run by RE2, which takes time linear in the text and is installed by
``pip install wikiapi-server[patterns]``.
"""

from __future__ import annotations

import importlib
import re
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from wikiapi_plugins.extensions.dynamicpagelist.options import BadOptions

_WRITTEN = re.compile(r"([/#~|%@!])(.{1,1000})\1([imsSuUx]*+)", re.DOTALL)
_LISTED = re.compile(
    r"\s*+(?P<item>([/#~|%@!])(?:\\.|(?!\2).)++\2[imsSuUx]*+|[^,]*+)\s*+(?:,|\Z)", re.DOTALL
)
_REFERENCE = re.compile(r"[\\$]([0-9])")
_MEMORY = 1 << 20
MAX_REPLACED = 2_000_000
"""The maximum number of characters that replace others in a text."""


class Pattern(NamedTuple):
    """A compiled regular expression."""

    compiled: Any

    def is_in(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in a text."""
        return self.compiled.search(text) is not None

    def replaced(self, text: str, new: str, most: int = MAX_REPLACED) -> str:
        """Return a text with each match replaced; ``$1`` and the like stand for its groups.

        Once ``most`` characters have been inserted, no further matches are replaced.
        """
        out: list[str] = []
        place = size = 0
        for match in self.compiled.finditer(text):
            groups = (match.group(0), *match.groups())
            filled = _REFERENCE.sub(
                lambda one, groups=groups: (
                    (groups[int(one[1])] or "")  # type: ignore[misc]
                    if int(one[1]) < len(groups)
                    else ""
                ),
                new,
            )
            size += len(filled)
            if size > most:
                break
            out += (text[place : match.start()], filled)
            place = match.end()
        return "".join((*out, text[place:]))


def is_pattern(text: str) -> bool:
    """Return whether a text is written like a pattern."""
    return _WRITTEN.fullmatch(text) is not None


def read_pattern(text: str) -> Pattern | None:
    """Return the pattern that a text contains; ``None`` if it is not a valid one.

    Raises:
        BadOptions: the text is written like a pattern, but RE2 is not installed.
    """
    written = _WRITTEN.fullmatch(text)
    if written is None:
        return None
    library = _library()
    if library is None:
        raise BadOptions("dpl-no-patterns")
    options = library.Options()
    options.max_mem, options.log_errors = _MEMORY, False
    flags = "".join(sorted({flag for flag in written[3] if flag in "imsU"}))
    source = written[2].replace(f"\\{written[1]}", written[1])
    try:
        return Pattern(library.compile(f"(?{flags}){source}" if flags else source, options))
    except library.error:
        return None


def read_patterns(name: str, text: str, number: int) -> list[Pattern | None]:
    """Return the first patterns of a parameter, ``number`` of them, with ``None`` for missing ones.

    They are separated by commas; a place between these may be empty.

    Raises:
        BadOptions: one of them is not a valid pattern, or RE2 is not installed.
    """
    found: list[Pattern | None] = []
    for match in islice(_LISTED.finditer(text.strip()), number):
        written = match["item"].strip()
        pattern = read_pattern(written) if written else None
        if written and pattern is None:
            raise BadOptions("dpl-wrong-value", name, written)
        found.append(pattern)
    return [*found, *[None] * (number - len(found))]


@cache
def _library() -> Any:
    """Return the RE2 module, or ``None`` if it is not installed."""
    try:
        return importlib.import_module("re2")
    except ImportError:
        return None
