"""Groups changes into hunks with the lines around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from wikiapi_plugins.shared.diffs.sequences import Edit, Effort, compare

_CONTEXT = 2
"""The number of lines shown before and after a change.

Changes with at most twice as many lines between them are in the same hunk.
"""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Successive edits that are shown together."""

    edits: tuple[Edit, ...]

    @property
    def a(self) -> int:
        """The number of the first line in the older text, from 0."""
        return self.edits[0].a

    @property
    def b(self) -> int:
        """The number of the first line in the newer text, from 0."""
        return self.edits[0].b


def hunks(before: Sequence[str], after: Sequence[str], effort: Effort) -> Iterator[Hunk]:
    """Yield the changes between two texts, grouped if they are near each other."""
    current: list[Edit] = []
    last: Edit | None = None
    for edit in compare(before, after, effort):
        if not edit.is_equal:
            if not current and last is not None:
                current.append(_last_lines(last))
            current.append(edit)
        elif current and edit.a_end - edit.a <= 2 * _CONTEXT:
            current.append(edit)
        elif current:
            yield Hunk((*current, _first_lines(edit)))
            current = []
        last = edit
    if current:
        yield Hunk(tuple(current))


def _first_lines(edit: Edit) -> Edit:
    return Edit(True, edit.a, edit.a + _CONTEXT, edit.b, edit.b + _CONTEXT)


def _last_lines(edit: Edit) -> Edit:
    length = min(_CONTEXT, edit.a_end - edit.a)
    return Edit(True, edit.a_end - length, edit.a_end, edit.b_end - length, edit.b_end)


def joined(parts: Iterable[str], limit: int) -> str | None:
    """Return the parts as one text, or ``None`` if it has more than ``limit`` characters."""
    taken: list[str] = []
    for part in parts:
        taken.append(part)
        limit -= len(part)
        if limit < 0:
            return None
    return "".join(taken)
