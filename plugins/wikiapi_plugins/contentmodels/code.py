"""Style sheets, scripts and modules: their source."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ContentModel
from wikiapi_plugins.contentmodels.text import preformatted

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.title.title import Title
    from wikiapi.wikitext.options import ParserOptions
    from wikiapi.wikitext.output import ParserOutput


def _render(
    css: str, site: Site, source: str, title: Title, options: ParserOptions
) -> ParserOutput:
    return preformatted(source, css, site, options)


DECLARATIONS = (
    ContentModel("css", ("text/css",), partial(_render, "mw-code mw-css")),
    ContentModel("javascript", ("text/javascript",), partial(_render, "mw-code mw-js")),
    ContentModel("Scribunto", ("text/plain",), partial(_render, "mw-code mw-script")),
    ContentModel("sanitized-css", ("text/css",), partial(_render, "mw-code mw-css")),
)
