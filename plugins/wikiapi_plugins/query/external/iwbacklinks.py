"""``list=iwbacklinks``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from wikiapi.api import (
    GeneratedPages,
    ListModule,
    continuation,
    enum,
    limit,
    sort_direction,
    stored_title,
    string,
)
from wikiapi.store import PageRow, bounds
from wikiapi.store.models import IwLinks, Page
from wikiapi.store.queries import PAGE_COLUMNS
from wikiapi_plugins.query.external.iwlinks import require_prefix

# Results are ordered by prefix, title and linking page.


class ForeignBacklink(NamedTuple):
    """A link to another site, on ``page``; ``prefix`` is an interwiki prefix or a language code."""

    prefix: str
    title: str
    page: PageRow


class ForeignBacklinks(ListModule):
    """Pages with links to other sites.

    Attributes:
        columns: the columns of the prefix, the title and the linking page.
        prefix_param: the parameter that selects links by their prefix.
        no_prefix_code: the code of the error for a title without that parameter.
        attributes: the attributes of a link, by the values of ``prop`` that show them.
    """

    columns: ClassVar[tuple[Any, Any, Any]]
    prefix_param: ClassVar[str]
    no_prefix_code: ClassVar[str] = "invalidparammix"
    attributes: ClassVar[Mapping[str, str]]

    def execute(self) -> None:
        """List the linking pages."""
        links = self._links()
        self.emit(map(self._item, links), links, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the linking pages."""
        pages.rows += [link.page for link in self.within_limit(self._links(), _continue_value)]

    def _links(self) -> list[ForeignBacklink]:
        require_prefix(self, self.prefix_param, self.no_prefix_code)
        descending = self.p.text("dir") == "descending"
        prefix, title, source = self.columns
        conditions = []
        if self.p[self.prefix_param] is not None:
            conditions.append(prefix == self.p[self.prefix_param])
            if self.p.is_given("title"):
                conditions.append(title == self.p.text("title"))
        if parts := self.continue_parts(3):
            values = [*parts[:2], self.continue_int(parts[2])]
            conditions.append(bounds.starting_at(self.columns, values, descending=descending))
        query: Any = prefix.model.select(prefix, title, *PAGE_COLUMNS).join(
            Page, on=(Page.page_id == source)
        )
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, *self.columns, descending=descending)
        return [
            ForeignBacklink(prefix, title, PageRow(*page))
            for prefix, title, *page in self.rows(query.limit(self.p.number("limit") + 1))
        ]

    def _item(self, link: ForeignBacklink) -> dict[str, Any]:
        page, props = link.page, self.p.texts("prop")
        item: dict[str, Any] = {"pageid": page.page_id}
        item |= stored_title(self.site, page.namespace, page.title)
        if page.is_redirect:
            item["redirect"] = True
        item |= {name: getattr(link, own) for name, own in self.attributes.items() if name in props}
        return item


def _continue_value(link: ForeignBacklink) -> str:
    return f"{link.prefix}|{link.title}|{link.page.page_id}"


class IwBacklinks(ForeignBacklinks):
    """List the pages with interwiki links to a prefix or title."""

    name = "iwbacklinks"
    prefix = "iwbl"
    element = "iw"
    columns = (IwLinks.iwl_prefix, IwLinks.iwl_title, IwLinks.iwl_from)
    prefix_param = "prefix"
    attributes = {"iwprefix": "prefix", "iwtitle": "title"}  # noqa: RUF012
    params = (
        string("prefix", "Only links with this prefix."),
        string("title", "Only links to this title; needs a prefix."),
        continuation(),
        limit(),
        enum("prop", "iwprefix", "iwtitle", multi=True, default="",
             help="Properties to include besides the linking page.",
             value_help=(("iwprefix", "The prefix."), ("iwtitle", "The title."))),
        sort_direction(),
    )  # fmt: skip
    examples = (
        ("action=query&list=iwbacklinks&iwbltitle=Test&iwblprefix=wikibooks",
         "The pages that link to a page of another wiki"),
        ("action=query&generator=iwbacklinks&giwbltitle=Test&giwblprefix=wikibooks&prop=info",
         "Facts about them"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Iwbacklinks",)
