"""Rendering pages with the parser, and adapting them to the reader.

Like MediaWiki, the parser replaces missing pictures by red links to an upload form, which are of no
use to readers. The reader shows a frame of the size of the picture instead, with its name or text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import unescape
from types import MappingProxyType
from urllib.parse import unquote

from markupsafe import Markup, escape
from selectolax.lexbor import LexborHTMLParser, LexborNode

from wikiapi.site import Site
from wikiapi.title import FILE, Namespace, Title, decode_references
from wikiapi.wikitext import (
    LanguageLink,
    ParserOptions,
    ParserOutput,
    Revision,
    Section,
    StoredRevision,
)
from wikiapi.wikitext.media import MediaForm
from wikiapi_plugins.actions.parse.facts import display_title
from wikiapi_plugins.web.darkmode import with_dark_mode_rules
from wikiapi_plugins.web.reader.addresses import Addresses
from wikiapi_plugins.web.reader.files.filelocator import FileLocator
from wikiapi_plugins.web.reader.indexing import robots_of
from wikiapi_plugins.web.reader.pagerevision import PageRevision
from wikiapi_plugins.web.reader.settings import NAME


@dataclass(frozen=True, slots=True)
class Rendering:
    """The parts of a rendering that the reader shows.

    ``html``, ``title_html`` and ``indicators`` are HTML.
    """

    html: str
    title_html: str
    sections: tuple[Section, ...]
    categories: tuple[str, ...]
    languages: tuple[LanguageLink, ...]
    indicators: tuple[str, ...]
    robots: str
    """What search engines are told of the page."""


class Renderings:
    """Renders pages, with the page cache."""

    def __init__(self, site: Site) -> None:
        """Render the pages of this wiki."""
        self._site = site
        self._placeholders = PicturePlaceholders(site)

    def of(self, page: PageRevision, language: str, variant: str) -> Rendering | None:
        """Return the rendering of a page; ``None`` if its content model cannot be rendered.

        ``variant`` is the requested variant of the content language; empty for none.

        Raises:
            ViewError: the text of the page is suppressed.
        """
        text = page.visible_text
        model = self._site.content_models.get(page.model)
        if model is None:
            return None
        can_edit = page.is_current and self._site.is_writable
        options = replace(_options(language, page), variant=variant, edit_sections=can_edit)

        def render() -> ParserOutput:
            return self._adapted(model.render(self._site.parser, text, page.title, options))

        revision = StoredRevision(page.row.page_id, page.revision.rev_id, page.row.touched)
        output = self._site.page_cache.output(revision, options, render, NAME)
        return _rendering(
            output, display_title(page.title, page.model, output), page.title.namespace
        )

    def of_text(self, text: str, title: Title, language: str) -> Rendering:
        """Return the rendering of a text that is not stored. It is not cached."""
        output = self._site.parser.parse(text, title, _options(language))
        return _rendering(self._adapted(output), output.title_html, title.namespace)

    def _adapted(self, output: ParserOutput) -> ParserOutput:
        """Return a parser output, adapted to the reader.

        This adds rules for the dark mode, frames for missing pictures, a class for icons, and
        ``alt`` texts for pictures without one.
        """
        html = self._placeholders.insert_into(with_dark_mode_rules(output.html))
        return replace(output, html=_IMAGE.sub(_adapted_image, html))


_IMAGE = re.compile(r"<img\b[^<>]*+>")
_SOURCE = re.compile(r'\bsrc="([^"]*+)"')
_WIDTH = re.compile(r"[0-9]{1,9}px-")
_SIZE = re.compile(r'\bwidth="([0-9]{1,4})"', re.ASCII)
_LARGEST_ICON = 64
"""The width in pixels of the largest pictures that are icons."""


def _adapted_image(match: re.Match[str]) -> str:
    """Return an ``img`` element, with the class ``icon`` if it is small.

    If it has no ``alt`` text, the name of the file is added.
    """
    element = match[0]
    source = _SOURCE.search(element)
    if "mw-file-element" not in element or source is None:
        return element
    size = _SIZE.search(element)
    if size and int(size[1]) <= _LARGEST_ICON:
        element = element.replace("mw-file-element", "mw-file-element icon", 1)
    if " alt=" in element:
        return element
    name = _WIDTH.sub("", unquote(unescape(source[1]).rpartition("/")[2]), count=1).replace(
        "_", " "
    )
    return f'<img alt="{escape(name)}"{element.removeprefix("<img")}'


def _options(language: str, page: PageRevision | None = None) -> ParserOptions:
    return ParserOptions(
        language=language,
        edit_sections=False,
        limit_report=False,
        toc_in_page=False,
        revision=Revision.of(page.revision if page else None),
    )


def _rendering(output: ParserOutput, title_html: str, namespace: Namespace) -> Rendering:
    return Rendering(
        html=output.html,
        title_html=title_html,
        sections=tuple(output.sections) if output.show_toc else (),
        categories=tuple(output.categories),
        languages=tuple(output.language_links.values()),
        indicators=tuple(output.indicators.values()),
        robots=robots_of(namespace, output.properties),
    )


_ADDRESSES = ("href", "src", "action", "poster")
_SRCSET = "srcset"
_SELECTOR = ",".join(f"[{name}]" for name in (*_ADDRESSES, _SRCSET))


def with_mount_point(html: str, addresses: Addresses, root: str) -> Markup:
    """Return HTML with the mount point in its local URLs, unless they contain it already."""
    if addresses.below(root, addresses.index) == addresses.index:
        return Markup(html)  # noqa: S704
    tree = LexborHTMLParser(html, is_fragment=True)
    for node in tree.css(_SELECTOR):
        for name in _ADDRESSES:
            value = node.attributes.get(name)
            if value and value.startswith("/"):
                node.attrs[name] = addresses.of_file(value, root)
        if value := node.attributes.get(_SRCSET):
            parts = [addresses.of_file(part.strip(), root) for part in value.split(", ")]
            node.attrs[_SRCSET] = ", ".join(parts)
    return Markup(tree.html or "")  # noqa: S704


_BROKEN = "mw-broken-media"
_MISSING = frozenset({"new", "mw-redirect"})
"""The link to a missing file has one of these classes; that to an unsupported file has none."""
_CLASS = "no-picture"
_SMALL = 80
"""Frames that are narrower, in pixels, have no room for text."""
_LARGEST = 2_000
_UPLOAD = "wpDestFile="
"""What addresses for the upload of missing files contain."""
_SIGNS = MappingProxyType({MediaForm.FIGURES: _BROKEN, MediaForm.THUMBS: _UPLOAD})
"""What pages with missing files contain, by the form of images."""
_BORDERS = 2
"""Pixels by which the frame of a thumbnail is wider than the picture."""
_FRAME = re.compile(r"width:([0-9]{1,9})px;\Z", re.ASCII)
_PICTURE_SOURCE = re.compile(r'<img\b[^<>]*? src="([^"<>]++)"')


class PicturePlaceholders:
    """Replaces missing pictures in the pages of one wiki by frames."""

    def __init__(self, site: Site) -> None:
        """Use the configured URLs of files."""
        config = site.config.files
        self._site = site
        self._form = site.parser.media_form
        self._are_marked = config.uploads or bool(config.upload_url)
        """Whether links for missing files differ from those for files that cannot be shown."""
        self._locator = FileLocator(site) if config.folder else None
        url = config.url.rstrip("/")
        self._thumbnails = f"{config.thumbnail_url.rstrip('/') or f'{url}/thumb'}/"
        self._originals = f"{url}/"

    def insert_into(self, html: str) -> str:
        """Return HTML in which missing pictures are replaced by frames.

        They are links for files that do not exist, and pictures whose files are in the store but
        not in the upload folder: a dump lists files without containing them.
        """
        # The wiki's own files that are not on disk, by URL.
        if self._locator is None:
            absent = {}
        else:
            names = {
                url: self._file_name(decode_references(url))
                for url in set(_PICTURE_SOURCE.findall(html))
            }
            there = {name: self._locator.has(name) for name in names.values() if name}
            absent = {
                decode_references(url): name
                for url, name in names.items()
                if not there.get(name, True)
            }
        may_miss = _SIGNS[self._form] in html
        if not may_miss and not absent:
            return html
        tree = LexborHTMLParser(html, is_fragment=True)
        if may_miss and self._form is MediaForm.THUMBS:
            self._label_links(tree)
        if may_miss:
            self._frame_links(tree)
        for picture in tree.css("img") if absent else ():
            if name := absent.get(picture.attributes.get("src") or ""):
                frame, label = tree.create_node("span"), tree.create_node("span")
                label.attrs["class"] = f"mw-file-element {_BROKEN}"
                label.insert_child(picture.attributes.get("alt") or name.replace("_", " "))
                _make_frame(frame, _pixels(picture, "width"), _pixels(picture, "height"))
                frame.insert_child(label)
                picture.replace_with(frame)
        return tree.html or ""

    def _label_links(self, tree: LexborHTMLParser) -> None:
        """Give the links for missing files of the old form a label as those of figures have it."""
        for link in tree.css(f'a.new[href*="{_UPLOAD}"]'):
            title = self._site.titles.try_parse(link.attributes.get("title") or "")
            if title is None or title.ns != FILE:
                continue
            label = tree.create_node("span")
            label.attrs["class"] = f"mw-file-element {_BROKEN}"
            frame = _FRAME.match(link.parent.attributes.get("style") or "") if link.parent else None
            if frame:
                label.attrs["data-width"] = str(max(int(frame[1]) - _BORDERS, 0))
            label.insert_child(link.text())
            link.inner_html = ""
            link.insert_child(label)

    def _frame_links(self, tree: LexborHTMLParser) -> None:
        """Replace the links for missing files by frames. The queries are those for their files."""
        labels = [
            (label.parent, label)
            for label in tree.css(f"a > span.{_BROKEN}")
            if label.parent is not None
        ]
        existing = set() if self._are_marked else self._existing(link for link, _ in labels)
        for link, label in labels:
            is_marked = bool(_MISSING.intersection(_classes(link)))
            if is_marked or not (self._are_marked or link.attributes.get("title") in existing):
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

    def _existing(self, links: Iterable[LexborNode]) -> set[str]:
        """Return those of the titles of links that have a file."""
        names = {link.attributes.get("title") or "" for link in links}
        titles = {name: self._site.titles.try_parse(name) for name in names}
        files = self._site.files.find([title for title in titles.values() if title])
        return {name for name, title in titles.items() if title in files}

    def _file_name(self, url: str) -> str:
        """Return the name of a file from its URL or that of a thumbnail; empty for other URLs."""
        if url.startswith(self._thumbnails):
            return unquote(url.rpartition("/")[0].rpartition("/")[2])
        return unquote(url.rpartition("/")[2]) if url.startswith(self._originals) else ""


def _make_frame(node: LexborNode, width: int, height: int) -> None:
    """Convert an element to a frame of the size of the picture, in pixels; 0 if unknown."""
    if not width and not height:
        node.attrs["class"] = f"{_CLASS} {_CLASS}-inline"
        return
    width, height = width or height * 3 // 2, height or width * 2 // 3
    is_small = width < _SMALL or height < _SMALL // 2
    node.attrs["class"] = f"{_CLASS} {_CLASS}-small" if is_small else _CLASS
    # Not its height, which it would keep where it is narrower than the picture.
    node.attrs["style"] = f"width:{width}px;aspect-ratio:{width}/{height}"


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
