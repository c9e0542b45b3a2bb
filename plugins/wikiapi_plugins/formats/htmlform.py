"""The HTML form of formats (``jsonfm``, ``xmlfm``...), for people to read. It is the default."""

from __future__ import annotations

import html
import json
import re
from typing import Any, cast
from urllib.parse import urlencode

from wikiapi.api import Format, Rendered, boolean
from wikiapi_plugins.formats.dataformat import DataFormat, disposition, to_bytes
from wikiapi_plugins.shared.resources.look import LOOK, own_style_policy

_SUFFIX = "fm"
_WRAPPED_TYPE = "text/mediawiki-api-prettyprint-wrapped"
_WRAPPED = boolean("wrappedhtml", "Return the HTML within a JSON object, as ApiSandbox wants it.")


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


class HtmlForm(DataFormat):
    """A mixin that shows the output of a format as HTML.

    It must precede the class of the format in the bases of a class.
    """

    def render(self, root: Any) -> Rendered:
        """Return the answer as an HTML page or, if requested, as HTML in a JSON object."""
        text = self.serialize(root, pretty=True)
        plain_name = self.plain_name or self.name.removesuffix(_SUFFIX)
        request = self.context.request
        if request.is_posted or not request.params:
            plain_query = None
        else:
            plain_query = urlencode(
                {**request.params, "format": plain_name}, errors="surrogateescape"
            )
        setting = f"<code>format={html.escape(plain_name)}</code>"
        if plain_query is not None:
            setting = f'<a href="?{html.escape(plain_query)}">{setting}</a>'
        content = _CONTENT.format(
            title=TITLE, label=html.escape(self.label), plain=setting, text=with_links(text)
        )
        if self.p["wrappedhtml"]:
            elapsed = self.site.clock() - self.context.now
            wrapped: dict[str, object] = {
                "status": 200,
                "statustext": "OK",
                "html": content,
                "modules": [],
                "continue": root.get("continue") if isinstance(root, dict) else None,
                "time": round(elapsed.total_seconds() * 1000),
            }
            body = to_bytes(json.dumps(wrapped, ensure_ascii=False, separators=(",", ":")))
            headers = [disposition("json", "api-result-wrapped")]
            return Rendered(body, f"{_WRAPPED_TYPE}; charset=utf-8", headers)
        headers = [disposition("html"), ("Content-Security-Policy", own_style_policy(STYLE))]
        document = _PAGE.format(title=TITLE, style=STYLE, content=content)
        return Rendered(to_bytes(document), "text/html; charset=utf-8", headers)

    def stream(self, root: Any) -> None:
        """Return ``None``, since the HTML form is not streamed."""


def with_links(text: str) -> str:
    """Return a text as HTML in which URLs are links."""
    parts: list[str] = []
    end = 0
    for match in _URL.finditer(text):
        url = match[0].rstrip(_SENTENCE_END)
        before, address = html.escape(text[end : match.start()], quote=False), html.escape(url)
        parts += (before, f'<a rel="nofollow noreferrer" href="{address}">{address}</a>')
        end = match.start() + len(url)
    parts.append(html.escape(text[end:], quote=False))
    return "".join(parts)


def with_html_form(plain: type[DataFormat]) -> tuple[type[Format], type[Format]]:
    """Return a format and its HTML form, which has the same parameters and the suffix ``fm``."""
    attributes = {
        "__doc__": f"{plain.summary().removesuffix('.')} (shown in HTML for people to read).",
        "__module__": plain.__module__,
        "name": plain.name + _SUFFIX,
        "params": (_WRAPPED, *plain.params),
    }
    form = type(f"{plain.__name__}Html", (HtmlForm, plain), attributes)
    return plain, cast("type[Format]", form)
