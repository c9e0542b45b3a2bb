"""An example program: find the short pages of a category with mwclient."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Stub:
    """A short page; ``length`` is in bytes."""

    title: str
    length: int
    last_editor: str


def stubs(site: Any, category: str, below: int = 100) -> Iterator[Stub]:
    """Yield the pages of a category that have fewer bytes than ``below``, except redirects."""
    for page in site.categories[category]:
        if page.redirect or page.length >= below:
            continue
        last = next(page.revisions(prop="user"))
        yield Stub(page.name, page.length, last["user"])
