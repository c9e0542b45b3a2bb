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
                length = min(_CONTEXT, last.a_end - last.a)
                current.append(
                    Edit(True, last.a_end - length, last.a_end, last.b_end - length, last.b_end)
                )
            current.append(edit)
        elif current and edit.a_end - edit.a <= 2 * _CONTEXT:
            current.append(edit)
        elif current:
            yield Hunk((*current, Edit(True, edit.a, edit.a + _CONTEXT, edit.b, edit.b + _CONTEXT)))
            current = []
        last = edit
    if current:
        yield Hunk(tuple(current))


def joined(parts: Iterable[str], limit: int) -> str | None:
    """Return the parts as one text, or ``None`` if it has more than ``limit`` characters."""
    taken: list[str] = []
    for part in parts:
        taken.append(part)
        limit -= len(part)
        if limit < 0:
            return None
    return "".join(taken)
