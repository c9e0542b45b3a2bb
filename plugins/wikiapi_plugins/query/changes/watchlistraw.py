"""``list=watchlistraw``."""

from __future__ import annotations

from typing import NamedTuple

from wikiapi.api import (
    CacheMode,
    GeneratedPages,
    ListModule,
    Obj,
    continuation,
    enum,
    iso,
    limit,
    namespace,
    sort_direction,
    string,
    title_data,
    valid_title,
)
from wikiapi.errors import ApiError
from wikiapi.pages import watching
from wikiapi.store import bounds
from wikiapi.store.models import Watchlist
from wikiapi_plugins.query.changes.watchlists import owner_of, owner_params

_ORDER = (Watchlist.wl_namespace, Watchlist.wl_title)


class _WatchedTitle(NamedTuple):
    """A watched title, and the time of the first change that the user has not seen."""

    namespace: int
    dbkey: str
    changed: str | None


class WatchlistRaw(ListModule):
    """List the pages that the user watches."""

    name = "watchlistraw"
    prefix = "wr"
    element = "wr"
    params = (
        continuation(),
        namespace(help="Only pages in these namespaces.", multi=True),
        limit("How many pages to return."),
        enum("prop", "changed", multi=True, help="Properties to include besides the title.",
             value_help=(("changed", "When the user was last notified of a change."),)),
        enum("show", "changed", "!changed", multi=True,
             help="Only pages with unseen changes, or only pages without."),
        *owner_params(),
        sort_direction(),
        string("fromtitle", "The title to begin with."),
        string("totitle", "The title to end with."),
    )  # fmt: skip
    examples = (("action=query&list=watchlistraw", "The pages on the watchlist"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Watchlistraw",)

    def cache_mode(self) -> CacheMode:
        """Return ``PRIVATE``, because a watchlist is only shown to its owner."""
        return CacheMode.PRIVATE

    @property
    def list_path(self) -> tuple[str, ...]:
        """The path of the list in the answer, which is not below ``query``."""
        return (self.name,)

    def execute(self) -> None:
        """List the watched pages, by namespace and title."""
        rows, with_changes = self._rows(), "changed" in self.p.texts("prop")
        items = []
        for row in rows[: self.limit]:
            item = Obj(title_data(self.site.titles.make(row.namespace, row.dbkey)))
            if with_changes and row.changed:
                item["changed"] = iso(row.changed)
            items.append(item)
        self.result.list(self.list_path, self.element)
        self.emit(items, rows, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the watched pages."""
        rows = self.within_limit(self._rows(), _continue_value)
        pages.titles += [self.site.titles.make(row.namespace, row.dbkey) for row in rows]

    def _rows(self) -> list[_WatchedTitle]:
        owner, descending = owner_of(self), self.p.text("dir") == "descending"
        conditions = [Watchlist.wl_user == owner, watching.still_watched(self.site)]
        if numbers := self.p.numbers("namespace"):
            conditions.append(Watchlist.wl_namespace.in_(numbers))
        show = self.p.texts("show")
        if "changed" in show and "!changed" in show:
            raise ApiError("show", "apierror-show")
        if show:
            conditions.append(Watchlist.wl_notificationtimestamp.is_null("changed" not in show))
        if parts := self.continue_parts(2):
            start = (self.continue_int(parts[0]), parts[1])
            conditions.append(bounds.starting_at(_ORDER, start, descending=descending))
        for name, is_lower in (("fromtitle", not descending), ("totitle", descending)):
            if self.p.is_given(name):
                key = valid_title(self.site, self.p.text(name), interwiki=True).key
                conditions.append(bounds.starting_at(_ORDER, key, descending=not is_lower))
        query = Watchlist.select(*_ORDER, Watchlist.wl_notificationtimestamp).where(*conditions)
        query = bounds.ordered(query, *_ORDER, descending=descending)
        return [_WatchedTitle(*row) for row in self.rows(query.limit(self.p.number("limit") + 1))]


def _continue_value(row: _WatchedTitle) -> str:
    return f"{row.namespace}|{row.dbkey}"
