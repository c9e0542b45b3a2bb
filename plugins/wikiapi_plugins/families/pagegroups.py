"""Lists of revisions by page: ``allrevisions``, ``alldeletedrevisions`` and ``deletedrevs``.

A page stands where the first of its revisions in the answer would, and holds those that follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from wikiapi.api.query.output import title_data
from wikiapi.api.result import Arr

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from wikiapi.api.query.module import ListModule
    from wikiapi.title.title import Title

Row = TypeVar("Row")


class Entry(NamedTuple):
    """A revision for the list of its page, which ``key`` tells from others.

    The id of the page is told unless it is None.
    """

    key: Hashable
    page_id: int | None
    title: Title
    item: dict[str, Any]


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
        rows: Sequence[Row],
        limit: int,
        position: Callable[[Row], Any],
        entry: Callable[[Row], Entry],
    ) -> None:
        """List the entry of each row, as :meth:`ListModule.list_rows` lists items."""
        pages = _grouped(map(entry, rows[:limit]))
        done = limit if self._module.result.append_all(self._path, pages, "page") else 0
        self._module.page_through(
            rows[done:], limit - done, position, lambda row: self._add(entry(row))
        )

    def _add(self, entry: Entry) -> bool:
        if entry.key in self._revisions:
            return self._module.result.extend(self._revisions[entry.key], entry.item)
        own = Arr([entry.item], "rev")
        if not self._module.result.append(self._path, _page(entry, own), "page"):
            return False
        self._revisions[entry.key] = own
        return True


def _grouped(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    revisions: dict[Hashable, Arr] = {}
    pages = []
    for entry in entries:
        if entry.key in revisions:
            revisions[entry.key].append(entry.item)
        else:
            revisions[entry.key] = own = Arr([entry.item], "rev")
            pages.append(_page(entry, own))
    return pages


def _page(entry: Entry, revisions: Arr) -> dict[str, Any]:
    told: dict[str, Any] = {} if entry.page_id is None else {"pageid": entry.page_id}
    told["revisions"] = revisions
    return told | title_data(entry.title)
