"""Edit and upload summaries as HTML: internal links and section links, everything else escaped.

``/* Section */`` becomes a link to that section of the edited page. ``[[links]]`` work as in
wikitext, except that they never categorise the page or show an image. Summaries are formatted in
batches, so that all the pages that they link to are looked up in one query.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from urllib.parse import unquote

from wikiapi.languages.direction import direction
from wikiapi.texts import trim
from wikiapi.title.codec import decode_title_references
from wikiapi.title.namespaces import MAIN
from wikiapi.title.subpages import resolve_subpage
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.html.entities import escape_all
from wikiapi.wikitext.inline.linkholders import split_trail
from wikiapi.wikitext.pagelinks import PageLinks
from wikiapi.wikitext.parser import Parser

_TARGET = re.compile(r"\s*:?([^\[\]|]+)")
_LINK_MARKS = re.compile(r"\[\[:?|\]\]")


@dataclass(frozen=True, slots=True)
class _Link:
    """A link whose HTML depends on its target. ``label`` is HTML."""

    title: Title
    label: str
    is_section: bool = False
    """Whether it links to a section of the edited page, which is assumed to exist."""


_Piece = str | _Link


def format_comments(
    parser: Parser,
    comments: Sequence[tuple[str, Title | None]],
    *,
    language: str = "",
    same_page: bool = False,
) -> list[str]:
    """Return the HTML of each summary. ``comments`` pairs a summary with the page it belongs to.

    Where the page is ``None``, section links are shown as plain text. Arrows before them point in
    the direction of ``language``, which is the reader's, or else the wiki's. With ``same_page``,
    they link to sections of the page on which the summary is shown. Runs one query, and another one
    if the summaries link to files.
    """
    site = parser.site
    marks = _Marks(site, direction(language or site.language))
    parsed = [_Reader(site, marks, page, same_page).read(comment) for comment, page in comments]
    links = [piece for pieces in parsed for piece in pieces if isinstance(piece, _Link)]
    targets = PageLinks(parser, [link.title for link in links])

    def html(piece: _Piece) -> str:
        if isinstance(piece, str):
            return piece
        return targets.link(piece.title, piece.label, is_known=piece.is_section)

    return ["".join(map(html, pieces)) for pieces in parsed]


@dataclass
class _Marks:
    """What stands around the sections in summaries, as HTML; each message is looked up once."""

    site: Wiki
    direction: str
    """The direction of the reader's language, ``ltr`` or ``rtl``."""

    @property
    def arrow(self) -> str:
        return "←" if self.direction == "rtl" else "→"

    @cached_property
    def before(self) -> str:
        return escape(self.site.messages.content_text("autocomment-prefix"))

    @cached_property
    def after(self) -> str:
        return escape(self.site.messages.content_text("colon-separator"))


class _Reader:
    """Splits summaries of one page into text and links."""

    def __init__(self, site: Wiki, marks: _Marks, page: Title | None, same_page: bool) -> None:
        self._site = site
        self._marks = marks
        self._page = page
        self._same_page = same_page

    def read(self, comment: str) -> list[_Piece]:
        """Return the pieces of a summary."""
        text = escape_all(decode_title_references(comment.replace("\n", " ")))
        pieces: list[_Piece] = []
        position = 0
        while (start := text.find("/*", position)) >= 0:
            end = text.find("*/", start + 2)
            if end < 0:
                break
            pieces += self._links(text[position:start])
            pieces += self._section(
                trim(text[start + 2 : end]), is_first=not start, is_last=end + 2 == len(text)
            )
            position = end + 2
        return pieces + self._links(text[position:])

    def _section(self, section: str, *, is_first: bool, is_last: bool) -> list[_Piece]:
        before = "" if is_first else self._marks.before
        after = "" if is_last else self._marks.after
        if not section and not after:
            return [before]
        name = decode_title_references(_LINK_MARKS.sub("", section))
        fragment = trim(name.replace("_", " "))
        inner: list[_Piece] = [section]
        if not self._page:
            inner = self._links(section)
        elif fragment:
            label = section.replace("[[", "&#91;[")
            isolated = f'{self._marks.arrow}<bdi dir="{self._marks.direction}">{label}</bdi>'
            target = self._here if self._same_page else self._page
            inner = [_Link(replace(target, fragment=fragment), isolated, is_section=True)]
        return [before, '<span class="autocomment">', *inner, f"{after}</span>"]

    def _links(self, text: str) -> list[_Piece]:
        pieces: list[_Piece] = []
        position = 0
        closed = text.rfind("]]")
        while 0 <= (start := text.find("[[", position)) < closed:
            link, end = self._link(text, start)
            pieces.append(text[position:start])
            pieces.append(link or text[start:end])
            position = end
        pieces.append(text[position:])
        return pieces

    def _link(self, text: str, start: int) -> tuple[_Link | None, int]:
        """Return the link at a position, or ``None``, and the position where it ends."""
        match = _TARGET.match(text, start + 2)
        if not match:
            return None, start + 2
        target, label, end = match[1], "", match.end()
        if text.startswith("|", end):
            close = text.find("]]", end)
            label, end = text[end + 1 : close], close
        if not text.startswith("]]", end):
            return None, start + 2
        end += 2
        # The default label is the target, as it is read.
        name, default = target, target
        if "%" in name:
            name = unquote(name, errors="replace")
            default = escape(decode_title_references(name))
        name = trim(decode_title_references(name))
        title: Title | None
        if name.startswith("#"):
            title = replace(self._page or self._here, fragment=trim(name[1:].replace("_", " ")))
        else:
            if self._page and (resolved := resolve_subpage(self._page, name)):
                name, text_of_page = resolved
                default = escape(text_of_page)
            title = self._site.titles.try_parse(name)
        if title is None:
            return None, end
        inside, _ = split_trail(text[end : end + 255], self._site.language)
        return _Link(title, (label or default) + inside), end + len(inside)

    @property
    def _here(self) -> Title:
        return Title(self._site.namespaces[MAIN], "")
