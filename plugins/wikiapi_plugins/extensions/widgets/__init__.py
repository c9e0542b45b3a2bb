"""Widgets: ``{{#widget:Name|...}}`` shows the widget if it is plain HTML, and a note otherwise.

Widgets are pages ``Widget:Name`` with HTML and scripts by the wiki's administrators. Scripts are
not run here, nor is anything framed or loaded from other sites. A widget is plain if it has only
elements and attributes that wikitext may have, links, and variables of its template.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.title import MAIN
from wikiapi.wikitext import (
    Expansion,
    FunctionCall,
    ParserFunction,
    encode_attributes,
    escape_all,
    escape_attribute,
    sanitize_tags,
)
from wikiapi_plugins.extensions import BundledExtension

FOLDER = Path(__file__).parent

_STYLES = "ext.widgets.styles"
_LONGEST = 300
_NAMESPACE = "Widget"


def widget(call: FunctionCall) -> str | Expansion:
    """Return a widget, or a note that names it with its parameters in the tooltip."""
    name = call.first[:_LONGEST]
    if not name:
        return ""
    title = call.site.titles.try_parse(f"{_NAMESPACE}:{name}", MAIN)
    if title is None or title.interwiki or title.namespace.canonical != _NAMESPACE:
        source = ""
    else:
        page = call.state.templates.find(title, call.frame)[1]
        source = page.text if page is not None else ""
    pairs = (argument.partition("=") for argument in call.args[1:])
    values = {name.strip(): value.strip() for name, _, value in pairs}
    html = plain_html(source, values)
    if html:
        return Expansion(html, html=True)
    state = call.state
    state.output.module_styles.setdefault(_STYLES)
    text = escape_all(state.messages.text("widgets-placeholder", name))
    arguments = ", ".join(argument for argument in call.args[1:] if argument)[:_LONGEST]
    attributes = {"class": "widget-placeholder"} | ({"title": arguments} if arguments else {})
    return Expansion(f"<span{encode_attributes(attributes)}>{text}</span>", html=True)


_LARGEST = 20_000
_INCLUDED = re.compile(r"<includeonly>(.*?)(?:</includeonly>|\Z)", re.DOTALL)
_EXCLUDED = re.compile(r"<noinclude>.*?(?:</noinclude>|\Z)", re.DOTALL)
_REMARK = re.compile(r"<!--\{\*.*?(\*\}-->|\Z)", re.DOTALL)
_VARIABLE = re.compile(
    r"<!--\{\s*+\$(\w++)\s*+"
    r"(?:\|\s*+default\s*+:\s*+(?:'([^'{}<>]*+)'|\"([^\"{}<>]*+)\"|([\w.]++))\s*+)?"
    r"(?:\|\s*+(?:escape|validate)\s*+(?::\s*+['\"]?\w++['\"]?\s*+)?)*+\}-->"
)
_SMARTY = "<!--{"
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ACTIVE = re.compile(
    r"<\s*+(?:/\s*+)?(?:script|style|img|link|meta)\b|[\s\"'/]on[a-z]++\s*+=|(?:java|vb)script:",
    re.IGNORECASE,
)
_LINKS = frozenset({"a"})
_ESCAPED = re.compile("&[lg]t;")


def plain_html(source: str, values: Mapping[str, str]) -> str:
    """Return the HTML of a widget with its values; empty if it is not plain.

    Values are always escaped, whether or not the widget asks for that.
    """
    if not source or len(source) > _LARGEST:
        return ""
    text = "".join(_INCLUDED.findall(source)) or _EXCLUDED.sub("", source)
    text = _REMARK.sub(lambda match: "" if match[1] else match[0], text)
    template = _VARIABLE.sub("", text)
    if _SMARTY in template or _ACTIVE.search(_COMMENT.sub("", template)):
        return ""

    def value(match: re.Match[str]) -> str:
        default = next(filter(None, match.groups()[1:]), "")
        return escape_attribute(values.get(match[1], "") or default)

    html = _COMMENT.sub("", _VARIABLE.sub(value, text))
    safe = sanitize_tags(html, _LINKS)
    # The sanitiser escapes tags that are not allowed.
    if len(_ESCAPED.findall(safe)) != len(_ESCAPED.findall(html)):
        return ""
    return (LexborHTMLParser(safe, is_fragment=True).html or "").strip()


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "Widgets",
            description="Widgets of plain HTML, and notes in place of others",
            functions=(ParserFunction("#widget", widget),),
            messages=FOLDER / "messages",
            resources=lambda: read_modules(FOLDER / "resources"),
        ),
    )
