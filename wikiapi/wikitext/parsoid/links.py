"""Attributes of links and pictures: types of links in ``rel``, and full URLs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, unquote, urlsplit

from wikiapi.title.namespaces import FILE, MAIN, SPECIAL
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.media.holders import PageFiles
from wikiapi.wikitext.parsoid.elements import interwiki_href

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


_AUTONUMBER = "autonumber"


def mark_link(node: LexborNode, site: Wiki) -> None:
    """Set ``rel`` and ``href`` of an ``a`` element according to the type of link."""
    css = (node.attributes.get("class") or "").split()
    if "external" in css:
        node.attrs["rel"] = " ".join(["mw:ExtLink", *(node.attributes.get("rel") or "").split()])
        if _AUTONUMBER in css:
            # In Parsoid's HTML, a style sheet adds the number.
            node.inner_html = ""
    elif "extiw" in css:
        node.attrs["rel"] = "mw:WikiLink/Interwiki"
        title = site.titles.try_parse(node.attributes.get("title") or "")
        if title is not None and title.interwiki:
            _, hash_sign, fragment = (node.attributes.get("href") or "").partition("#")
            node.attrs["href"] = f"{interwiki_href(title, site)}{hash_sign}{fragment}"
    elif "mw-selflink" in css or "mw-selflink-fragment" in css:
        node.attrs["rel"] = "mw:WikiLink"
    else:
        _internal(node, css, site)


def linked_title(href: str, site: Wiki) -> Title | None:
    """Return the page of this wiki that a local URL leads to, or ``None``."""
    address = urlsplit(href)
    if address.netloc:
        return None
    before, _, after = site.config.site.article_path.partition("$1")
    name = address.path
    if address.path == f"{site.config.site.script_path}/index.php":
        name = (parse_qs(address.query).get("title") or [""])[0]
    elif name.startswith(before) and name.endswith(after):
        name = unquote(name[len(before) : len(name) - len(after)])
    else:
        return None
    return site.titles.try_parse(name, MAIN)


def _internal(node: LexborNode, css: list[str], site: Wiki) -> None:
    href = node.attributes.get("href") or ""
    title = linked_title(href, site)
    if title is None:
        return
    if name := parse_qs(urlsplit(href).query).get("wpDestFile"):
        # The file is missing, which leads to where it would be.
        node.attrs["href"] = page_href(site.special_page(f"FilePath/{name[0]}"), site)
        return
    if "mw-file-description" not in css:
        node.attrs["rel"] = "mw:WikiLink"
    if "new" in css:
        # The page is missing; the tooltip is an interface message.
        url = page_href(title, site)
        node.attrs["href"] = f"{url}{'&' if '?' in url else '?'}action=edit&redlink=1"
        types = node.attributes.get("typeof")
        node.attrs["typeof"] = f"{types} mw:LocalizedAttrs" if types else "mw:LocalizedAttrs"
        tip = {"lang": "x-page", "key": "red-link-title", "params": [title.prefixed_text]}
        node.attrs["data-mw-i18n"] = json.dumps(
            {"title": tip}, ensure_ascii=False, separators=(",", ":")
        )
    elif title.ns == SPECIAL:
        node.attrs["href"] = site.config.site.server + href
    else:
        _, mark, fragment = href.partition("#")
        node.attrs["href"] = f"{page_href(title, site)}{mark}{fragment}"


_ENCODED = re.compile(r"[%? \[\]#|<>]")
"""Matches what Parsoid encodes in the name of a page."""


def page_href(title: Title, site: Wiki) -> str:
    """Return the address of a page, in which most characters are as in its name."""
    name = _ENCODED.sub(lambda match: quote(match[0]), title.prefixed_dbkey)
    path = site.config.site.article_path
    return f"{site.config.site.server}{path.replace('$1', name)}"


def mark_picture(node: LexborNode, site: Wiki, files: PageFiles) -> None:
    """Add attributes about the file of an ``img`` element.

    The element's ``resource`` or the link around it names the file.
    """
    href = (node.attributes.get("resource") or _description(node)).removeprefix(
        site.config.site.server
    )
    title = linked_title(href, site) if href else None
    title = title if title and title.ns == FILE else None
    if title is None:
        return
    node.attrs["resource"] = site.page_url(title)
    file = files.file(title)
    if file is not None:
        version = file.current
        node.attrs["data-file-width"] = str(version.dimensions.width)
        node.attrs["data-file-height"] = str(version.dimensions.height)
        node.attrs["data-file-type"] = version.media_type.lower()


def _description(node: LexborNode) -> str:
    link = node.parent
    if link is None or "mw-file-description" not in (link.attributes.get("class") or "").split():
        return ""
    return link.attributes.get("href") or ""
