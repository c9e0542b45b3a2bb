"""Regular expressions in wikitext, written as in PHP: ``/pattern/flags``, or another delimiter.

They are run by RE2, which takes time linear in pattern and text and is installed by
``pip install wikiapi-server[patterns]``. RE2 has neither look-around nor back-references: a text
that uses them, or unknown flags, is not a pattern and is compared literally.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, Protocol

from wikiapi.memoize import memoize

_WRITTEN = re.compile(r"([/#~|%@!])(.*)\1([imsSuUx]*)", re.DOTALL)
DELIMITERS = "/|%"
"""The usual delimiters. An extension may accept any of ``/#~|%@!``."""
_LONGEST = 1000
_MEMORY = 1 << 20
_INLINE = frozenset("imsU")
"""Flags that RE2 spells alike; ``S`` and ``u`` have no effect here."""
_REFERENCE = re.compile(r"[\\$](?:\{(\d{1,2})\}|(\d{1,2}))")


class MissingLibraryError(Exception):
    """RE2 is not installed."""


class Match(Protocol):
    """The methods of RE2's match objects that are used here."""

    def span(self) -> tuple[int, int]:
        """Return the start and end of the match."""

    def groups(self) -> tuple[str | None, ...]:
        """Return the texts of its groups."""


class Pattern(NamedTuple):
    """A compiled regular expression."""

    compiled: Any

    def is_in(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in a text."""
        return self.compiled.search(text) is not None

    def matches(self, text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Yield start, end and groups of each match, the whole match as the first group."""
        match: Match
        for match in self.compiled.finditer(text):
            start, end = match.span()
            yield start, end, (text[start:end], *(group or "" for group in match.groups()))

    def replaced(self, text: str, template: str, limit: int) -> str:
        """Return a text with each match replaced by a template, see :func:`substitute_groups`.

        Once ``limit`` characters have been inserted, no further matches are replaced.
        """
        out: list[str] = []
        position = size = 0
        for start, end, groups in self.matches(text):
            inserted = substitute_groups(template, groups)
            size += len(inserted)
            if size > limit:
                break
            out += (text[position:start], inserted)
            position = end
        return "".join((*out, text[position:]))


def is_pattern(text: str, delimiters: str = DELIMITERS) -> bool:
    """Return whether a text is written like a pattern; it need not be a valid one."""
    return _parts(text, delimiters) is not None


def parse_pattern(text: str, delimiters: str = DELIMITERS) -> Pattern | None:
    """Return the pattern that a text contains, or ``None`` if it is not a pattern.

    Raises:
        MissingLibraryError: the text is written like a pattern, but RE2 is not installed.
    """
    written = _parts(text, delimiters)
    if written is None:
        return None
    if _library() is None:
        raise MissingLibraryError
    return _compiled(written[2], "".join(sorted(set(written[3]))))


def _parts(text: str, delimiters: str) -> re.Match[str] | None:
    """Return the match of delimiter, source and flags."""
    written = _WRITTEN.fullmatch(text) if len(text) <= _LONGEST else None
    return written if written and written[1] in delimiters else None


@cache
def _library() -> Any:
    """Return the RE2 module, or ``None`` if it is not installed."""
    try:
        return importlib.import_module("re2")
    except ImportError:
        return None


@memoize(64)
def _compiled(source: str, flags: str) -> Pattern | None:
    library = _library()
    options = library.Options()
    options.max_mem, options.log_errors = _MEMORY, False
    if "x" in flags:
        # White space and comments are allowed in the pattern.
        kept: list[str] = []
        in_class = in_comment = escaped = False
        for sign in source:
            if in_comment:
                in_comment = sign != "\n"
                continue
            if not escaped and not in_class:
                if sign == "#":
                    in_comment = True
                    continue
                if sign in " \t\n\r\f\v":
                    continue
            if not escaped and sign in "[]":
                in_class = sign == "["
            escaped = sign == "\\" and not escaped
            kept.append(sign)
        source = "".join(kept)
    inline = "".join(flag for flag in flags if flag in _INLINE)
    try:
        return Pattern(library.compile(f"(?{inline}){source}" if inline else source, options))
    except library.error:
        return None


def substitute_groups(template: str, groups: tuple[str, ...]) -> str:
    r"""Return a template with ``$1``, ``\1`` or ``${1}`` replaced by the groups of a match."""

    def group(match: re.Match[str]) -> str:
        number = int(match[1] or match[2])
        return groups[number] if number < len(groups) else ""

    return _REFERENCE.sub(group, template)
