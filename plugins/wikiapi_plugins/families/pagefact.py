"""What ``prop=info`` can tell about a page: one fact for each value of ``inprop``.

A fact is made once for all pages of an answer, reads what it needs of the store in a fixed number
of queries, and then tells about one page after the other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from wikiapi.title.contentmodel import default_model

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wikiapi.api.query.module import PropModule
    from wikiapi.store.pages import PageRow
    from wikiapi.title.title import Title


@dataclass(frozen=True, slots=True)
class InfoPage:
    """A page of the answer; ``row`` is None and ``page_id`` negative for one that is missing."""

    page_id: int
    title: Title
    row: PageRow | None

    @property
    def model(self) -> str:
        """The page's content model."""
        own = self.row.content_model if self.row else None
        return own or default_model(self.title)


class Fact(ABC):
    """Base of the facts. ``name`` is the value of ``inprop`` that asks for it."""

    name: ClassVar[str]

    def __init__(self, module: PropModule, pages: Sequence[InfoPage]) -> None:
        """Read what is needed for all of the pages."""
        self.module = module
        self.pages = pages
        self.load()

    def load(self) -> None:
        """Query the store; nothing unless a fact needs it."""
        return

    @abstractmethod
    def of(self, page: InfoPage) -> Mapping[str, Any]:
        """What to say of a page."""

    @property
    def existing(self) -> list[InfoPage]:
        """The pages that are not missing."""
        return [page for page in self.pages if page.row is not None]
