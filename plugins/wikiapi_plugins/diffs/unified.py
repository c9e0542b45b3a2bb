"""Two texts as marked lines, the way ``diff -u`` writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.diffs.bounded import joined
from wikiapi_plugins.diffs.hunks import hunks
from wikiapi_plugins.diffs.sequences import Effort

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi_plugins.diffs.hunks import Hunk


def unified(one: str, other: str, most: int) -> str | None:
    """The changes between two texts, ``None`` if they have more than ``most`` characters."""
    before, after = one.split("\n"), other.split("\n")
    changes = hunks(before, after, Effort())
    lines = (line for hunk in changes for line in (_head(hunk), *_marked(hunk, before, after)))
    return joined((f"{line}\n" for line in lines), most)


def _head(hunk: Hunk) -> str:
    last = hunk.edits[-1]
    return f"@@ -{hunk.a + 1},{last.a_end - hunk.a} +{hunk.b + 1},{last.b_end - hunk.b} @@"


def _marked(hunk: Hunk, before: list[str], after: list[str]) -> Iterator[str]:
    for edit in hunk.edits:
        if edit.is_equal:
            yield from (f" {line}" for line in before[edit.a : edit.a_end])
        else:
            yield from (f"-{line}" for line in before[edit.a : edit.a_end])
            yield from (f"+{line}" for line in after[edit.b : edit.b_end])
