"""``prop=iwlinks``."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from wikiapi.api import Obj, PropModule, boolean, continuation, enum, limit, sort_direction, string
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Plain
from wikiapi.store import bounds
from wikiapi.store.models import IwLinks as Table
from wikiapi.store.queries import externallinks


class ForeignLink(NamedTuple):
    """A link to another site: ``prefix`` is an interwiki prefix or a language code.

    ``source`` is the id of the linking page.
    """

    source: int
    prefix: str
    title: str


class ForeignLinks(PropModule):
    """Links from the pages of the page set to other sites.

    Attributes:
        columns: the columns of the linking page, the prefix and the title.
        prefix_param: the parameter that selects links by their prefix.
        ordered: how many of these columns make up the order and the continuation value.
    """

    columns: ClassVar[tuple[Any, Any, Any]]
    prefix_param: ClassVar[str]
    ordered: ClassVar[int]

    @abstractmethod
    def query_of(self, page_ids: Sequence[int]) -> Any:
        """Return the query for the links of pages: (page id, prefix, title)."""

    @abstractmethod
    def item(self, link: ForeignLink, prop: Sequence[str]) -> Obj:
        """Return the item of a link."""

    def execute(self) -> None:
        """List the links of each page."""
        if not self.page_set.good:
            return
        if self.p.flag("url") and self.p.is_given("prop"):
            both = Plain(f"{self.full('url')}, {self.full('prop')}")
            raise ApiError("invalidparammix", "apierror-invalidparammix", both)
        require_prefix(self, self.prefix_param)
        conditions = []
        _, prefix, title = self.columns
        if self.p[self.prefix_param] is not None:
            conditions.append(prefix == self.p[self.prefix_param])
            if self.p.is_given("title"):
                conditions.append(title == self.p.text("title"))
        if parts := self.continue_parts(self.ordered):
            values = [self.continue_int(parts[0]), *parts[1:]]
            conditions.append(bounds.starting_at(self._order, values, descending=self._descending))
        query = self.query_of(list(self.page_set.good))
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, *self._order, descending=self._descending)
        prop = ("url",) if self.p.flag("url") else self.p.texts("prop")
        links = [ForeignLink(*row) for row in self.rows(query.limit(self.p.number("limit") + 1))]
        items = ((link.source, self.item(link, prop)) for link in links)
        self.emit(items, links, lambda link: "|".join(map(str, link[: self.ordered])))

    @property
    def _order(self) -> tuple[Any, ...]:
        return self.columns[: self.ordered]

    @property
    def _descending(self) -> bool:
        return self.p.text("dir") == "descending"


def require_prefix(module: Any, prefix_param: str, code: str = "invalidparammix") -> None:
    """Raise an error if a request has a title but no prefix.

    Raises:
        ApiError: with this code.
    """
    if module.p.is_given("title") and module.p[prefix_param] is None:
        params = (Plain(module.full("title")), Plain(module.full(prefix_param)))
        message = Message("apierror-invalidparammix-mustusewith", params)
        raise ApiError(code, message)


class IwLinks(ForeignLinks):
    """List the interwiki links on the pages."""

    name = "iwlinks"
    prefix = "iw"
    element = "iw"
    columns = (Table.iwl_from, Table.iwl_prefix, Table.iwl_title)
    prefix_param = "prefix"
    ordered = 3
    params = (
        enum("prop", "url", multi=True, help="Properties to include besides prefix and title.",
             value_help=(("url", "The full URL."),)),
        string("prefix", "Only links with this prefix."),
        string("title", "Only links to this title; needs a prefix."),
        sort_direction(),
        limit(),
        continuation(),
        boolean("url", "Include the full URL.", deprecated=True),
    )  # fmt: skip
    examples = (("action=query&prop=iwlinks&titles=Main%20Page", "The links of the main page"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Iwlinks",)

    def query_of(self, page_ids: Sequence[int]) -> Any:
        """Return the query for the interwiki links of pages."""
        return externallinks.interwiki(page_ids)

    def item(self, link: ForeignLink, prop: Sequence[str]) -> Obj:
        """Return the prefix and the title, and the URL if it is requested."""
        item = Obj({"prefix": link.prefix}, content="title")
        title = self.site.titles.try_parse(f"{link.prefix}:{link.title}") if "url" in prop else None
        if title is not None:
            item["url"] = self.site.page_url(title)
        item["title"] = link.title
        return item
