"""The parameters of actions that work on a set of pages."""

from __future__ import annotations

from wikiapi.api.params.declaration import boolean, enum, integer, string
from wikiapi.site import Site


def _generators(site: Site) -> tuple[str, ...]:
    return site.api.generator_names()


PAGE_SET = (
    string("titles", "The titles of pages to work on.", multi=True),
    integer("pageids", "The ids of pages to work on.", multi=True),
    integer("revids", "The ids of revisions to work on.", multi=True),
    enum(
        "generator",
        choices=_generators,
        submodules=True,
        help="Find the pages to work on with this module, whose parameters then begin with ``g``.",
    ),
    boolean("redirects", "Follow redirects of the pages found."),
    boolean("converttitles", "Try other variants of the titles where the language has any."),
)
