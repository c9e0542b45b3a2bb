"""Links and their addresses in Parsoid's HTML: ``rel`` is the type of a link.

They are written by the stages that find them. What extensions write keeps its own form.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from wikiapi.title.fragments import USUAL, legacy_id
from wikiapi.title.namespaces import SPECIAL
from wikiapi.title.references import decode_references
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.html.attributes import encode_attribute, encode_attributes
from wikiapi.wikitext.inline.quotes import line_quotes
from wikiapi.wikitext.parsoid.attributes import as_json
from wikiapi.wikitext.parsoid.sources import local_href

WIKI_LINK = "mw:WikiLink"
INTERWIKI_LINK = "mw:WikiLink/Interwiki"
EXTERNAL_LINK = "mw:ExtLink"
MEDIA_LINK = "mw:MediaLink"
LOCALIZED = "mw:LocalizedAttrs"
"""Type of elements whose attributes are interface messages."""
_TAG = re.compile(r"<[^<>]*>")
_ENCODED = re.compile(r"[%? \[\]#|<>]")
_RED_LINK = "action=edit&redlink=1"
_FILE_PATH = "FilePath/"


_TIP = {"title": {"lang": "x-page", "key": "red-link-title", "params": [0]}}
_TIP_START, _TIP_END = as_json(_TIP).split("0")
"""The JSON before and after the name of a missing page."""


class PageAddresses:
    """The addresses of pages in the HTML of one page, in which most characters are as in names.

    They are full URLs where the page is viewed (``for_view``), otherwise relative: ``./Title``.
    """

    def __init__(self, site: Wiki, own: Title, *, for_view: bool) -> None:
        """Return addresses for the page ``own``."""
        self.site = site
        self.own = own
        self.for_view = for_view

    def page(self, title: Title) -> str:
        """Return the address of a page, or of a section."""
        if title.interwiki:
            return interwiki_href(title, "", self.site)
        if not title.dbkey:
            return self.section(title.fragment)
        if title.ns == SPECIAL and self.for_view:
            return self.site.page_url(title)
        return self.local(title) + _fragment(title)

    def local(self, title: Title) -> str:
        """Return the address of a page of this wiki, without a section."""
        href = local_href(title)
        if not self.for_view:
            return href
        settings = self.site.config.site
        path = settings.article_path.replace("$1", href.removeprefix("./"))
        return f"{settings.server}{path}"

    def section(self, fragment: str) -> str:
        """Return the address of an element of the page itself; empty for none."""
        if not fragment:
            return ""
        page = "" if self.for_view else local_href(self.own)
        return f"{page}#{USUAL.link(fragment)}"

    def missing_file(self, title: Title) -> str:
        """Return the address for a missing file: that of the special page that leads to files."""
        return self.local(self.site.titles.make(SPECIAL, _FILE_PATH + title.dbkey))


def _fragment(title: Title) -> str:
    return f"#{USUAL.link(title.fragment)}" if title.fragment else ""


def interwiki_href(title: Title, target: str, site: Wiki) -> str:
    """Return the URL of a page of another wiki; ``target`` is how the page's source spells it.

    That may contain underscores, for which the title has spaces.
    """
    entry = site.interwiki.get(title.interwiki)
    if entry is None:
        return ""
    name = decode_references(target.removeprefix(":").partition(":")[2].partition("#")[0])
    name = name.strip(" _")
    if name.replace("_", " ") != title.text:
        name = title.text
    encode = USUAL.link if entry.local else legacy_id
    fragment = f"#{encode(title.fragment)}" if title.fragment else ""
    encoded = _ENCODED.sub(lambda match: quote(match[0]), name)
    return entry.url.replace("$1", encoded) + fragment


def page_link(title: Title, label: str, css: str, addresses: PageAddresses) -> str:
    """Return a link to an existing page, with classes that depend on the page."""
    attributes = {
        "rel": WIKI_LINK,
        "href": addresses.page(title),
        "class": css,
        "title": title.prefixed_text,
    }
    return _anchor(attributes, label)


def red_link(title: Title, label: str, tip: str, addresses: PageAddresses) -> str:
    """Return a link to edit a missing page. The tooltip is an interface message, as wikitext.

    Before the page is viewed, it is the name of the page.
    """
    is_special = title.ns == SPECIAL and addresses.for_view
    url = addresses.site.page_url(title) if is_special else addresses.local(title)
    href = f"{url}{'&' if '?' in url else '?'}{_RED_LINK}{_fragment(title)}"
    name = title.prefixed_text
    text = name
    if addresses.for_view:
        text = _TAG.sub("", line_quotes(tip)) if "'" in tip or "<" in tip else tip
    # Links to missing pages are frequent. Encoding JSON, and the quotes in it, makes most of their
    # cost.
    param = as_json(name) if '"' in name or "\\" in name else f'"{name}"'
    param = param.replace("&", "&amp;").replace("'", "&#39;")
    return (
        f'<a rel="{WIKI_LINK}" href="{encode_attribute(href)}" class="new"'
        f' title="{encode_attribute(text)}" typeof="{LOCALIZED}"'
        f" data-mw-i18n='{_TIP_START}{param}{_TIP_END}'>"
        f"{label}</a>"
    )


def own_link(title: Title, label: str, addresses: PageAddresses) -> str:
    """Return a link to the page itself, or to a section of it."""
    is_section = bool(title.fragment)
    attributes = {
        "rel": WIKI_LINK,
        "class": "mw-selflink-fragment" if is_section else "mw-selflink selflink",
        "href": addresses.section(title.fragment) if is_section else addresses.page(title),
    }
    if not addresses.for_view:
        attributes["class"] = ""
        attributes["title"] = title.prefixed_text
    return _anchor(attributes, label)


def interwiki_link(title: Title, target: str, label: str, site: Wiki) -> str:
    """Return a link to a page of another wiki; ``target`` is how the source spells it."""
    attributes = {
        "rel": INTERWIKI_LINK,
        "href": interwiki_href(title, target, site),
        "class": "extiw",
        "title": title.prefixed_text,
    }
    return _anchor(attributes, label)


def _anchor(attributes: dict[str, str], label: str) -> str:
    written = {name: value for name, value in attributes.items() if value}
    return f"<a{encode_attributes(written)}>{label}</a>"
