"""Three-way merge of texts, line by line."""

from __future__ import annotations

from wikiapi_plugins.diffs.sequences import Effort, compare


def merge(base: str, mine: str, theirs: str) -> str | None:
    """Return a text with the changes of both sides; ``None`` if there is a conflict."""
    old, one, other = (text.split("\n") for text in (base, mine, theirs))
    effort = Effort()
    changes = sorted(
        (edit.a, edit.a_end, new[edit.b : edit.b_end])
        for new in (one, other)
        for edit in compare(old, new, effort)
        if not edit.is_equal
    )
    merged: list[str] = []
    done = -1
    previous: tuple[int, int, list[str]] | None = None
    for change in changes:
        start, end, lines = change
        if change == previous:
            continue
        # As in diff3, changes of adjacent lines are a conflict as well.
        if start <= done:
            return None
        merged += [*old[max(done, 0) : start], *lines]
        done, previous = end, change
    return "\n".join([*merged, *old[max(done, 0) :]])
