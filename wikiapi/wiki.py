"""A wiki without a parser: its settings, titles, messages and store."""

from __future__ import annotations

import platform
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from wikiapi.budget import Allowance, Budgets
from wikiapi.heap import clear_locals, give_back
from wikiapi.title.namespaces import MAIN
from wikiapi.title.percent import quote_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pluggy

    from wikiapi.budget import Budget
    from wikiapi.cache.base import Cache
    from wikiapi.config import Config
    from wikiapi.i18n.catalog import MessageCatalog
    from wikiapi.store.database import Database
    from wikiapi.title.codec import TitleCodec
    from wikiapi.title.interwiki import InterwikiMap
    from wikiapi.title.namespaces import NamespaceTable
    from wikiapi.title.title import Title

T = TypeVar("T")

_MUCH_MEMORY = 25_000_000
"""Bytes of a request's budget from which on giving memory back is worth the time, some 0.1 s."""


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


@dataclass(eq=False)
class Wiki:
    """The settings, titles, messages and store of a wiki, as the lower layers use them.

    A :class:`~wikiapi.site.Site` adds the objects built from them. Can be used by several threads;
    every attribute is set once, at start-up.
    """

    config: Config
    namespaces: NamespaceTable
    interwiki: InterwikiMap
    titles: TitleCodec
    messages: MessageCatalog
    plugins: pluggy.PluginManager
    db: Database
    clock: Callable[[], datetime] = utc_now
    cache: Cache = field(init=False)
    budgets: Budgets = field(default_factory=Budgets)
    host_name: str = field(default_factory=platform.node)
    _derived: dict[Callable[..., Any], Any] = field(init=False, default_factory=dict)

    def derived(self, make: Callable[[Self], T]) -> T:
        """Return ``make(self)``, computed on first use and then stored.

        For values that depend only on settings and declarations, such as documentation. Two threads
        may compute the value at the same time; either result is used.
        """
        if make not in self._derived:
            self._derived[make] = make(self)
        return cast("T", self._derived[make])

    @property
    def language(self) -> str:
        """The content language."""
        return self.config.site.language

    @property
    def script_url(self) -> str:
        """Full address of ``api.php``."""
        return f"{self.config.site.server}{self.config.site.script_path}/api.php"

    @contextmanager
    def answering(self) -> Iterator[Budget]:
        """Apply the limits of a request to what this thread does within the block.

        SQL statements have their own time limit. If there are replicas, all statements that read
        are run on the same one. After work that took much memory, it is given back to the system.
        """
        self.db.take_turn()
        with (
            self.budgets.begin(self._allowance) as budget,
            self.db.deadline(budget.left, self.config.database.query_deadline),
        ):
            try:
                yield budget
            except Exception as error:
                if budget.most_kept >= _MUCH_MEMORY:
                    clear_locals(error)
                raise
            finally:
                if budget.most_kept >= _MUCH_MEMORY:
                    give_back()

    @cached_property
    def _allowance(self) -> Allowance:
        limits = self.config.limits
        return Allowance(
            seconds=self.config.http.request_deadline,
            steps=limits.request_steps,
            kept_bytes=limits.request_bytes,
            fetches=limits.request_fetches,
        )

    def page_path(self, title: Title) -> str:
        """Return the path of a page, or the address on the other wiki of an interwiki title."""
        if title.interwiki:
            entry = self.interwiki.get(title.interwiki)
            return entry.page_url(title.text, quote_fragment(title.fragment)) if entry else ""
        name = quote_title(title.prefixed_dbkey)
        path = self.config.site.article_path.replace("$1", name)
        if path.startswith("//") and not self.config.site.article_path.startswith("//"):
            # Pages are at the root and this title begins with a slash: browsers would read what
            # follows as the name of another server.
            path = f"{self._index}?title={name}"
        return f"{path}#{quote_fragment(title.fragment)}" if title.fragment else path

    def page_url(self, title: Title, query: str = "") -> str:
        """Return the full address of a page, through ``index.php`` if there is a query string."""
        if title.interwiki:
            return self.page_path(title)
        if not query:
            return self.config.site.server + self.page_path(title)
        return self.config.site.server + self.query_path(title, query)

    def query_path(self, title: Title, query: str) -> str:
        """Return the path of a page through ``index.php``, with a query string."""
        return f"{self._index}?title={quote_title(title.prefixed_dbkey)}&{query}"

    @property
    def _index(self) -> str:
        return f"{self.config.site.script_path}/index.php"

    @property
    def main_page(self) -> Title:
        """The title of the main page."""
        return self.titles.parse(self.config.site.main_page, MAIN)


def quote_fragment(fragment: str) -> str:
    """Return a fragment for a URL: spaces become underscores, the rest is unchanged."""
    return fragment.replace(" ", "_").replace("%", "%25")
