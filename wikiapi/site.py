"""A wiki that is served, with all objects that are created once at start-up.

A process may have several sites, which share nothing. :mod:`wikiapi.factory` builds them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from wikiapi.store.queries import sitestats
from wikiapi.wiki import Wiki

if TYPE_CHECKING:
    from wikiapi.filerepo.group import RepositoryGroup
    from wikiapi.registry import Registry
    from wikiapi.wikitext.contentmodels import ContentModel
    from wikiapi.wikitext.pagecache import PageCache
    from wikiapi.wikitext.parser import Parser

__all__ = [
    "Site",
]


COPY = "This server shows a copy of the wiki and writes nothing."
"""The reason why a wiki is read-only if its owner gives none."""


@dataclass(eq=False)
class Site(Wiki):
    """A wiki with its parser, files and cache of rendered pages.

    Can be used by several threads; every attribute is set once, at start-up.
    """

    files: RepositoryGroup = field(init=False)
    parser: Parser = field(init=False)
    content_models: Registry[ContentModel] = field(init=False)
    page_cache: PageCache = field(init=False)

    @property
    def is_writable(self) -> bool:
        """Whether requests may change the wiki.

        A database that was opened read-only is never changed, whatever the settings.
        """
        return self.config.site.writable and not self.db.read_only

    @property
    def read_only_reason(self) -> str:
        """Why all changes are refused; empty if the wiki can be changed."""
        configured = self.config.site.read_only
        return configured if self.is_writable else configured or COPY

    @cached_property
    def is_miser(self) -> bool:
        """Whether the wiki is in MediaWiki's miser mode: it has ``limits.miser_pages`` or more.

        In miser mode, requests do not compute what is too expensive on large wikis. The value is
        determined once, by a query on first access.
        """
        configured = self.config.limits.miser
        if configured != "auto":
            return configured
        least = self.config.limits.miser_pages
        return least > 0 and sitestats.statistics(self.db).pages >= least
