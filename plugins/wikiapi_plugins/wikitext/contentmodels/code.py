"""Style sheets, scripts, modules and plain text: their source.

Style sheets and scripts are read as wikitext as well, for what they link to: that is how a script
that is copied from page to page finds its users.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from wikiapi.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext import ContentModel, Parser, ParserOptions, ParserOutput, Target, escape_text
from wikiapi.wikitext.html.container import wrap_output
from wikiapi_plugins.highlighting.highlighter import source_page

# MediaWiki writes them so when such a page is moved, and takes nothing else for a redirect.

_MARK = "/* #REDIRECT */"
_BEFORE_TITLE = rf"{re.escape(_MARK)}[^?]*+\?title="
_STYLE_TITLE = re.compile(rf"{_BEFORE_TITLE}([^&\s]*+)&action=raw")
_SCRIPT_TITLE = re.compile(rf"{_BEFORE_TITLE}([^&\s\\]*+)\\u0026action=raw")
_SCHEME = re.compile("^https?:")


def style_redirect(site: Wiki, source: str) -> Title | None:
    """Return the style sheet that a style sheet imports in place of its own content."""
    title = _named(site, _STYLE_TITLE.match(source))
    return title if title and source == redirecting_style(site, title) else None


def redirecting_style(site: Wiki, title: Title) -> str:
    """Return a style sheet that imports another one and nothing else."""
    return f"{_MARK}@import url({_raw(site, title, 'css')});"


def script_redirect(site: Wiki, source: str) -> Title | None:
    """Return the script that a script loads in place of its own content."""
    title = _named(site, _SCRIPT_TITLE.match(source))
    return title if title and source == redirecting_script(site, title) else None


def redirecting_script(site: Wiki, title: Title) -> str:
    """Return a script that loads another one and does nothing else."""
    address = _raw(site, title, "javascript").replace("&", "\\u0026")
    return f'{_MARK}mw.loader.load("{address}");'


def _named(site: Wiki, match: re.Match[str] | None) -> Title | None:
    return site.titles.try_parse(unquote(match[1])) if match else None


def _raw(site: Wiki, title: Title, kind: str) -> str:
    """Return the address of the source of a page, which depends on the paths of the reader."""
    return _SCHEME.sub("", site.page_url(title, f"action=raw&ctype=text/{kind}"))


@dataclass(frozen=True, slots=True)
class Code:
    """A language of source; ``links`` says whether a text of it is read for links."""

    language: str
    css: str
    links: bool = False

    def render(
        self, parser: Parser, source: str, title: Title, options: ParserOptions
    ) -> ParserOutput:
        """Return the source, highlighted if the plugin for that is enabled."""
        output = parser.parse(source, title, options) if self.links else ParserOutput()
        if options.target is Target.HTML:
            self._show(source, parser, options, output)
        return output

    def _show(
        self, source: str, parser: Parser, options: ParserOptions, output: ParserOutput
    ) -> None:
        coloured = source_page(source, self.language, parser, output)
        if coloured is None:
            output.html = preformatted(source, self.css, parser.site, options).html
            return
        # What looks like headings in the source is none.
        output.sections, output.has_no_sections = [], True
        output.html = wrap_output(coloured, parser.site, options)


def preformatted(source: str, css: str, site: Wiki, options: ParserOptions) -> ParserOutput:
    """Return the text in ``<pre>``, without any markup."""
    html = f'<pre class="{css}" dir="ltr">\n{escape_text(source)}\n</pre>'
    return ParserOutput(html=wrap_output(html, site, options))


def render(parser: Parser, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """Return the text in a ``<pre>``."""
    html = f"<pre>{escape_text(source)}</pre>"
    return ParserOutput(html=wrap_output(html, parser.site, options))


DECLARATIONS = (
    ContentModel(
        "css",
        ("text/css",),
        Code("css", "mw-code mw-css", links=True).render,
        redirect_target=style_redirect,
        redirect_text=redirecting_style,
    ),
    ContentModel(
        "javascript",
        ("text/javascript",),
        Code("javascript", "mw-code mw-js", links=True).render,
        redirect_target=script_redirect,
        redirect_text=redirecting_script,
    ),
    ContentModel("text", ("text/plain",), render),
    ContentModel("vue", ("application/vue+xml",), Code("vue", "mw-code mw-vue").render),
)
