"""Rendering pages with the parser, and adapting them to the reader."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from html import unescape
from urllib.parse import unquote

from markupsafe import Markup, escape
from selectolax.lexbor import LexborHTMLParser

from wikiapi.site import Site
from wikiapi.title import Title
from wikiapi.wikitext import LanguageLink, ParserOptions, ParserOutput, Section
from wikiapi.wikitext.options import NO_REVISION
from wikiapi.wikitext.pagecache import StoredRevision
from wikiapi_plugins.actions.parse.facts import display_title
from wikiapi_plugins.editing.writable import is_writable
from wikiapi_plugins.web.darkmode import with_dark_mode_rules
from wikiapi_plugins.web.reader.addresses import Addresses
from wikiapi_plugins.web.reader.missingpictures import PicturePlaceholders
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
    is_indexed: bool


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
        model = self._site.parser.registries.content_models.get(page.model)
        if model is None:
            return None
        can_edit = page.is_current and is_writable(self._site)
        options = replace(_options(language, page), variant=variant, edit_sections=can_edit)

        def render() -> ParserOutput:
            return self._adapted(model.render(self._site.parser, text, page.title, options))

        revision = StoredRevision(page.row.page_id, page.revision.rev_id, page.row.touched)
        output = self._site.page_cache.output(revision, options, render, NAME)
        return _rendering(output, display_title(page.title, page.model, output))

    def of_text(self, text: str, title: Title, language: str) -> Rendering:
        """Return the rendering of a text that is not stored. It is not cached."""
        output = self._site.parser.parse(text, title, _options(language))
        return _rendering(self._adapted(output), output.title_html)

    def _adapted(self, output: ParserOutput) -> ParserOutput:
        """Return a parser output, adapted to the reader.

        This adds rules for the dark mode, frames for missing pictures, and ``alt`` texts for
        pictures without one.
        """
        html = self._placeholders.insert_into(with_dark_mode_rules(output.html))
        return replace(output, html=_IMAGE.sub(_named, html))


_IMAGE = re.compile(r"<img\b[^<>]*+>")
_SOURCE = re.compile(r'\bsrc="([^"]*+)"')
_WIDTH = re.compile(r"[0-9]{1,9}px-")


def _named(match: re.Match[str]) -> str:
    """Return an ``img`` element with the file name as ``alt`` text, if it has none."""
    element = match[0]
    source = _SOURCE.search(element)
    if " alt=" in element or "mw-file-element" not in element or source is None:
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
        revision=NO_REVISION if page is None else page.parser_revision,
    )


def _rendering(output: ParserOutput, title_html: str) -> Rendering:
    return Rendering(
        html=output.html,
        title_html=title_html,
        sections=tuple(output.sections) if output.show_toc else (),
        categories=tuple(output.categories),
        languages=tuple(output.language_links.values()),
        indicators=tuple(output.indicators.values()),
        is_indexed="noindex" not in output.properties,
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
