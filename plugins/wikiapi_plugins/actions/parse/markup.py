"""The data about a rendering that is returned as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wikiapi.api import RequestContext
from wikiapi.languages import Message, MessageParam, Num, Plain, direction
from wikiapi.site import Site
from wikiapi.store.queries import pages
from wikiapi.title import CATEGORY, SPECIAL, Title
from wikiapi.wikitext import ParserOutput, escape_attribute, escape_text, report

_ONE_PARAGRAPH = re.compile(r"<p>(.*)\n?</p>\n?\Z", re.DOTALL)


def without_paragraph(html: str) -> str:
    """Return HTML without its enclosing paragraph, if it consists of a single one."""
    match = _ONE_PARAGRAPH.match(html)
    return match[1].rstrip("\n") if match and "<p>" not in match[1] else html


def categories_html(context: RequestContext, flags: Mapping[str, Mapping[str, bool]]) -> str:
    """Return the box with a page's categories; hidden categories are listed separately.

    Its labels are in the reader's language, and names of categories in the variant that is read.
    """
    site, language = context.site, context.language
    visible = [name for name, flag in flags.items() if not flag.get("hidden")]
    hidden = [name for name, flag in flags.items() if flag.get("hidden")]
    colon = _text(site, language, "colon-separator")
    boxes = ""
    if visible:
        name = site.messages.content_text("pagecategorieslink")
        page = site.titles.try_parse(name) or site.special_page("Categories")
        if page.ns == SPECIAL:
            page = site.special_page(page.text)
        path, title = escape_attribute(site.page_path(page)), escape_attribute(page.prefixed_text)
        label = _text(site, language, "pagecategories", Num(len(visible)))
        items = "".join(_category(context, name, flags[name]) for name in visible)
        boxes = (
            '<div id="mw-normal-catlinks" class="mw-normal-catlinks">'
            f'<a href="{path}" title="{title}">{label}</a>{colon}<ul>{items}</ul></div>'
        )
    if hidden:
        label = _text(site, language, "hidden-categories", Num(len(hidden)))
        items = "".join(_category(context, name, flags[name]) for name in hidden)
        boxes += (
            '<div id="mw-hidden-catlinks" class="mw-hidden-catlinks mw-hidden-cats-hidden">'
            f"{label}{colon}<ul>{items}</ul></div>"
        )
    css = "" if visible else " catlinks-allhidden"
    return f'<div id="catlinks" class="catlinks{css}" data-mw="interface">{boxes}</div>'


def _text(site: Site, language: str, key: str, *params: MessageParam) -> str:
    """Return a message as HTML without markup."""
    return escape_text(site.messages.text(Message(key, params), language))


def _category(context: RequestContext, name: str, flags: Mapping[str, bool]) -> str:
    site = context.site
    title, converter = site.titles.make(CATEGORY, name), site.parser.content_converter
    variant = converter.find(context.variant or context.language) if converter else None
    label = converter.convert(title.text, variant) if converter and variant else title.text
    text, tip = escape_text(label), title.prefixed_text
    if not flags.get("missing"):
        href = escape_attribute(site.page_path(title))
        return f'<li><a href="{href}" title="{escape_attribute(tip)}">{text}</a></li>'
    url = site.page_url(title, "action=edit&redlink=1").removeprefix(site.config.site.server)
    tip = escape_attribute(site.messages.content_text("red-link-title", Plain(tip)))
    return f'<li><a href="{escape_attribute(url)}" class="new" title="{tip}">{text}</a></li>'


def limits_html(output: ParserOutput) -> str:
    """Return the limit report as a table."""
    rows = "".join(
        f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in report.limit_rows(output)
    )
    return (
        '<div class="mw-limitReportExplanation"><p>Parser profiling data:\n</p></div>'
        '<div class="preview-limit-report-wrapper">'
        f'<table class="preview-limit-report wikitable"><tbody>{rows}</tbody></table></div>'
    )


def existing_ancestors(site: Site, title: Title) -> list[tuple[str, Title]]:
    """Return the existing parent pages of a subpage, with their names, topmost first.

    One query for a subpage.
    """
    if not title.namespace.subpages or "/" not in title.dbkey:
        return []
    parts = title.prefixed_text.split("/")
    names = ["/".join(parts[:length]) for length in range(1, len(parts))]
    ancestors = [(name, page) for name in names if (page := site.titles.try_parse(name))]
    stored = pages.existing(site.db, {page.key for _, page in ancestors})
    return [(name, page) for name, page in ancestors if page.key in stored]


def subtitle(site: Site, title: Title, language: str) -> str:
    """Return links to the existing parents of a subpage; empty for other pages. One query."""
    links: list[str] = []
    above = ""
    for name, page in existing_ancestors(site, title):
        href, tip = escape_attribute(site.page_path(page)), escape_attribute(page.prefixed_text)
        link = f'<a href="{href}" title="{tip}">{escape_text(name.removeprefix(above))}</a>'
        links.append(f'<bdi dir="{direction(language)}">{link}</bdi>')
        above = f"{name}/"
    return f'<div class="subpages">&lt; {" | ".join(links)}</div>' if links else ""
