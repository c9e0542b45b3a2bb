"""Content models, which define how a page's text is converted to HTML."""

from __future__ import annotations

from wikiapi.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext import ContentModel, Parser, ParserOptions, ParserOutput, wrap_output
from wikiapi_plugins.wikitext.contentmodels import code, json


def parse(parser: Parser, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """Return the output of the parser, for wikitext."""
    return parser.parse(source, title, options)


def redirect_target(site: Wiki, source: str) -> Title | None:
    """Return the target of ``#REDIRECT [[...]]``, or ``None``."""
    return site.redirects.target(source)


def redirect_text(site: Wiki, title: Title) -> str:
    """Return the wikitext of a redirect to a page."""
    return site.redirects.text(title)


_NOTE = '<div class="error">Pages of the content model <code>unknown</code> cannot be shown.</div>'


def unsupported(parser: Parser, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """Return a note in place of a text whose content model is no longer supported."""
    return ParserOutput(html=wrap_output(_NOTE, parser.site, options))


_UNKNOWN_FORMATS = (
    "application/unknown",
    "application/octet-stream",
    "application/x-binary",
    "text/unknown",
    "unknown/unknown",
)
DECLARATIONS = (
    *code.DECLARATIONS,
    *json.DECLARATIONS,
    ContentModel("unknown", _UNKNOWN_FORMATS, unsupported, is_editable=False),
    ContentModel(
        "wikitext",
        ("text/x-wiki",),
        parse,
        has_sections=True,
        redirect_target=redirect_target,
        redirect_text=redirect_text,
    ),
)
