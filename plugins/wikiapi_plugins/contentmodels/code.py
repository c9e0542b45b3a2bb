"""Style sheets, scripts and modules: their source.

Style sheets and scripts are read as wikitext as well, for what they link to: that is how a script
that is copied from page to page finds its users.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ContentModel
from wikiapi.wikitext.options import Target
from wikiapi_plugins.contentmodels.text import preformatted

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.title.title import Title
    from wikiapi.wikitext.options import ParserOptions
    from wikiapi.wikitext.output import ParserOutput


def _source(
    css: str, site: Site, source: str, title: Title, options: ParserOptions
) -> ParserOutput:
    return preformatted(source, css, site, options)


def _linking_source(
    css: str, site: Site, source: str, title: Title, options: ParserOptions
) -> ParserOutput:
    output = site.parser.parse(source, title, options)
    if options.target is Target.HTML:
        output.html = preformatted(source, css, site, options).html
    return output


DECLARATIONS = (
    ContentModel("css", ("text/css",), partial(_linking_source, "mw-code mw-css")),
    ContentModel("javascript", ("text/javascript",), partial(_linking_source, "mw-code mw-js")),
    ContentModel("sanitized-css", ("text/css",), partial(_source, "mw-code mw-css")),
)
