"""Facts of a rendering that are given as HTML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.title.namespaces import CATEGORY
from wikiapi.wikitext.html.entities import escape_attribute, escape_text
from wikiapi.wikitext.report import limit_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.site import Site
    from wikiapi.title.title import Title
    from wikiapi.wikitext.output import ParserOutput

_ONE_PARAGRAPH = re.compile(r"<p>(.*)\n?</p>\n?\Z", re.DOTALL)


def without_paragraph(html: str) -> str:
    """The HTML without the paragraph that is around all of it."""
    match = _ONE_PARAGRAPH.match(html)
    return match[1].rstrip("\n") if match and "<p>" not in match[1] else html


def categories_html(site: Site, flags: Mapping[str, Mapping[str, bool]]) -> str:
    """The box that lists a page's categories, hidden ones apart."""
    shown = [_category(site, name, flag) for name, flag in flags.items() if not flag.get("hidden")]
    hidden = [_category(site, name, flag) for name, flag in flags.items() if flag.get("hidden")]
    css = "" if shown else " catlinks-allhidden"
    return (
        f'<div id="catlinks" class="catlinks{css}" data-mw="interface">'
        f"{_shown(site, shown)}{_hidden(hidden)}</div>"
    )


def _shown(site: Site, items: list[str]) -> str:
    if not items:
        return ""
    path = escape_attribute(site.config.site.article_path.replace("$1", "Special:Categories"))
    label = "Category" if len(items) == 1 else "Categories"
    return (
        '<div id="mw-normal-catlinks" class="mw-normal-catlinks">'
        f'<a href="{path}" title="Special:Categories">{label}</a>: <ul>{"".join(items)}</ul></div>'
    )


def _hidden(items: list[str]) -> str:
    if not items:
        return ""
    label = "Hidden category" if len(items) == 1 else "Hidden categories"
    return (
        '<div id="mw-hidden-catlinks" class="mw-hidden-catlinks mw-hidden-cats-hidden">'
        f"{label}: <ul>{''.join(items)}</ul></div>"
    )


def _category(site: Site, name: str, flags: Mapping[str, bool]) -> str:
    title = site.titles.make(CATEGORY, name)
    return f"<li>{_link(site, title, missing=bool(flags.get('missing')))}</li>"


def _link(site: Site, title: Title, *, missing: bool) -> str:
    text, tip = escape_text(title.text), title.prefixed_text
    if not missing:
        href = escape_attribute(site.page_path(title))
        return f'<a href="{href}" title="{escape_attribute(tip)}">{text}</a>'
    url = site.page_url(title, "action=edit&redlink=1").removeprefix(site.config.site.server)
    tip = escape_attribute(f"{tip} (page does not exist)")
    return f'<a href="{escape_attribute(url)}" class="new" title="{tip}">{text}</a>'


def limits_html(output: ParserOutput) -> str:
    """The limit report as a table."""
    rows = "".join(
        f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in limit_rows(output)
    )
    return (
        '<div class="mw-limitReportExplanation"><p>Parser profiling data:\n</p></div>'
        '<div class="preview-limit-report-wrapper">'
        f'<table class="preview-limit-report wikitable"><tbody>{rows}</tbody></table></div>'
    )
