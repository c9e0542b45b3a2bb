"""``list=watchlistraw``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
_Row = tuple[int, str, str | None]


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
        rows = self._rows()
        self.result.list(self.list_path, self.element)
        self.emit(self._items(rows[: self.limit]), rows, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the watched pages."""
        rows = self.within_limit(self._rows(), _continue_value)
        pages.titles += [self.site.titles.make(row[0], row[1]) for row in rows]

    def _rows(self) -> list[_Row]:
        owner = owner_of(self)
        query = Watchlist.select(*_ORDER, Watchlist.wl_notificationtimestamp)
        query = query.where(
            Watchlist.wl_user == owner, watching.still_watched(self.site), *self._conditions()
        )
        descending = self.p.text("dir") == "descending"
        query = bounds.ordered(query, *_ORDER, descending=descending)
        return self.rows(query.limit(self.p.number("limit") + 1))

    def _conditions(self) -> list[Any]:
        found: list[Any] = []
        descending = self.p.text("dir") == "descending"
        if numbers := self.p.numbers("namespace"):
            found.append(Watchlist.wl_namespace.in_(numbers))
        shown = self.p.texts("show")
        if "changed" in shown and "!changed" in shown:
            raise ApiError("show", "apierror-show")
        if shown:
            found.append(Watchlist.wl_notificationtimestamp.is_null("changed" not in shown))
        if parts := self.continue_parts(2):
            start = (self.continue_int(parts[0]), parts[1])
            found.append(bounds.starting_at(_ORDER, start, descending=descending))
        for name, from_here in (("fromtitle", not descending), ("totitle", descending)):
            if self.p.is_given(name):
                key = valid_title(self.site, self.p.text(name), interwiki=True).key
                found.append(bounds.starting_at(_ORDER, key, descending=not from_here))
        return found

    def _items(self, rows: list[_Row]) -> Iterator[Obj]:
        with_changes = "changed" in self.p.texts("prop")
        for number, dbkey, changed in rows:
            item = title_data(self.site.titles.make(number, dbkey))
            if with_changes and changed:
                item["changed"] = iso(changed)
            yield Obj(item)


def _continue_value(row: _Row) -> str:
    return f"{row[0]}|{row[1]}"
