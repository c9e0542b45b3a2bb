"""``action=query``: data about pages, lists, and data about the wiki and the user."""

from __future__ import annotations

from collections.abc import Callable

from wikiapi.api import (
    PAGE_SET,
    SOURCES,
    Action,
    CacheMode,
    QueryRun,
    boolean,
    enum,
    registries,
    string,
)
from wikiapi.site import Site


def _of_group(group: str) -> Callable[[Site], tuple[str, ...]]:
    return lambda site: registries(site).query_names(group)


class Query(Action):
    """Fetch data from and about the wiki."""

    name = "query"
    position = 9
    params = (
        enum("prop", choices=_of_group("prop"), multi=True, submodules=True,
             help="Which data about the pages to query."),
        enum("list", choices=_of_group("list"), multi=True, submodules=True,
             help="Which lists to get."),
        enum("meta", choices=_of_group("meta"), multi=True, submodules=True,
             help="Which data about the wiki or the user to query."),
        boolean("indexpageids", "Add a list of all page ids, in the order of the pages."),
        boolean("export", "Include an XML export of the current revisions of the pages."),
        boolean("exportnowrap", "Return only that export, as XML; requires ``export``."),
        enum("exportschema", "0.10", "0.11", default="0.11",
             help="The version of the export format."),
        boolean("iwurl", "Include the full URLs of interwiki titles."),
        string("continue", "When more results are available, use this to continue."),
        boolean("rawcontinue", "Return ``query-continue`` instead of ``continue``."),
        *PAGE_SET,
    )  # fmt: skip
    examples = (
        ("action=query&prop=info&titles=Main%20Page", "Facts about the main page"),
        ("action=query&generator=alltransclusions", "Ten pages that are transcluded"),
    )
    help_urls = tuple(
        f"https://www.mediawiki.org/wiki/Special:MyLanguage/API:{page}"
        for page in ("Query", "Meta", "Properties", "Lists")
    )

    def cache_mode(self) -> CacheMode:
        """Return ``PUBLIC``, which the submodules of the request may restrict."""
        return CacheMode.PUBLIC

    def requires_read(self) -> bool:
        """Return whether the right to read is required: some ``meta`` modules do not need it."""
        names = [name for name in ("prop", "list", "generator", *SOURCES) if self.p[name]]
        modules = [registries(self.site).query_modules[name] for name in self.p.texts("meta")]
        return bool(names) or not modules or any(module.needs_read for module in modules)

    def execute(self) -> None:
        """Run the query."""
        QueryRun(self.context, self.p).execute()
