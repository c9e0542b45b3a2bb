"""``{{DISPLAYTITLE:text}}`` and ``{{DEFAULTSORT:text}}``."""

from __future__ import annotations

import re

from wikiapi.title import decode_references
from wikiapi.wikitext import FunctionCall, ParserFunction
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.html.entities import normalise_references
from wikiapi.wikitext.html.sanitizer import sanitize_tags
from wikiapi.wikitext.inline.quotes import format_quotes
from wikiapi.wikitext.output import DEFAULT_SORT

_TAGS = re.compile(r"<[^<>]*>")
_NOT_IN_TITLES = re.compile(
    r"<(/?)(?:h[1-6]|div|blockquote|ol|ul|li|hr|table|tr|th|td|dl|dd|dt|caption|p|ruby|rb|rt|rtc|rp|"
    r"br)\b([^<>]*)>",
    re.IGNORECASE,
)
_HIDING = re.compile(r"(?:display|user-select|visibility)\s*:", re.IGNORECASE)
_REJECTED = "/* attempt to bypass $wgRestrictDisplayTitle */"
"""MediaWiki's replacement for a style that would hide text."""
_STYLE = re.compile(r'style="([^"]*)"')


def displaytitle(call: FunctionCall) -> str:
    """Set the display title if it is equivalent to the page's name; otherwise add a warning."""
    state = call.state
    text = format_quotes(StripState.kill(call.first))
    html = normalise_references(sanitize_tags(_NOT_IN_TITLES.sub(r"&lt;\1\2&gt;", text)))
    html = _STYLE.sub(_shown_style, html)
    title = state.site.titles.try_parse(decode_references(_TAGS.sub("", html)))
    if title is None or title.without_fragment().key != state.title.key:
        state.notices.add_tracking_category("restricted-displaytitle-ignored")
        state.notices.warn("restricted-displaytitle", _TAGS.sub("", html))
        return ""
    old = state.output.title_html
    if old and old != html and call.arg(1).lower() not in ("noerror", "noreplace"):
        state.notices.warn("duplicate-displaytitle", old, html)
    if not (old and call.arg(1).lower() == "noreplace"):
        state.output.title_html = html
        state.output.properties["displaytitle"] = html
    return ""


def _shown_style(match: re.Match[str]) -> str:
    """Return a style attribute, replaced if it could hide the title."""
    return f'style="{_REJECTED}"' if _HIDING.search(match[1]) else match[0]


_NO_ERROR = "noerror"
_NO_REPLACE = "noreplace"


def defaultsort(call: FunctionCall) -> str:
    """Set the default sort key. Return an error if another one was set before."""
    state, key, option = call.state, call.first, call.arg(1).lower()
    old = state.default_sort
    if not key or (old is not None and option == _NO_REPLACE):
        return ""
    state.default_sort = key
    state.output.properties[DEFAULT_SORT] = key
    if old is None or old == key or option in (_NO_ERROR, _NO_REPLACE):
        return ""
    state.notices.warn("duplicate-defaultsort", old, key)
    return state.messages.error("duplicate-defaultsort", old, key)


DECLARATIONS = (
    ParserFunction("DISPLAYTITLE", displaytitle, case_sensitive=True),
    ParserFunction(
        "DEFAULTSORT",
        defaultsort,
        ("DEFAULTSORTKEY", "DEFAULTCATEGORYSORT"),
        case_sensitive=True,
    ),
)
