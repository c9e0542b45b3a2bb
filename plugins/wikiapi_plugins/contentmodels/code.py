"""Style sheets, scripts and modules: their source.

Style sheets and scripts are read as wikitext as well, for what they link to: that is how a script
that is copied from page to page finds its users.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.wikitext.container import wrap_output
from wikiapi.wikitext.declarations import ContentModel
from wikiapi.wikitext.options import Target
from wikiapi.wikitext.output import ParserOutput
from wikiapi_plugins.contentmodels.coderedirects import script_redirect, style_redirect
from wikiapi_plugins.contentmodels.text import preformatted
from wikiapi_plugins.highlighting.colours import source_page

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.title.title import Title
    from wikiapi.wikitext.options import ParserOptions


@dataclass(frozen=True, slots=True)
class _Code:
    """A language of source; ``links`` says whether a text of it is read for links."""

    language: str
    css: str
    links: bool = False

    def render(self, site: Site, source: str, title: Title, options: ParserOptions) -> ParserOutput:
        """The source, in colours where the plugin for that is there."""
        output = site.parser.parse(source, title, options) if self.links else ParserOutput()
        if options.target is Target.HTML:
            self._show(source, site, options, output)
        return output

    def _show(self, source: str, site: Site, options: ParserOptions, output: ParserOutput) -> None:
        coloured = source_page(source, self.language, site, output)
        if coloured is None:
            output.html = preformatted(source, self.css, site, options).html
            return
        # What looks like headings in the source is none.
        output.sections, output.has_no_sections = [], True
        output.html = wrap_output(coloured, site, options)


DECLARATIONS = (
    ContentModel(
        "css",
        ("text/css",),
        _Code("css", "mw-code mw-css", links=True).render,
        redirect_target=style_redirect,
    ),
    ContentModel(
        "javascript",
        ("text/javascript",),
        _Code("javascript", "mw-code mw-js", links=True).render,
        redirect_target=script_redirect,
    ),
    ContentModel("sanitized-css", ("text/css",), _Code("css", "mw-code mw-css").render),
)
