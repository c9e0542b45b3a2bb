"""A wiki that is served, with everything made from it once at start-up.

A process may hold several sites; they share nothing. Built by :mod:`wikiapi.factory`.
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

    Safe to use from several threads; every attribute is set once, at start-up.
    """

    files: RepositoryGroup = field(init=False)
    parser: Parser = field(init=False)
    page_cache: PageCache = field(init=False)
    api: ApiRegistries = field(init=False)

    @cached_property
    def is_miser(self) -> bool:
        """Whether the wiki is in MediaWiki's miser mode: it has ``limits.miser_pages`` or more.

        What large wikis do not compute for a request depends on it. It is found out once, with one
        query, when it is first asked for.
        """
        least = self.config.limits.miser_pages
        return least > 0 and sitestats.statistics(self.db).pages >= least
