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
from wikiapi.languages.collation import Collation, collation
from wikiapi.languages.dates import format_usual
from wikiapi.languages.language import language
from wikiapi.languages.magicwords import MagicWords
from wikiapi.title.fragments import Fragments, fragments, legacy_id
from wikiapi.title.namespaces import SPECIAL
from wikiapi.title.percent import quote_title
from wikiapi.title.redirects import Redirects
from wikiapi.title.specialpages import SpecialPages

__all__ = [
    "Wiki",
]


if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pluggy

    from wikiapi.budget import Budget
    from wikiapi.cache.urls import Cache
    from wikiapi.config import Config
    from wikiapi.languages.dates.usual import Kind
    from wikiapi.store.database import Database
    from wikiapi.store.genders import Genders
    from wikiapi.title.codec import TitleCodec
    from wikiapi.title.interwiki import InterwikiMap
    from wikiapi.title.namespaces import NamespaceTable
    from wikiapi.title.title import Title
    from wikiapi.wikitext.sitemessages import SiteMessages

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
    plugins: pluggy.PluginManager
    db: Database
    genders: Genders
    clock: Callable[[], datetime] = utc_now
    messages: SiteMessages = field(init=False)
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

    @cached_property
    def language(self) -> str:
        """The content language."""
        return self.config.site.language

    @cached_property
    def magic_words(self) -> MagicWords:
        """The words of wikitext in the content language."""
        return MagicWords(self.language)

    @cached_property
    def collation(self) -> Collation:
        """The order of the members of categories."""
        return collation(self.config.site.category_collation, self.language)

    @cached_property
    def special_pages(self) -> SpecialPages:
        """The special pages by their names in the content language."""
        return SpecialPages(language(self.language))

    @cached_property
    def redirects(self) -> Redirects:
        """Reads and writes redirects in the words of the content language."""
        return Redirects(self.titles, self.magic_words)

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

    @cached_property
    def fragments(self) -> Fragments:
        """How the names of sections are spelt as ids and in links."""
        return fragments(self.config.wikitext.fragment_mode)

    def page_path(self, title: Title, fragments: Fragments | None = None) -> str:
        """Return the path of a page, or the address on the other wiki of an interwiki title.

        For a section of the same page, it is only ``#`` and the fragment. ``fragments`` is how to
        spell it, by default as the wiki does.
        """
        fragment = self._fragment(title, fragments or self.fragments)
        if not (title.dbkey or title.interwiki):
            return fragment
        return f"{self.query_path(title)}{fragment}"

    def page_url(self, title: Title, query: str = "") -> str:
        """Return the full address of a page, through ``index.php`` if there is a query string."""
        server = "" if title.interwiki else self.config.site.server
        return f"{server}{self.query_path(title, query)}{self._fragment(title, self.fragments)}"

    def query_path(self, title: Title, query: str = "") -> str:
        """Return the path of a page through ``index.php``, with a query string if there is one.

        It has no fragment. For an interwiki title, it is the address on the other wiki.
        """
        if title.interwiki:
            entry = self.interwiki.get(title.interwiki)
            url = entry.page_url(title.text) if entry else ""
            return f"{url}{'&' if '?' in url else '?'}{query}" if url and query else url
        name = quote_title(title.prefixed_dbkey)
        if query:
            return f"{self._index}?title={name}&{query}"
        path = self.config.site.article_path.replace("$1", name)
        if path.startswith("//") and not self.config.site.article_path.startswith("//"):
            # Pages are at the root and this title begins with a slash: browsers would read what
            # follows as the name of another server.
            return f"{self._index}?title={name}"
        return path

    def _fragment(self, title: Title, fragments: Fragments) -> str:
        """Return ``#`` and the fragment of a title, if it has one.

        Links to other wikis use the legacy encoding, since it is not known which one they use.
        """
        if not title.fragment:
            return ""
        entry = self.interwiki.get(title.interwiki) if title.interwiki else None
        encode = fragments.link if entry is None or entry.local else legacy_id
        return f"#{encode(title.fragment)}"

    @property
    def _index(self) -> str:
        return f"{self.config.site.script_path}/index.php"

    def special_page(self, name: str) -> Title:
        """Return the title of a special page in the content language.

        ``name`` is its English name, and a subpage if there is one.
        """
        return self.titles.make(SPECIAL, self.special_pages.local_name(name))

    def usual_time(self, kind: Kind, moment: datetime, language: str) -> str:
        """Return a time in a usual format of a language, in the words of the wiki.

        The month comes before the day if the wiki has American dates.
        """
        american = self.config.wikitext.american_dates
        return format_usual(kind, moment, language, self.messages, american=american)

    @property
    def main_page(self) -> Title:
        """The title of the main page: unless the settings name it, ``MediaWiki:Mainpage`` does."""
        if not self.config.site.main_page:
            title = self.titles.try_parse(self.messages.content_text("mainpage"))
            if title is not None and not title.interwiki and title.dbkey:
                return title
        return self.titles.main_page
