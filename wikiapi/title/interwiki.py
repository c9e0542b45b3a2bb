"""Interwiki prefixes: links that lead to other wikis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.title.percent import quote_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Interwiki:
    """One row of the interwiki map. ``url`` holds ``$1`` where the page name goes."""

    prefix: str
    url: str
    api: str = ""
    wiki_id: str = ""
    local: bool = False
    trans: bool = False

    def page_url(self, title: str, fragment: str = "") -> str:
        """The address of a page on the other wiki."""
        path = quote_title(title.replace(" ", "_"))
        return self.url.replace("$1", path) + (f"#{fragment}" if fragment else "")


class InterwikiMap:
    """The interwiki prefixes of one wiki; case does not count."""

    def __init__(self, entries: Iterable[Interwiki] = ()) -> None:
        """Index the entries by lower-case prefix."""
        self._entries = {entry.prefix.lower(): entry for entry in entries}

    def __iter__(self) -> Iterator[Interwiki]:
        """All entries in prefix order."""
        return iter(sorted(self._entries.values(), key=lambda entry: entry.prefix))

    def get(self, prefix: str) -> Interwiki | None:
        """The entry of a prefix, if there is one."""
        return self._entries.get(prefix.lower())
