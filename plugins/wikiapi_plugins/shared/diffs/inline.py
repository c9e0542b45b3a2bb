"""Inline diffs, which mark deletions and insertions within one text, and unified diffs.

Inline diffs have the HTML of https://www.mediawiki.org/wiki/Wikidiff2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest

from wikiapi_plugins.shared.diffs.hunks import Hunk, hunks, joined
from wikiapi_plugins.shared.diffs.sequences import Edit, Effort
from wikiapi_plugins.shared.diffs.words import escaped, merged_words

_BLOCK = '<div class="mw-diff-inline-{kind}">{content}</div>\n'
_EMPTY = "&#160;"
"""Shown for an empty line, which would otherwise have no height."""
_ARROW = " \u2192 "


def inline(one: str, other: str, label: Callable[[int], str], limit: int) -> str | None:
    """Return the inline diff of two texts as HTML, or ``None`` if it is too long.

    Args:
        one: the older text.
        other: the newer text.
        label: returns the HTML of the heading for a line number.
        limit: the highest number of characters of the result.
    """
    return joined(_blocks(one.split("\n"), other.split("\n"), label), limit)


def _blocks(before: list[str], after: list[str], label: Callable[[int], str]) -> Iterator[str]:
    effort = Effort()
    for hunk in hunks(before, after, effort):
        labels = dict.fromkeys((label(hunk.a + 1), label(hunk.b + 1)))
        yield _block("header", _ARROW.join(labels))
        for edit in hunk.edits:
            yield from _blocks_of_edit(edit, before, after, effort)


def _blocks_of_edit(
    edit: Edit, before: list[str], after: list[str], effort: Effort
) -> Iterator[str]:
    removed, added = before[edit.a : edit.a_end], after[edit.b : edit.b_end]
    if edit.is_equal:
        yield from (_block("context", _whole(line)) for line in added)
        return
    for old, new in zip_longest(removed, added):
        if new is None:
            yield _block("deleted", f"<del>{_whole(old)}</del>")
        elif old is None:
            yield _block("added", f"<ins>{_whole(new)}</ins>")
        else:
            yield _block("changed", merged_words(old, new, effort))


def _block(kind: str, content: str) -> str:
    return _BLOCK.format(kind=kind, content=content)


def _whole(line: str) -> str:
    return escaped(line) or _EMPTY


def unified(one: str, other: str, limit: int) -> str | None:
    """Return the unified diff of two texts, or ``None`` if it is longer than ``limit``."""
    before, after = one.split("\n"), other.split("\n")
    changes = hunks(before, after, Effort())
    lines = (line for hunk in changes for line in _unified_lines(hunk, before, after))
    return joined((f"{line}\n" for line in lines), limit)


def _unified_lines(hunk: Hunk, before: list[str], after: list[str]) -> Iterator[str]:
    last = hunk.edits[-1]
    yield f"@@ -{hunk.a + 1},{last.a_end - hunk.a} +{hunk.b + 1},{last.b_end - hunk.b} @@"
    for edit in hunk.edits:
        if edit.is_equal:
            yield from (f" {line}" for line in before[edit.a : edit.a_end])
        else:
            yield from (f"-{line}" for line in before[edit.a : edit.a_end])
            yield from (f"+{line}" for line in after[edit.b : edit.b_end])
