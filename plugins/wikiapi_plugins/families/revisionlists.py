"""The family of ``list=allrevisions``: revisions of many pages in one order, shown page by page.

A page stands where its first revision does, and its later ones within this answer stand with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.query.module import ListModule
from wikiapi.api.query.output import title_data
from wikiapi.api.result import Arr, Obj
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, plain_list
from wikiapi.store import bounds
from wikiapi.store.models import Actor
from wikiapi.store.visibility import USER, shown
from wikiapi_plugins.families.revisionitems import RevisionItems

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wikiapi.store.revisions import RevisionRow
    from wikiapi.title.title import Title
    from wikiapi_plugins.families.revisionoptions import RevisionOptions

REVISION = "rev"


class RevisionLists(ListModule):
    """Base of the family."""

    element = "page"

    @property
    def descending(self) -> bool:
        """Whether the newest come first."""
        return bool(self.p["dir"] != "newer")

    def add_revisions(
        self,
        found: Sequence[tuple[RevisionRow, Title, str]],
        options: RevisionOptions,
        page_id: Callable[[RevisionRow, Title], int],
    ) -> None:
        """Put revisions into the answer.

        Args:
            found: each with its page and the continuation value that begins with it.
            options: what to tell, and how many.
            page_id: the id of a page, 0 for none.
        """
        told = found[: options.limit]
        items = RevisionItems(self, options, [(row, title) for row, title, _ in told])
        pages = self.result.list(("query", self.name), self.element)
        places: dict[tuple[int, str], int] = {}

        def add(entry: tuple[RevisionRow, Title, str]) -> bool:
            row, title, _ = entry
            item = items.of(row, title)
            place = places.get(title.key)
            if place is not None:
                return self.result.extend(pages[place]["revisions"], item)
            places[title.key] = len(pages)
            head = {"pageid": page_id(row, title), "revisions": Arr([item], REVISION)}
            return self.add_item(Obj(head | title_data(title)))

        self.page_through(found, options.limit, lambda entry: entry[2], add)


def author_conditions(module: Any, deleted: Any) -> list[Any]:
    """Conditions on the author; who is hidden is found by none of them.

    Args:
        module: has parameters ``user`` and ``excludeuser``.
        deleted: the column of the visibility bits.

    Raises:
        ApiError: ``invalidparammix``; both are given.
    """
    wanted, unwanted = module.p["user"], module.p["excludeuser"]
    if wanted is not None and unwanted is not None:
        names = plain_list([module.full("user"), module.full("excludeuser")])
        raise ApiError(Message("apierror-invalidparammix", (names,)), "invalidparammix")
    if wanted is not None:
        return [is_author(wanted), shown(deleted, USER)]
    return [~is_author(unwanted), shown(deleted, USER)] if unwanted is not None else []


def is_author(name: str) -> Any:
    """A condition on ``Actor``: a name, or an id after ``#``."""
    if name.startswith("#"):
        return (Actor.actor_user == int(name[1:])) & Actor.actor_user.is_null(False)
    return Actor.actor_name == name


def walked(query: Any, columns: Sequence[Any], limit: int, *, descending: bool) -> Any:
    """The query in an order, with one row more than the limit."""
    return bounds.ordered(query, *columns, descending=descending).limit(limit + 1)
