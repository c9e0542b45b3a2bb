"""Comparisons of two texts by line, as data: https://www.mediawiki.org/wiki/API:REST_API/Reference.

Offsets and lengths are in bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, zip_longest
from typing import Any

from wikiapi_plugins.shared.diffs.hunks import hunks
from wikiapi_plugins.shared.diffs.sequences import Effort
from wikiapi_plugins.shared.diffs.words import compared_words

_SAME, _ADDED, _REMOVED, _CHANGED = 0, 1, 2, 3
_INSERTION, _DELETION = 0, 1
_Line = dict[str, Any]


def compared_lines(one: str, other: str) -> Iterator[_Line]:
    """Yield the lines of two texts that differ, and those around them."""
    before, after = one.split("\n"), other.split("\n")
    starts, ends, effort = _offsets(before), _offsets(after), Effort()
    for hunk in hunks(before, after, effort):
        for edit in hunk.edits:
            pairs = zip_longest(range(edit.a, edit.a_end), range(edit.b, edit.b_end))
            for old, new in pairs:
                offset = {
                    "from": None if old is None else starts[old],
                    "to": None if new is None else ends[new],
                }
                if new is None:
                    yield {"type": _REMOVED, "text": before[old], "offset": offset}
                    continue
                place = {"lineNumber": new + 1, "text": after[new], "offset": offset}
                if old is None:
                    yield {"type": _ADDED, **place}
                elif edit.is_equal:
                    yield {"type": _SAME, **place}
                else:
                    text, ranges = _merged(before[old], after[new], effort)
                    yield {"type": _CHANGED, **place, "text": text, "highlightRanges": ranges}


def _merged(one: str, other: str, effort: Effort) -> tuple[str, list[dict[str, int]]]:
    """Return two lines as one, and where words were deleted from it or inserted into it."""
    text, at, ranges = "", 0, []
    for is_equal, removed, added in compared_words(one, other, effort):
        parts = [(None, added)] if is_equal else [(_DELETION, removed), (_INSERTION, added)]
        for kind, part in parts:
            length = _length(part)
            if kind is not None and length:
                ranges.append({"start": at, "length": length, "type": kind})
            text, at = text + part, at + length
    return text, ranges


def _offsets(lines: Sequence[str]) -> list[int]:
    """Return how many bytes are before each line."""
    return [0, *accumulate(_length(line) + 1 for line in lines)]


def _length(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
