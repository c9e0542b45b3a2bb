"""Placeholders for missing pictures.

Like MediaWiki, the parser replaces them by red links to an upload form, which are of no use to
readers. The reader shows a frame of the size of the picture instead, with its name or text.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from wikiapi.site import Site
from wikiapi.title import decode_references
from wikiapi_plugins.web.reader.files.filelocator import FileLocator

_BROKEN = "mw-broken-media"
_MISSING = frozenset({"new", "mw-redirect"})
"""The link to a missing file has one of these classes; that to an unsupported file has none."""
_CLASS = "no-picture"
_SMALL = 80
"""Frames that are narrower, in pixels, have no room for text."""
_LARGEST = 2_000
_SOURCE = re.compile(r'<img\b[^<>]*? src="([^"<>]++)"')


class PicturePlaceholders:
    """Replaces missing pictures in the pages of one wiki by frames."""

    def __init__(self, site: Site) -> None:
        """Use the configured URLs of files."""
        config = site.config.files
        self._locator = FileLocator(site) if config.folder else None
        url = config.url.rstrip("/")
        self._thumbnails = f"{config.thumbnail_url.rstrip('/') or f'{url}/thumb'}/"
        self._originals = f"{url}/"

    def insert_into(self, html: str) -> str:
        """Return HTML in which missing pictures are replaced by frames.

        They are links for files that do not exist, and pictures whose files are in the store but
        not in the upload folder: a dump lists files without containing them.
        """
        absent = self._absent(html)
        if _BROKEN not in html and not absent:
            return html
        tree = LexborHTMLParser(html, is_fragment=True)
        for label in tree.css(f"a > span.{_BROKEN}"):
            link = label.parent
            if link is not None and _MISSING.intersection(_classes(link)):
                _frame_link(link, label)
        for picture in tree.css("img.mw-file-element") if absent else ():
            if name := absent.get(picture.attributes.get("src") or ""):
                _frame_picture(tree, picture, name)
        return tree.html or ""

    def _absent(self, html: str) -> dict[str, str]:
        """Return the names of the wiki's own files that are not on disk, by URL."""
        if self._locator is None:
            return {}
        names = {url: self._name(decode_references(url)) for url in set(_SOURCE.findall(html))}
        there = {name: self._locator.has(name) for name in names.values() if name}
        return {
            decode_references(url): name for url, name in names.items() if not there.get(name, True)
        }

    def _name(self, url: str) -> str:
        """Return the name of a file from its URL or that of a thumbnail; empty for other URLs."""
        if url.startswith(self._thumbnails):
            return unquote(url.rpartition("/")[0].rpartition("/")[2])
        return unquote(url.rpartition("/")[2]) if url.startswith(self._originals) else ""


def _frame_link(link: LexborNode, label: LexborNode) -> None:
    """Convert the link for a missing file, and the text in it, to a frame."""
    title = link.attributes.get("title") or ""
    text, name = label.text().strip(), title.partition(":")[2] or title
    text = text if text not in ("", title) else name
    _make_frame(link, _pixels(label, "data-width"), _pixels(label, "data-height"))
    del link.attrs["href"]
    link.attrs["title"] = name
    link.attrs["role"] = "img"
    link.attrs["aria-label"] = text
    label.inner_html = ""
    label.insert_child(name if _has_caption(link) else text)


def _frame_picture(tree: LexborHTMLParser, picture: LexborNode, name: str) -> None:
    """Replace a picture by a frame; a link around it is kept."""
    frame, label = tree.create_node("span"), tree.create_node("span")
    label.attrs["class"] = f"mw-file-element {_BROKEN}"
    label.insert_child(picture.attributes.get("alt") or name.replace("_", " "))
    _make_frame(frame, _pixels(picture, "width"), _pixels(picture, "height"))
    frame.insert_child(label)
    picture.replace_with(frame)


def _make_frame(node: LexborNode, width: int, height: int) -> None:
    """Convert an element to a frame of the size of the picture, in pixels; 0 if unknown."""
    if not width and not height:
        node.attrs["class"] = f"{_CLASS} {_CLASS}-inline"
        return
    width, height = width or height * 3 // 2, height or width * 2 // 3
    is_small = width < _SMALL or height < _SMALL // 2
    node.attrs["class"] = f"{_CLASS} {_CLASS}-small" if is_small else _CLASS
    node.attrs["style"] = f"width:{width}px;height:{height}px"


def _has_caption(link: LexborNode) -> bool:
    """Return whether the page shows a caption next to the frame."""
    around = link.parent
    above = around.parent if around is not None else None
    is_figure = around is not None and around.tag == "figure"
    return is_figure or (above is not None and "thumb" in _classes(above))


def _classes(node: LexborNode) -> list[str]:
    return (node.attributes.get("class") or "").split()


def _pixels(node: LexborNode, name: str) -> int:
    """Return an attribute that is a size in pixels; 0 if it is missing or not valid."""
    value = node.attributes.get(name) or ""
    is_number = value.isascii() and value.isdecimal() and len(value) < 10
    return min(int(value), _LARGEST) if is_number else 0
