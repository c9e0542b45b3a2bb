"""``action=query``: data about pages, lists of things, and the wiki itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.cachecontrol import CacheMode
from wikiapi.api.module import Action
from wikiapi.api.params.declaration import boolean, enum, integer, string
from wikiapi.api.query.run import QueryRun

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.site import Site


def _of_group(group: str) -> Callable[[Site], tuple[str, ...]]:
    return lambda site: site.api.query_names(group)


def _generators(site: Site) -> tuple[str, ...]:
    return site.api.generator_names()


class Query(Action):
    """Fetch data from and about the wiki."""

    name = "query"
    params = (
        enum("prop", choices=_of_group("prop"), multi=True, default="", submodules=True,
             help="What to tell about the pages."),
        enum("list", choices=_of_group("list"), multi=True, default="", submodules=True,
             help="Which lists to get."),
        enum("meta", choices=_of_group("meta"), multi=True, default="", submodules=True,
             help="What to tell about the wiki or the user."),
        boolean("indexpageids", "List all page ids apart, in the order of the pages."),
        boolean("export", "Include an XML export of the current revisions of the pages."),
        boolean("exportnowrap", "Return that export alone, as XML; works only with export."),
        enum("exportschema", "0.10", "0.11", default="0.11",
             help="The version of the export format."),
        boolean("iwurl", "Include the full address of interwiki titles."),
        string("continue", "When more results are available, use this to continue."),
        boolean("rawcontinue", "Answer with query-continue in place of continue."),
        string("titles", "The titles of pages to work on.", multi=True),
        integer("pageids", "The ids of pages to work on.", multi=True),
        integer("revids", "The ids of revisions to work on.", multi=True),
        enum("generator", choices=_generators, submodules=True,
             help="Find the pages to work on with this module."),
        boolean("redirects", "Follow redirects of the pages found."),
        boolean("converttitles", "Try other variants of the titles where the language has any."),
    )  # fmt: skip
    examples = (
        ("action=query&prop=info&titles=Main%20Page", "Facts about the main page"),
        ("action=query&generator=alltransclusions", "Ten pages that are transcluded"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Query",)

    def cache_mode(self) -> CacheMode:
        """Whatever the modules allow."""
        return CacheMode.PUBLIC

    def execute(self) -> None:
        """Run the query."""
        QueryRun(self.context, self.p).execute()
