"""The content model of pages whose content model is no longer supported; shows only a note."""

from __future__ import annotations

from wikiapi.title import Title
from wikiapi.wikitext import ContentModel, Parser, ParserOptions, ParserOutput
from wikiapi.wikitext.html.container import wrap_output

_NAME = "unknown"
_NOTE = '<div class="error">Pages of the content model <code>unknown</code> cannot be shown.</div>'


def render(parser: Parser, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """Return a note instead of the text."""
    return ParserOutput(html=wrap_output(_NOTE, parser.site, options))


DECLARATIONS = (
    ContentModel(
        _NAME,
        (
            "application/unknown",
            "application/octet-stream",
            "application/x-binary",
            "text/unknown",
            "unknown/unknown",
        ),
        render,
        is_editable=False,
    ),
)
