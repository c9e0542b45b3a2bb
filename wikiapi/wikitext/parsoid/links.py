"""Links: what each is, said in ``rel``, and where it leads, as a full address."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from wikiapi.site import Site
from wikiapi.title.namespaces import FILE, MAIN
from wikiapi.title.title import Title
from wikiapi.wikitext.media.holders import FoundFiles

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


_AUTONUMBER = "autonumber"


def mark_link(node: LexborNode, site: Site) -> None:
    """Say in ``rel`` what kind of link an ``a`` element is."""
    css = (node.attributes.get("class") or "").split()
    if "external" in css:
        _external(node, css)
    elif "extiw" in css:
        node.attrs["rel"] = "mw:WikiLink/Interwiki"
    elif "mw-selflink" in css:
        node.attrs["rel"] = "mw:WikiLink"
    else:
        _internal(node, css, site)


def linked_title(href: str, site: Site) -> Title | None:
    """The page of this wiki that a local address leads to."""
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


def _external(node: LexborNode, css: list[str]) -> None:
    node.attrs["rel"] = " ".join(["mw:ExtLink", *(node.attributes.get("rel") or "").split()])
    if _AUTONUMBER in css:
        # A style sheet counts them: the number is not part of the document.
        node.inner_html = ""


def _internal(node: LexborNode, css: list[str], site: Site) -> None:
    href = node.attributes.get("href") or ""
    title = linked_title(href, site)
    if title is None:
        return
    if "mw-file-description" not in css:
        node.attrs["rel"] = "mw:WikiLink"
    if "new" in css:
        _red(node, title, site)
    else:
        node.attrs["href"] = site.config.site.server + href


def _red(node: LexborNode, title: Title, site: Site) -> None:
    """A link to a page that does not exist: its tooltip is a message of the interface."""
    url = site.page_url(title)
    node.attrs["href"] = f"{url}{'&' if '?' in url else '?'}action=edit&redlink=1"
    node.attrs["typeof"] = "mw:LocalizedAttrs"
    tip = {"lang": "x-page", "key": "red-link-title", "params": [title.prefixed_text]}
    node.attrs["data-mw-i18n"] = json.dumps(
        {"title": tip}, ensure_ascii=False, separators=(",", ":")
    )


def mark_picture(node: LexborNode, site: Site, files: FoundFiles) -> None:
    """Add attributes about the file of an ``img`` element, which its link or itself names."""
    title = _file_of(node, site)
    if title is None:
        return
    node.attrs["resource"] = site.page_url(title)
    file = files.file(title)
    if file is not None:
        version = file.current
        node.attrs["data-file-width"] = str(version.dimensions.width)
        node.attrs["data-file-height"] = str(version.dimensions.height)
        node.attrs["data-file-type"] = version.media_type.lower()


def _file_of(node: LexborNode, site: Site) -> Title | None:
    href = (node.attributes.get("resource") or _description(node)).removeprefix(
        site.config.site.server
    )
    title = linked_title(href, site) if href else None
    return title if title and title.ns == FILE else None


def _description(node: LexborNode) -> str:
    link = node.parent
    if link is None or "mw-file-description" not in (link.attributes.get("class") or "").split():
        return ""
    return link.attributes.get("href") or ""
