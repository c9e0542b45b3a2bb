"""Wikitext: rendered by the parser."""

from __future__ import annotations

from wikiapi.site import Site
from wikiapi.title import Title
from wikiapi.wikitext import ContentModel, ParserOptions, ParserOutput
from wikiapi.wikitext.source import redirect_target


def render(site: Site, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """The parser's own output."""
    return site.parser.parse(source, title, options)


def target(site: Site, source: str) -> Title | None:
    """The page of ``#REDIRECT [[...]]``."""
    return redirect_target(source, site.titles)


DECLARATIONS = (
    ContentModel("wikitext", ("text/x-wiki",), render, has_sections=True, redirect_target=target),
)
