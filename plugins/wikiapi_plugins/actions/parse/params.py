"""The parameters of ``action=parse``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.params.declaration import boolean, enum, integer, string, text

if TYPE_CHECKING:
    from wikiapi.site import Site

PROPS = (
    "categories",
    "categorieshtml",
    "displaytitle",
    "encodedjsconfigvars",
    "externallinks",
    "headhtml",
    "images",
    "indicators",
    "iwlinks",
    "jsconfigvars",
    "langlinks",
    "limitreportdata",
    "limitreporthtml",
    "links",
    "modules",
    "parsetree",
    "parsewarnings",
    "parsewarningshtml",
    "properties",
    "revid",
    "sections",
    "subtitle",
    "templates",
    "text",
    "tocdata",
    "wikitext",
    "headitems",
)
DEFAULT_PROPS = (
    "text|langlinks|categories|links|templates|images|externallinks|sections|tocdata|revid|"
    "displaytitle|iwlinks|properties|parsewarnings"
)
SKINS = (
    "apioutput",
    "authentication-popup",
    "fallback",
    "json",
    "minerva",
    "monobook",
    "timeless",
    "vector",
    "vector-2022",
)
DEFAULT_SKIN = "apioutput"
SKINS_WITHOUT_TOC = frozenset({"vector-2022"})
"""Skins that show the table of contents beside the page."""


def _models(site: Site) -> tuple[str, ...]:
    return tuple(sorted(site.parser.registries.content_models))


def _formats(site: Site) -> tuple[str, ...]:
    models = site.parser.registries.content_models.values()
    return tuple(sorted({name for model in models for name in model.formats}))


PARAMS = (
    string("title", "Title of the page the text belongs to; the page named API if omitted."),
    text("text", "Text to parse."),
    integer("revid", "Revision id for the words that tell about the revision."),
    string("summary", "Summary to parse."),
    string("page", "Parse the content of this page."),
    integer("pageid", "Parse the content of the page with this id; takes precedence over page."),
    boolean("redirects", "Follow a redirect that page or pageid names."),
    integer("oldid", "Parse the content of this revision; takes precedence over page and pageid."),
    enum(
        "prop",
        *PROPS,
        multi=True,
        default=DEFAULT_PROPS,
        deprecated_values=("headitems",),
        help="Which facts to give.",
    ),
    string("wrapoutputclass", "CSS class of the container.", default="mw-parser-output"),
    boolean("usearticle", "Take the rendering a page view would use."),
    boolean("parsoid", "Use parser=parsoid instead.", deprecated=True),
    enum("parser", "default", "legacy", "parsoid", default="default", help="Which parser to use."),
    boolean("pst", "Transform the text as saving it would, then parse it."),
    boolean("onlypst", "Transform the text as saving it would, and do not parse it."),
    boolean("effectivelanglinks", "Include language links of extensions.", deprecated=True),
    string("section", "Parse only this section, or new for a new one."),
    string("sectiontitle", "Heading of a new section."),
    boolean("disablepp", "Use disablelimitreport instead.", deprecated=True),
    boolean("disablelimitreport", "Leave out the limit report."),
    boolean("disableeditsection", "Leave out edit links of sections."),
    boolean("disablestylededuplication", "Keep repeated style sheets."),
    boolean("showstrategykeys", "Include merge strategies in jsconfigvars."),
    boolean("generatexml", "Give the parse tree; use prop=parsetree instead.", deprecated=True),
    boolean("preview", "Parse as a preview."),
    boolean("sectionpreview", "Parse as the preview of a section."),
    boolean("disabletoc", "Leave out the table of contents."),
    enum("useskin", *SKINS, help="Apply a skin to the output."),
    enum("contentformat", choices=_formats, help="Serialisation of the text."),
    enum("contentmodel", choices=_models, help="Content model of the text."),
)
