"""``list=backlinks``.

Results are ordered by linking page. With ``redirect``, the redirects among the linking pages are
followed one step further: the pages that link to a redirect are listed in its item as
``redirlinks``, and the maximum of the limit is halved. The continuation value then has more parts:
the first linking page of the current answer, and the first link via a redirect that did not fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import dropwhile
from typing import Any, ClassVar, NamedTuple

from wikiapi.api import (
    LARGEST,
    Arr,
    DeferredLimitType,
    GeneratedPages,
    LimitType,
    ListModule,
    Obj,
    Param,
    bad_continue,
    boolean,
    continuation,
    enum,
    namespace,
    sort_direction,
    title_data,
    title_or_id,
    title_or_id_params,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Plain
from wikiapi.store import Key, PageRow, bounds
from wikiapi.store.models import Page
from wikiapi.store.queries import LinkTable, links

_CEILING, _HIGH_CEILING = 500, 5000
_PARTS = (2, 6, 7, 8)
_TITLE_PART = 3


class LinkToTarget(NamedTuple):
    """The target of a link, and the page that the link is on."""

    target: Key
    page: PageRow


class ListedLinks(NamedTuple):
    """The links of one answer: those to the page itself, and those to redirects to it.

    ``redirects`` holds the ids of the redirects among the linking pages; ``parts`` are the parts of
    the continuation value at which the answer begins.
    """

    direct: list[PageRow]
    redirects: dict[Key, int]
    indirect: list[LinkToTarget]
    parts: list[str | int]


def backlinks_params(*, redirect: bool) -> tuple[Param, ...]:
    """Return the parameters of a module about links to a page, with ``redirect`` or without."""
    follow = boolean("redirect", "Also list the pages that link to redirects among the linking "
                     "pages. The limit counts for each kind; its maximum is halved.")  # fmt: skip
    return (
        *title_or_id_params("The page to look for; not with pageid.",
                            "The page to look for, by its id; not with title."),
        continuation(),
        namespace(multi=True),
        sort_direction(),
        enum("filterredir", "all", "redirects", "nonredirects", default="all",
             help="Whether to list all pages, only redirects, or only other pages."),
        Param(name="limit", type=DeferredLimitType(), default=10, help="How many to return."),
        *((follow,) if redirect else ()),
    )  # fmt: skip


class LinkingPages(ListModule):
    """Existing pages that link to one page.

    Attributes:
        table: the links.
    """

    table: ClassVar[LinkTable]

    def execute(self) -> None:
        """List the linking pages."""
        listed = self._listed_links()
        items = {row.page_id: self._item(row) for row in listed.direct}
        for link in listed.indirect:
            parent = items[listed.redirects[link.target]]
            redirlinks = parent.setdefault("redirlinks", Arr(element=self.element))
            redirlinks.append(self._item(link.page))
        rest, parts = list(items.items()), listed.parts
        if len(parts) > 6:
            # The previous answer contained the pages before this one.
            rest = list(dropwhile(lambda pair: pair[0] != parts[6], rest))
        linked = parts[2:6] or (0, "", 0, 0)

        def continue_value(pair: tuple[int, Obj]) -> str:
            return "|".join(map(str, (self._start(listed.direct, parts), *linked, pair[0])))

        self.emit((item for _, item in rest), rest, continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Add the linking pages to the page set."""
        listed = self._listed_links()
        pages.rows += listed.direct
        pages.rows += [link.page for link in listed.indirect]

    def _listed_links(self) -> ListedLinks:
        """Return the links of this answer, and continue with the first that did not fit."""
        limit, target, parts = self.limit, self._target(), self._parts()
        several = len(self.p.numbers("namespace")) > 1
        columns = [self.table.source_namespace] * several + [self.table.source]
        conditions = self._namespaces(self.table.source_namespace)
        if parts:
            values = parts[:2] if several else parts[1:2]
            conditions.append(bounds.starting_at(columns, values, descending=self._descending))
        kind = self.p.text("filterredir")
        # With nonredirects, redirects are needed too, because other pages may link to them.
        if kind == "redirects" or (kind == "nonredirects" and not self._follows):
            conditions.append(Page.page_is_redirect == int(kind == "redirects"))
        direct = [link.page for link in self._linking([target], conditions, columns)]
        redirects: dict[Key, int] = {}
        if self._follows:
            fixed = self.table.fixed_namespace
            rows = [row for row in direct[:limit] if row.is_redirect]
            redirects = {row.key: row.page_id for row in rows if fixed in (None, row.namespace)}
        indirect = self._indirect(redirects, parts) if redirects else []
        if len(indirect) > limit:
            (namespace, title), page = indirect[limit]
            start = self._start(direct, parts)
            self.set_continue(f"{start}|{namespace}|{title}|{page.namespace}|{page.page_id}")
        elif len(direct) > limit:
            page = direct[limit]
            self.set_continue(f"{page.namespace}|{page.page_id}")
        return ListedLinks(direct[:limit], redirects, indirect[:limit], parts)

    @cached_property
    def limit(self) -> int:
        """The parameter as a number; its maximum depends on ``redirect``."""
        share = 2 if self._follows else 1
        kind, raw = LimitType(_CEILING // share, _HIGH_CEILING // share), self.p["limit"]
        number = kind.read(self.full("limit"), str(raw), self.validation())
        if raw == LARGEST:
            self.result.set(("limits",), self.name, number)
        return number

    @property
    def _follows(self) -> bool:
        return bool(self.p.get("redirect"))

    @property
    def _descending(self) -> bool:
        return self.p.text("dir") == "descending"

    def _target(self) -> Key:
        title = title_or_id(self, can_exist=False)
        if self.table.fixed_namespace not in (None, title.ns):
            message = Message("apierror-imageusage-badtitle", (Plain(self.name),))
            raise ApiError("bad_image_title", message)
        return title.key

    def _parts(self) -> list[str | int]:
        """Return the parts of the continuation value; all but the title are numbers."""
        value = self.p.text_or_none("continue")
        parts = [] if value is None else str(value).split("|")
        if parts and len(parts) not in _PARTS:
            raise bad_continue()
        return [
            part if index == _TITLE_PART else self.continue_int(part)
            for index, part in enumerate(parts)
        ]

    def _indirect(self, redirects: dict[Key, int], parts: list[str | int]) -> list[LinkToTarget]:
        several = len(self.p.numbers("namespace")) > 1
        order: dict[int, Any] = {}
        if self.table.fixed_namespace is None and len({ns for ns, _ in redirects}) > 1:
            order[2] = self.table.namespace
        if len({title for _, title in redirects}) > 1:
            order[_TITLE_PART] = self.table.title
        if several:
            order[4] = self.table.source_namespace
        order[5] = self.table.source
        columns, conditions = list(order.values()), self._namespaces(Page.page_namespace)
        if len(parts) > max(order):
            values = [parts[index] for index in order]
            conditions.append(bounds.starting_at(columns, values, descending=self._descending))
        if self.p.text("filterredir") != "all":
            is_redirect = int(self.p.text("filterredir") == "redirects")
            conditions.append(Page.page_is_redirect == is_redirect)
        return self._linking(redirects, conditions, columns)

    def _start(self, direct: list[PageRow], parts: list[str | int]) -> str:
        """Return where the direct links of this answer begin."""
        first = parts[:2] if parts else (direct[0].namespace, direct[0].page_id)
        return "|".join(map(str, first))

    def _linking(
        self, keys: Iterable[Key], conditions: list[Any], columns: list[Any]
    ) -> list[LinkToTarget]:
        query = links.incoming(self.table, keys)
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, *columns, descending=self._descending)
        return [
            LinkToTarget((namespace, title), PageRow(*page))
            for namespace, title, *page in self.rows(query.limit(self.limit + 1))
        ]

    def _namespaces(self, column: Any) -> list[Any]:
        return [column.in_(self.p.numbers("namespace"))] if self.p.numbers("namespace") else []

    def _item(self, row: PageRow) -> Obj:
        title = self.site.titles.make(row.namespace, row.title)
        item = Obj({"pageid": row.page_id} | title_data(title))
        if row.is_redirect:
            item["redirect"] = True
        return item


class Backlinks(LinkingPages):
    """List the pages that link to a page."""

    name = "backlinks"
    prefix = "bl"
    element = "bl"
    table = links.PAGES
    params = backlinks_params(redirect=True)
    examples = (
        ("action=query&list=backlinks&bltitle=Main%20Page", "The pages that link to the main page"),
        ("action=query&generator=backlinks&gbltitle=Main%20Page&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Backlinks",)
