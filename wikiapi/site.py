"""A wiki that is served, with all objects that are created once at start-up.

A process may have several sites, which share nothing. :mod:`wikiapi.factory` builds them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from wikiapi.filerepo.group import RepositoryGroup
from wikiapi.store.queries import sitestats
from wikiapi.wiki import Wiki
from wikiapi.wikitext.pagecache import PageCache
from wikiapi.wikitext.parser import Parser

if TYPE_CHECKING:
    from wikiapi.api.registries import ApiRegistries


@dataclass(eq=False)
class Site(Wiki):
    """A wiki with its parser, files, cache of rendered pages and API.

    Can be used by several threads; every attribute is set once, at start-up.
    """

    files: RepositoryGroup = field(init=False)
    parser: Parser = field(init=False)
    page_cache: PageCache = field(init=False)
    api: ApiRegistries = field(init=False)

    @cached_property
    def is_miser(self) -> bool:
        """Whether the wiki is in MediaWiki's miser mode: it has ``limits.miser_pages`` or more.

        In miser mode, requests do not compute what is too expensive on large wikis. The value is
        determined once, by a query on first access.
        """
        least = self.config.limits.miser_pages
        return least > 0 and sitestats.statistics(self.db).pages >= least
