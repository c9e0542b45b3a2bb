"""``{{DISPLAYTITLE:text}}`` and ``{{DEFAULTSORT:text}}``."""

from __future__ import annotations

import re
from functools import partial

from wikiapi.site import Site
from wikiapi.title import decode_references
from wikiapi.wikitext import (
    DEFAULT_SORT,
    FunctionCall,
    ParserFunction,
    ParseState,
    StripState,
    escape_text,
    format_quotes,
    sanitize_tags,
    tidy,
)

_TAGS = re.compile(r"<[^<>]*>")
_TAG = re.compile(r"(<[^<>]*>)")
_NOT_IN_TITLES = re.compile(
    r"<(?=/?(?:h[1-6]|div|blockquote|ol|ul|li|hr|table|tr|th|td|dl|dd|dt|caption|p|ruby|rb|rt|rtc|"
    r"rp|br)\b)([^<>]*)>",
    re.IGNORECASE,
)
_HIDING = re.compile(r"(?:display|user-select|visibility)\s*:", re.IGNORECASE)
_REJECTED = "/* attempt to bypass $wgRestrictDisplayTitle */"
"""MediaWiki's replacement for a style that would hide text."""
_STYLE = re.compile(r'style="([^"]*)"')


_NO_REPLACE_OF_TITLE = "displaytitle_noreplace"
_OPTIONS_OF_TITLE = (_NO_REPLACE_OF_TITLE, "displaytitle_noerror")


def displaytitle(call: FunctionCall, *, restricted: bool) -> str:
    """Set the display title.

    With ``restricted``, it must be equivalent to the page's name; otherwise add a warning.
    """
    state = call.state
    text = format_quotes(StripState.kill(call.first))
    html = _sanitized(text, state)
    if restricted:
        html = _STYLE.sub(_shown_style, html)
        title = state.site.titles.try_parse(decode_references(_TAGS.sub("", html)))
        if title is None or title.fragment or title.key != state.title.key:
            state.notices.add_tracking_category("restricted-displaytitle-ignored")
            state.notices.warn("restricted-displaytitle", decode_references(html))
            return ""
    old = state.output.title_html
    option = call.site.magic_words.which(_OPTIONS_OF_TITLE, call.arg(1))
    if old and old != html and option is None:
        state.notices.warn("duplicate-displaytitle", old, html)
    if not (old and option == _NO_REPLACE_OF_TITLE):
        state.output.title_html = html
        state.output.properties["displaytitle"] = html
    return ""


def _sanitized(text: str, state: ParseState) -> str:
    """Return a title as HTML with safe tags for text, all closed, and few references."""
    safe = sanitize_tags(_NOT_IN_TITLES.sub(r"&lt;\1&gt;", text), fragments=state.fragments)
    pieces = _TAG.split(safe)
    pieces[::2] = [escape_text(decode_references(piece)) for piece in pieces[::2]]
    html = "".join(pieces).replace("\u00a0", "&#160;")
    if len(pieces) == 1:
        return html
    # Within a block, text needs no paragraph.
    return tidy(f"<div>{html}</div>").removeprefix("<div>").removesuffix("</div>")


def _shown_style(match: re.Match[str]) -> str:
    """Return a style attribute, replaced if it could hide the title."""
    return f'style="{_REJECTED}"' if _HIDING.search(match[1]) else match[0]


_NO_REPLACE = "defaultsort_noreplace"
_OPTIONS = (_NO_REPLACE, "defaultsort_noerror")


def defaultsort(call: FunctionCall) -> str:
    """Set the default sort key. Return an error if another one was set before."""
    state, key, old = call.state, call.first, call.state.default_sort
    option = call.site.magic_words.which(_OPTIONS, call.arg(1))
    if not key or (old is not None and option == _NO_REPLACE):
        return ""
    state.default_sort = key
    state.output.properties[DEFAULT_SORT] = key
    if old is None or old == key or option is not None:
        return ""
    state.notices.warn("duplicate-defaultsort", old, key)
    return state.messages.error("duplicate-defaultsort", old, key)


def declarations(site: Site) -> tuple[ParserFunction, ...]:
    """Return the functions of a wiki; ``DISPLAYTITLE`` is one if its settings allow it."""
    sort = ParserFunction(
        "DEFAULTSORT", defaultsort, ("DEFAULTSORTKEY", "DEFAULTCATEGORYSORT"), case_sensitive=True
    )
    allowed = site.config.wikitext.display_title
    if allowed == "off":
        return (sort,)
    title = partial(displaytitle, restricted=allowed == "restricted")
    return ParserFunction("DISPLAYTITLE", title, case_sensitive=True), sort
