"""Edit and upload summaries as HTML: internal links and section links, everything else escaped.

``/* Section */`` becomes a link to that section of the edited page. ``[[links]]`` work as in
wikitext, except that they never categorise the page or show an image. Summaries are formatted in
batches, so that all the pages that they link to are looked up in one query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from urllib.parse import quote, unquote

from wikiapi.filerepo.file import File
from wikiapi.languages.direction import direction
from wikiapi.languages.message import Message
from wikiapi.store.queries import pages
from wikiapi.title.codec import decode_title_references
from wikiapi.title.namespaces import FILE, MAIN, MEDIA, MEDIAWIKI, SPECIAL
from wikiapi.title.subpages import resolve_subpage
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.html.entities import escape_all
from wikiapi.wikitext.inline.linkholders import split_trail
from wikiapi.wikitext.parser import Parser
from wikiapi.wikitext.syntax import trim

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
    parser: Parser, comments: Sequence[tuple[str, Title | None]], *, same_page: bool = False
) -> list[str]:
    """Return the HTML of each summary. ``comments`` pairs a summary with the page it belongs to.

    Where the page is ``None``, section links are shown as plain text. With ``same_page``, they link
    to sections of the page on which the summary is shown. Runs one query, and another one if the
    summaries link to files.
    """
    parsed = [_Reader(parser.site, page, same_page).read(comment) for comment, page in comments]
    links = [piece for pieces in parsed for piece in pieces if isinstance(piece, _Link)]
    targets = _Targets(parser, [link.title for link in links])
    return ["".join(map(targets.html, pieces)) for pieces in parsed]


class _Reader:
    """Splits summaries of one page into text and links."""

    def __init__(self, site: Wiki, page: Title | None, same_page: bool) -> None:
        self._site = site
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
            pieces += self._section(trim(text[start + 2 : end]), is_last=end + 2 == len(text))
            position = end + 2
        return pieces + self._links(text[position:])

    def _section(self, section: str, *, is_last: bool) -> list[_Piece]:
        colon = "" if is_last else ": "
        if not section and not colon:
            return []
        name = decode_title_references(_LINK_MARKS.sub("", section))
        fragment = trim(name.replace("_", " "))
        inner: list[_Piece] = [section]
        if not self._page:
            inner = self._links(section)
        elif fragment:
            label = section.replace("[[", "&#91;[")
            isolated = f'→<bdi dir="{direction(self._site.language)}">{label}</bdi>'
            target = self._here if self._same_page else self._page
            inner = [_Link(replace(target, fragment=fragment), isolated, is_section=True)]
        return ['<span class="autocomment">', *inner, f"{colon}</span>"]

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


class _Targets:
    """The pages and files that summaries link to, looked up at once; formats the links to them."""

    def __init__(self, parser: Parser, titles: Iterable[Title]) -> None:
        site = parser.site
        self._site = site
        local_titles = [title for title in titles if title.dbkey and not title.interwiki]
        stored = pages.by_titles(site.db, {title.key for title in local_titles if title.ns >= 0})
        self._redirects = {key: bool(row.is_redirect) for key, row in stored.items()}
        files = [t for t in local_titles if t.ns in (FILE, MEDIA) and t.key not in self._redirects]
        self._files: Mapping[str, File] = {}
        if files:
            self._files = {title.dbkey: file for title, file in parser.files.find(files).items()}

    def html(self, piece: _Piece) -> str:
        """Return a piece as HTML."""
        if isinstance(piece, str):
            return piece
        title, label = piece.title, piece.label
        if title.interwiki:
            return _anchor(self._site.page_path(title), "extiw", title.prefixed_text, label)
        if not title.dbkey:
            return _anchor(self._site.page_path(title), "", "", label)
        if piece.is_section:
            return _anchor(self._site.page_path(title), "", title.prefixed_text, label)
        if title.ns != MEDIA:
            return self._page(title, label)
        if file := self._files.get(title.dbkey):
            return _anchor(file.current.url, "internal", title.text, label)
        upload = self._site.special_page("Upload")
        full = self._site.page_url(upload, f"wpDestFile={quote(title.dbkey)}")
        return _anchor(full.removeprefix(self._site.config.site.server), "new", title.text, label)

    def _page(self, title: Title, label: str) -> str:
        site = self._site
        if title.key in self._redirects or self._counts_as_existing(title):
            css = "mw-redirect" if self._redirects.get(title.key) else ""
            return _anchor(site.page_path(title), css, title.prefixed_text, label)
        tip = self._red_link_tip.replace("$1", title.prefixed_text)
        url = site.page_path(title)
        if title.ns != SPECIAL:
            url = site.query_path(title, "action=edit&redlink=1")
        return _anchor(url, "new", tip, label)

    @cached_property
    def _red_link_tip(self) -> str:
        """The tooltip of a link to a missing page; ``$1`` in it stands for the page."""
        return self._site.messages.text(Message("red-link-title", ("$1",)), self._site.language)

    def _counts_as_existing(self, title: Title) -> bool:
        if title.ns == SPECIAL:
            return title.text in self._site.special_pages
        if title.ns == MEDIAWIKI:
            return self._site.messages.built_in(title.dbkey) is not None
        return title.ns == FILE and title.dbkey in self._files


def _anchor(url: str, css: str, tip: str, label: str) -> str:
    attributes = {"href": url, "class": css, "title": tip}
    written = "".join(
        f' {name}="{escape_all(value)}"' for name, value in attributes.items() if value
    )
    return f"<a{written}>{label}</a>"
