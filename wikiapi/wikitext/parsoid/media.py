"""Pictures: the file's page, its full size and its kind, told on the ``img`` element."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.title.namespaces import FILE
from wikiapi.wikitext.parsoid.links import linked_title

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from wikiapi.title.title import Title
    from wikiapi.wikitext.state import ParseState


def mark_picture(node: LexborNode, state: ParseState) -> None:
    """Tell of the file of an ``img`` element, which its link or itself names."""
    title = _file_of(node, state)
    if title is None:
        return
    node.attrs["resource"] = state.site.page_url(title)
    file = state.file(title)
    if file is not None:
        version = file.current
        node.attrs["data-file-width"] = str(version.dimensions.width)
        node.attrs["data-file-height"] = str(version.dimensions.height)
        node.attrs["data-file-type"] = version.media_type.lower()


def _file_of(node: LexborNode, state: ParseState) -> Title | None:
    site = state.site
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
