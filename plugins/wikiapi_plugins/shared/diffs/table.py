"""Diffs with two texts side by side, as rows of MediaWiki's table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest

from wikiapi_plugins.shared.diffs.hunks import hunks, joined
from wikiapi_plugins.shared.diffs.sequences import Edit, Effort
from wikiapi_plugins.shared.diffs.words import compare_words, escaped

_EMPTY = "<br>"
"""Shown for an empty line, which would otherwise have no height."""
_NO_REMOVED = '<td colspan="2" class="diff-side-deleted"></td>'
_NO_ADDED = '<td colspan="2" class="diff-side-added"></td>'
_CONTEXT = '<td class="diff-marker"></td><td class="diff-context {side}">{text}</td>'
_REMOVED = (
    '<td class="diff-marker" data-marker="\u2212"></td>'
    '<td class="diff-deletedline diff-side-deleted"><div>{}</div></td>'
)
_ADDED = (
    '<td class="diff-marker" data-marker="+"></td>'
    '<td class="diff-addedline diff-side-added"><div>{}</div></td>'
)


def table_rows(one: str, other: str, label: Callable[[int], str], limit: int) -> str | None:
    """Return the rows of the table, empty for equal texts, or ``None`` if they are too long.

    Args:
        one: the older text.
        other: the newer text.
        label: returns the HTML of the heading for a line number.
        limit: the highest number of characters of the result.
    """
    if one == other:
        return ""
    rows = _rows(one.split("\n"), other.split("\n"), label)
    return joined((f"<tr>{row}</tr>\n" for row in rows), limit)


def _rows(before: list[str], after: list[str], label: Callable[[int], str]) -> Iterator[str]:
    effort = Effort()
    for hunk in hunks(before, after, effort):
        left, right = label(hunk.a + 1), label(hunk.b + 1)
        yield (
            f'<td colspan="2" class="diff-lineno" id="mw-diff-left-l{hunk.a + 1}">{left}</td>\n'
            f'<td colspan="2" class="diff-lineno">{right}</td>'
        )
        for edit in hunk.edits:
            yield from _rows_of_edit(edit, before, after, effort)


def _rows_of_edit(edit: Edit, before: list[str], after: list[str], effort: Effort) -> Iterator[str]:
    removed, added = before[edit.a : edit.a_end], after[edit.b : edit.b_end]
    if edit.is_equal:
        for line in added:
            text = f"<div>{_spaced(escaped(line))}</div>" if line else _EMPTY
            sides = ("diff-side-deleted", "diff-side-added")
            yield "".join(_CONTEXT.format(side=side, text=text) for side in sides)
    elif not removed:
        yield from (_NO_REMOVED + _ADDED.format(_spaced(_whole("ins", line))) for line in added)
    elif not added:
        yield from (_REMOVED.format(_spaced(_whole("del", line))) + _NO_ADDED for line in removed)
    else:
        for old, new in zip_longest(*compare_words(removed, added, effort)):
            left = _NO_REMOVED if old is None else _REMOVED.format(_spaced(old))
            right = _NO_ADDED if new is None else _ADDED.format(_spaced(new))
            yield left + right


def _whole(tag: str, line: str) -> str:
    # As in MediaWiki, ">" is not escaped.
    text = line.replace("&", "&amp;").replace("<", "&lt;")
    return f'<{tag} class="diffchange">{text}</{tag}>'


def _spaced(text: str) -> str:
    """Return text with no-break spaces for the spaces that HTML would collapse."""
    if text.startswith(" "):
        text = f"\u00a0{text}"
    if text.endswith(" "):
        text += "\u00a0"
    return text.replace("  ", "\u00a0 ")
