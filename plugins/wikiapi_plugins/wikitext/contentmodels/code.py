"""Style sheets, scripts, modules and plain text: their source.

Style sheets and scripts are read as wikitext as well, for what they link to: that is how a script
that is copied from page to page finds its users.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from wikiapi.site import Site
from wikiapi.title import Title
from wikiapi.wikitext import ContentModel, ParserOptions, ParserOutput, Target, escape_text
from wikiapi.wikitext.html.container import wrap_output
from wikiapi_plugins.highlighting.colours import source_page

# MediaWiki writes them so when such a page is moved, and takes nothing else for a redirect.

_MARK = "/* #REDIRECT */"
_BEFORE_TITLE = rf"{re.escape(_MARK)}[^?]*+\?title="
_STYLE_TITLE = re.compile(rf"{_BEFORE_TITLE}([^&\s]*+)&action=raw")
_SCRIPT_TITLE = re.compile(rf"{_BEFORE_TITLE}([^&\s\\]*+)\\u0026action=raw")
_SCHEME = re.compile("^https?:")


def style_redirect(site: Site, source: str) -> Title | None:
    """The style sheet that one imports in place of its own."""
    title = _named(site, _STYLE_TITLE.match(source))
    if title is None:
        return None
    return title if source == f"{_MARK}@import url({_raw(site, title, 'css')});" else None


def script_redirect(site: Site, source: str) -> Title | None:
    """The script that one loads in place of its own."""
    title = _named(site, _SCRIPT_TITLE.match(source))
    if title is None:
        return None
    address = _raw(site, title, "javascript").replace("&", "\\u0026")
    return title if source == f'{_MARK}mw.loader.load("{address}");' else None


def _named(site: Site, match: re.Match[str] | None) -> Title | None:
    return site.titles.try_parse(unquote(match[1])) if match else None


def _raw(site: Site, title: Title, kind: str) -> str:
    """Where the source of a page lies, whichever scheme the reader uses."""
    return _SCHEME.sub("", site.page_url(title, f"action=raw&ctype=text/{kind}"))


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


def preformatted(source: str, css: str, site: Site, options: ParserOptions) -> ParserOutput:
    """The text in ``<pre>``, nothing of it read as markup."""
    html = f'<pre class="{css}" dir="ltr">\n{escape_text(source)}\n</pre>'
    return ParserOutput(html=wrap_output(html, site, options))


def render(site: Site, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """The text in a ``<pre>``."""
    html = f"<pre>{escape_text(source)}</pre>"
    return ParserOutput(html=wrap_output(html, site, options))


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
    ContentModel("text", ("text/plain",), render),
)
