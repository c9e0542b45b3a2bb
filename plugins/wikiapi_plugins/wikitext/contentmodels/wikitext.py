"""The content model of wikitext."""

from __future__ import annotations

from wikiapi.title import CATEGORY, Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext import ContentModel, Parser, ParserOptions, ParserOutput
from wikiapi.wikitext.source import redirect_target


def render(parser: Parser, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """Return the output of the parser."""
    return parser.parse(source, title, options)


def target(site: Wiki, source: str) -> Title | None:
    """Return the target of ``#REDIRECT [[...]]``, or ``None``."""
    return redirect_target(source, site.titles)


def redirect(site: Wiki, title: Title) -> str:
    """Return the wikitext of a redirect to a page."""
    colon = ":" if title.ns == CATEGORY else ""
    return f"#REDIRECT [[{colon}{title.full_text}]]"


DECLARATIONS = (
    ContentModel(
        "wikitext",
        ("text/x-wiki",),
        render,
        has_sections=True,
        redirect_target=target,
        redirect_text=redirect,
    ),
)
