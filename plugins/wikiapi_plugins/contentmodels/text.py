"""Plain text: shown as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.container import wrap_output
from wikiapi.wikitext.declarations import ContentModel
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.output import ParserOutput

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.title.title import Title
    from wikiapi.wikitext.options import ParserOptions


def preformatted(source: str, css: str, site: Site, options: ParserOptions) -> ParserOutput:
    """The text in ``<pre>``, nothing of it read as markup."""
    html = f'<pre class="{css}" dir="ltr">\n{escape_text(source)}\n</pre>'
    return ParserOutput(html=wrap_output(html, site, options))


def render(site: Site, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """The text in a ``<pre>``."""
    html = f"<pre>{escape_text(source)}</pre>"
    return ParserOutput(html=wrap_output(html, site, options))


DECLARATIONS = (ContentModel("text", ("text/plain",), render),)
