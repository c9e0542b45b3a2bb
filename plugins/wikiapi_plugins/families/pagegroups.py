"""Lists of revisions by page: ``allrevisions``, ``alldeletedrevisions`` and ``deletedrevs``.

A page stands where the first of its revisions in the answer would, and holds those that follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.query.output import title_data
from wikiapi.api.result import Arr

if TYPE_CHECKING:
    from collections.abc import Hashable

    from wikiapi.api.query.module import ListModule
    from wikiapi.title.title import Title


class PageGroups:
    """The pages of one answer, each with its revisions."""

    def __init__(self, module: ListModule) -> None:
        """Begin the module's list."""
        self._module = module
        self._revisions: dict[Hashable, Arr] = {}
        module.result.list(("query", module.name), "page")

    def add(self, key: Hashable, page_id: int | None, title: Title, item: Any) -> bool:
        """Add a revision to its page, which ``key`` names; ``False`` when the answer is full.

        The id of the page is told unless it is None.
        """
        if key in self._revisions:
            return self._module.result.extend(self._revisions[key], item)
        own = Arr([item], "rev")
        page: dict[str, Any] = {} if page_id is None else {"pageid": page_id}
        page["revisions"] = own
        page |= title_data(title)
        if not self._module.result.append(("query", self._module.name), page, "page"):
            return False
        self._revisions[key] = own
        return True
