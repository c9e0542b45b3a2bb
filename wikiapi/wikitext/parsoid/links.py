"""Links and their addresses in Parsoid's HTML: ``rel`` is the type of a link, ``href`` a full URL.

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
from wikiapi.wikitext.html.attributes import encode_attributes
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


def page_href(title: Title, site: Wiki) -> str:
    """Return the full URL of a page, in which most characters are as in its name."""
    if title.interwiki:
        return interwiki_href(title, "", site)
    if not title.dbkey:
        return _fragment(title)
    if title.ns == SPECIAL:
        return site.page_url(title)
    return _local_url(title, site) + _fragment(title)


def _fragment(title: Title) -> str:
    return f"#{USUAL.link(title.fragment)}" if title.fragment else ""


def _local_url(title: Title, site: Wiki) -> str:
    name = local_href(title).removeprefix("./")
    return f"{site.config.site.server}{site.config.site.article_path.replace('$1', name)}"


def missing_file_href(title: Title, site: Wiki) -> str:
    """Return the URL for a missing file: that of the special page that leads to files."""
    return _local_url(site.titles.make(SPECIAL, _FILE_PATH + title.dbkey), site)


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


def page_link(title: Title, label: str, css: str, site: Wiki) -> str:
    """Return a link to an existing page, with classes that depend on the page."""
    attributes = {
        "rel": WIKI_LINK,
        "href": page_href(title, site),
        "class": css,
        "title": title.prefixed_text,
    }
    return _anchor(attributes, label)


def red_link(title: Title, label: str, tip: str, site: Wiki) -> str:
    """Return a link to edit a missing page. The tooltip is an interface message, as wikitext."""
    url = site.page_url(title) if title.ns == SPECIAL else _local_url(title, site)
    data = {"title": {"lang": "x-page", "key": "red-link-title", "params": [title.prefixed_text]}}
    attributes = {
        "rel": WIKI_LINK,
        "href": f"{url}{'&' if '?' in url else '?'}{_RED_LINK}{_fragment(title)}",
        "class": "new",
        "title": _TAG.sub("", line_quotes(tip)),
        "typeof": LOCALIZED,
        "data-mw-i18n": as_json(data),
    }
    return _anchor(attributes, label)


def own_link(title: Title, label: str, site: Wiki) -> str:
    """Return a link to the page itself, or to a section of it."""
    is_section = bool(title.fragment)
    attributes = {
        "rel": WIKI_LINK,
        "class": "mw-selflink-fragment" if is_section else "mw-selflink selflink",
        "href": _fragment(title) if is_section else page_href(title, site),
    }
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
