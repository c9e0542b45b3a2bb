"""The HTML page around an answer in HTML form."""

from __future__ import annotations

import html
import re

from wikiapi_plugins.shared.resources.look import LOOK

TITLE = "API result"
STYLE = f"""
{LOOK}
body {{ margin: 0; font: 16px/1.5 var(--sans); color: var(--ink); background: var(--ground); }}
header, pre {{ padding: 1em 1.5em; }}
header {{ background: var(--paper); border-bottom: 1px solid var(--line); }}
h1 {{ margin: 0; font: 600 1.4em var(--serif); }}
p {{ margin: .5em 0 0; max-width: 50em; }}
pre {{ margin: 0; font: 14px/1.45 var(--mono); white-space: pre-wrap;
      overflow-wrap: anywhere; tab-size: 4; }}
a {{ color: var(--link); }}
a:visited {{ color: var(--visited); }}
"""

# All inserted text must be escaped, so that an answer cannot contain markup.
_PAGE = """\
<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex, nofollow">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{content}
</body>
</html>
"""
_CONTENT = """\
<header>
<h1>{title}</h1>
<p>This is {label} shown as HTML. The HTML form is meant for debugging and is unsuitable for \
application use. Set the parameter <code>format</code> to change the form of the output: \
{plain} returns the plain {label} form.</p>
</header>
<main><pre>{text}</pre></main>"""

_URL = re.compile(r"""https?://(?:(?!&[gl]t;)[^\s"'<>\\^`{|}\[\]])+""")
_SENTENCE_END = ".,;:!?)"


def page(content: str) -> str:
    """Return the whole document; ``content`` is HTML."""
    return _PAGE.format(title=TITLE, style=STYLE, content=content)


def content(text: str, label: str, plain_name: str, plain_query: str | None) -> str:
    """Return the content of the page.

    Args:
        text: the serialised answer.
        label: the name of the format.
        plain_name: the value of ``format`` for the plain form.
        plain_query: the query string of the same request in plain form, or ``None``.
    """
    setting = f"<code>format={html.escape(plain_name)}</code>"
    if plain_query is not None:
        setting = f'<a href="?{html.escape(plain_query)}">{setting}</a>'
    return _CONTENT.format(
        title=TITLE, label=html.escape(label), plain=setting, text=with_links(text)
    )


def with_links(text: str) -> str:
    """Return a text as HTML in which URLs are links."""
    parts: list[str] = []
    end = 0
    for match in _URL.finditer(text):
        url = match[0].rstrip(_SENTENCE_END)
        parts += (html.escape(text[end : match.start()], quote=False), _link(url))
        end = match.start() + len(url)
    parts.append(html.escape(text[end:], quote=False))
    return "".join(parts)


def _link(url: str) -> str:
    escaped = html.escape(url)
    return f'<a rel="nofollow noreferrer" href="{escaped}">{escaped}</a>'
