"""Lists of revisions by page: ``allrevisions``, ``alldeletedrevisions`` and ``deletedrevs``.

A page stands where the first of its revisions in the answer would, and holds those that follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikiapi.api.result import Arr

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from wikiapi.api.query.module import ListModule
    from wikiapi.title.title import Title


@dataclass(frozen=True, slots=True)
class Pages:
    """The page of each revision of an answer; ``keys`` tell pages from others.

    The ids of the pages are told unless they are None.
    """

    keys: Sequence[Hashable]
    namespaces: Sequence[int]
    titles: Sequence[str]
    ids: Sequence[int | None] | None = None

    @classmethod
    def of(cls, titles: Sequence[Title], ids: Sequence[int | None] | None = None) -> Pages:
        """The pages of these titles, which tell them from others."""
        keys = [title.key for title in titles]
        names = [title.prefixed_text for title in titles]
        return cls(keys, [namespace for namespace, _ in keys], names, ids)

    def told(self, number: int, revisions: Arr) -> dict[str, Any]:
        """What is told of the page at a position, with its revisions."""
        told: dict[str, Any] = {} if self.ids is None else {"pageid": self.ids[number]}
        told["revisions"] = revisions
        told["ns"] = self.namespaces[number]
        told["title"] = self.titles[number]
        return told


class PageGroups:
    """The pages of one answer, each with its revisions."""

    def __init__(self, module: ListModule) -> None:
        """Begin the module's list."""
        self._module = module
        self._path = module.list_path
        self._revisions: dict[Hashable, Arr] = {}
        module.result.list(self._path, "page")

    def list_rows(
        self,
        count: int,
        limit: int,
        pages: Pages,
        position: Callable[[int], Any],
        item: Callable[[int], dict[str, Any]],
    ) -> None:
        """List rows by page, which :meth:`ListModule.list_rows` lists one after the other.

        Args:
            count: how many there are.
            limit: how many of them are listed.
            pages: the pages of those.
            position: the continuation value that begins with a row, given by its number.
            item: makes what is told of a row, given by its number.
        """
        told = _grouped(pages, map(item, range(min(count, limit))))
        done = limit if self._module.result.append_all(self._path, told, "page") else 0
        self._module.page_through(
            range(done, count),
            limit - done,
            position,
            lambda number: self._add(pages, number, item(number)),
        )

    def _add(self, pages: Pages, number: int, item: dict[str, Any]) -> bool:
        key = pages.keys[number]
        if key in self._revisions:
            return self._module.result.extend(self._revisions[key], item)
        own = _Revisions((item,))
        if not self._module.result.append(self._path, pages.told(number, own), "page"):
            return False
        self._revisions[key] = own
        return True


class _Revisions(Arr):
    """The revisions of a page: as there are many such lists, they are made without a call."""

    __slots__ = ()
    element = "rev"
    __init__ = list.__init__


def _grouped(pages: Pages, items: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    revisions: dict[Hashable, Arr] = {}
    told = []
    for number, (key, item) in enumerate(zip(pages.keys, items, strict=True)):
        own = revisions.get(key)
        if own is None:
            revisions[key] = own = _Revisions((item,))
            told.append(pages.told(number, own))
        else:
            own.append(item)
    return told
