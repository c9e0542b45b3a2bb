"""Strip markers, which stand in a text for finished HTML that later stages must not change.

A marker begins and ends with U+007F. The parser replaces that character in every input, so that
markers cannot be forged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from wikiapi.budget import Budget
from wikiapi.wikitext.limits import Usage

PREFIX = "\x7f'\"`UNIQ-"
SUFFIX = "-QINU`\"'\x7f"
MARKER = re.compile("\x7f'\"`UNIQ-" + "([^\x7f<>&'\"]+)" + "-QINU`\"'\x7f")
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_ERROR = '<span class="error">{}</span>'
_CHARACTERS_IN_STEP = 4096
_MARKER_BYTES = 200
"""The approximate size in memory of a marker and its dictionary entry."""


def clean_input(text: str) -> str:
    """Return an input text with the characters replaced that delimit markers.

    Lone surrogates, which cannot be stored or sent, become U+FFFD.
    """
    if not is_encodable(text):
        text = _LONE_SURROGATES.sub("\ufffd", text)
    return text.replace("\x7f", "?") if "\x7f" in text else text


def is_encodable(text: str) -> bool:
    """Return whether a text has no lone surrogates. This is faster than searching for them."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class StripState:
    """The pieces of HTML that strip markers of one rendering stand for."""

    def __init__(self, usage: Usage, budget: Budget) -> None:
        """Charge stored pieces to ``budget``, and count restored ones in ``usage``."""
        self._usage = usage
        self._budget = budget
        self._general: dict[str, str] = {}
        self._nowiki: dict[str, str] = {}
        self._serial = 0

    def marker(self, kind: str) -> str:
        """Return a new marker that contains ``kind``, for readability."""
        marker = f"{PREFIX}-{kind}-{self._serial:08X}{SUFFIX}"
        self._serial += 1
        self._budget.keep(_MARKER_BYTES)
        return marker

    def fill(self, marker: str, html: str) -> None:
        """Store HTML for a marker of :meth:`marker`, as :meth:`add_general` does, or replace it."""
        self._budget.keep(html)
        store = self._nowiki if marker in self._nowiki else self._general
        store[marker] = html

    def add_general(self, html: str, kind: str) -> str:
        """Store HTML and return its marker, which is replaced before paragraphs are made."""
        return self._add(html, kind, self._general)

    def add_nowiki(self, html: str, kind: str = "nowiki") -> str:
        """Store HTML and return its marker, which is replaced after all other stages."""
        return self._add(html, kind, self._nowiki)

    def _add(self, html: str, kind: str, store: dict[str, str]) -> str:
        self._budget.keep(html)
        marker = self.marker(kind)
        store[marker] = html
        return marker

    def pieces(self) -> Iterator[str]:
        """Return all stored HTML."""
        return chain(self._general.values(), self._nowiki.values())

    def unstrip_general(self, text: str) -> str:
        """Return the text with the markers of :meth:`add_general` replaced."""
        return self._unstripped(text, (self._general,), frozenset())

    def peek(self, text: str) -> str:
        """Return the result of :meth:`unstrip_general` without counting it in the limits."""
        usage = self._usage
        depth, size = usage.unstrip_depth, usage.unstrip_size
        try:
            return self.unstrip_general(text)
        finally:
            usage.unstrip_depth, usage.unstrip_size = depth, size

    def unstrip_nowiki(self, text: str) -> str:
        """Return the text with the markers of :meth:`add_nowiki` replaced."""
        return self._unstripped(text, (self._nowiki,), frozenset())

    def unstrip_both(self, text: str) -> str:
        """Return the text with all markers replaced."""
        return self._unstripped(text, (self._general, self._nowiki), frozenset())

    @staticmethod
    def kill(text: str) -> str:
        """Return the text without markers."""
        return MARKER.sub("", text) if "\x7f" in text else text

    def _unstripped(
        self, text: str, stores: tuple[dict[str, str], ...], active: frozenset[str]
    ) -> str:
        if "\x7f" not in text:
            return text

        def restored(match: re.Match[str]) -> str:
            marker = match[0]
            for store in stores:
                if marker in store:
                    piece = store[marker]
                    usage = self._usage
                    self._budget.step(1 + len(piece) // _CHARACTERS_IN_STEP)
                    if marker in active:
                        return _ERROR.format("Unstrip loop detected")
                    depth = len(active) + 1
                    usage.unstrip_depth = max(usage.unstrip_depth, depth)
                    if depth >= usage.ceilings.unstrip_depth:
                        return _ERROR.format(
                            f"Unstrip recursion limit exceeded ({usage.ceilings.unstrip_depth})"
                        )
                    usage.unstrip_size += len(piece)
                    if usage.unstrip_size > usage.ceilings.unstrip_size:
                        return _ERROR.format(
                            f"Unstrip size limit exceeded ({usage.ceilings.unstrip_size})"
                        )
                    if "\x7f" not in piece:
                        return piece
                    return self._unstripped(piece, stores, active | {marker})
            return marker

        return MARKER.sub(restored, text)


def outside_markers(change: Callable[[str], str], text: str) -> str:
    """Return the text with ``change`` applied to everything between its strip markers."""
    if "\x7f" not in text:
        return change(text)
    out: list[str] = []
    position = 0
    for match in MARKER.finditer(text):
        out += (change(text[position : match.start()]), match[0])
        position = match.end()
    return "".join([*out, change(text[position:])])
