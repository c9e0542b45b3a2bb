"""Content models of style sheets, scripts and plain text, whose source is shown.

Style sheets and scripts are also parsed as wikitext, to record their links. Authors of scripts use
that to find the pages that load them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from urllib.parse import unquote

from wikiapi.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext import (
    ContentModel,
    Parser,
    ParserOptions,
    ParserOutput,
    Target,
    escape_text,
    wrap_output,
)
from wikiapi_plugins.shared.highlighting.highlighter import source_page

# Redirects of style sheets and scripts. MediaWiki writes them in this form when such a page is
# moved, and recognises only this form.

_MARK = "/* #REDIRECT */"
_BEFORE_TITLE = rf"{re.escape(_MARK)}[^?]*+\?title="
_STYLE_TITLE = re.compile(rf"{_BEFORE_TITLE}([^&\s]*+)&action=raw")
_SCRIPT_TITLE = re.compile(rf"{_BEFORE_TITLE}([^&\s\\]*+)\\u0026action=raw")
_SCHEME = re.compile("https?://")


def style_redirect(site: Wiki, source: str) -> Title | None:
    """Return the style sheet that a redirect of this form imports, or ``None``."""
    title = _named(site, _STYLE_TITLE.match(source))
    return title if title and _is_redirect(source, redirecting_style(site, title)) else None


def redirecting_style(site: Wiki, title: Title) -> str:
    """Return a style sheet that only imports another one."""
    return f"{_MARK}@import url({_raw(site, title, 'css')});"


def script_redirect(site: Wiki, source: str) -> Title | None:
    """Return the script that a redirect of this form loads, or ``None``."""
    title = _named(site, _SCRIPT_TITLE.match(source))
    return title if title and _is_redirect(source, redirecting_script(site, title)) else None


def redirecting_script(site: Wiki, title: Title) -> str:
    """Return a script that only loads another one."""
    address = _raw(site, title, "javascript").replace("&", "\\u0026")
    return f'{_MARK}mw.loader.load("{address}");'


def _named(site: Wiki, match: re.Match[str] | None) -> Title | None:
    return site.titles.try_parse(unquote(match[1])) if match else None


def _raw(site: Wiki, title: Title, kind: str) -> str:
    """Return the URL of the source of a page."""
    return site.page_url(title, f"action=raw&ctype=text/{kind}")


def _is_redirect(source: str, redirect: str) -> bool:
    """Return whether a source is the text of a redirect, whose URL may lack the scheme."""
    return source in (redirect, _SCHEME.sub("//", redirect, 1))


@dataclass(frozen=True, slots=True)
class Code:
    """A programming language; ``links`` says whether links in the source are recorded."""

    language: str
    css: str
    links: bool = False

    def render(
        self, parser: Parser, source: str, title: Title, options: ParserOptions
    ) -> ParserOutput:
        """Return the source as HTML, highlighted if the plugin for that is enabled."""
        output = ParserOutput()
        if self.links:
            output = parser.parse(source, title, replace(options, reads_redirect=False))
        if options.target is Target.HTML:
            html = source_page(source, self.language, parser, output)
            if html is None:
                output.html = preformatted(source, self.css, parser.site, options).html
            else:
                # Parsing the source as wikitext may have found headings, which are not shown.
                output.sections, output.has_no_sections = [], True
                output.html = wrap_output(html, parser.site, options)
        return output


def preformatted(source: str, css: str, site: Wiki, options: ParserOptions) -> ParserOutput:
    """Return the text in ``<pre>``, without any markup."""
    html = f'<pre class="{css}" dir="ltr">\n{escape_text(source)}\n</pre>'
    return ParserOutput(html=wrap_output(html, site, options))


def render(parser: Parser, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """Return plain text in a ``<pre>``."""
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
