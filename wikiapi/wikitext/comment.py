"""Edit and upload summaries as HTML: internal links and section links, everything else escaped.

``/* Section */`` becomes a link to that section of the edited page. ``[[links]]`` work as in
wikitext, except that they never categorise the page or show an image. Summaries are formatted in
batches, so that all the pages that they link to are looked up in one query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from urllib.parse import quote, unquote

from wikiapi.filerepo.file import File
from wikiapi.i18n.languages import direction
from wikiapi.i18n.message import Message, Plain
from wikiapi.store.queries import pages
from wikiapi.title.codec import decode_title_references
from wikiapi.title.namespaces import FILE, MAIN, MEDIA, MEDIAWIKI, SPECIAL
from wikiapi.title.specialpages import is_special_page
from wikiapi.title.subpages import resolve_subpage
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.html.entities import escape_all
from wikiapi.wikitext.html.ids import escape_id_for_link
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
    shown = _Targets(parser, [link.title for link in links])
    return ["".join(map(shown.html, pieces)) for pieces in parsed]


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
        title, shown = self._target(target)
        if title is None:
            return None, end
        inside, _ = split_trail(text[end : end + 255], self._site.language)
        return _Link(title, (label or shown) + inside), end + len(inside)

    def _target(self, target: str) -> tuple[Title | None, str]:
        """Return the page that a target names, and the default label of the link."""
        name = target
        if "%" in name:
            name = unquote(name, errors="replace")
            target = escape(decode_title_references(name))
        name = trim(decode_title_references(name))
        if name.startswith("#"):
            return self._within_page(name[1:]), target
        if self._page and (resolved := resolve_subpage(self._page, name)):
            name, shown = resolved
            target = escape(shown)
        return self._site.titles.try_parse(name), target

    @property
    def _here(self) -> Title:
        return Title(self._site.namespaces[MAIN], "")

    def _within_page(self, fragment: str) -> Title:
        page = self._page or self._here
        return replace(page, fragment=trim(fragment.replace("_", " ")))


class _Targets:
    """The pages and files that summaries link to, looked up at once; formats the links to them."""

    def __init__(self, parser: Parser, titles: Iterable[Title]) -> None:
        site = parser.site
        self._site = site
        self._parser = parser
        local_titles = [title for title in titles if title.dbkey and not title.interwiki]
        stored = pages.by_titles(site.db, {title.key for title in local_titles if title.ns >= 0})
        self._redirects = {key: bool(row.is_redirect) for key, row in stored.items()}
        self._files = self._find_files(local_titles)

    def html(self, piece: _Piece) -> str:
        """Return a piece as HTML."""
        if isinstance(piece, str):
            return piece
        title, label = piece.title, piece.label
        if title.interwiki:
            return _anchor(self._site.page_path(title), "extiw", title.prefixed_text, label)
        if not title.dbkey:
            return _anchor(f"#{escape_id_for_link(title.fragment)}", "", "", label)
        if piece.is_section:
            return _anchor(self._site.page_path(title), "", title.prefixed_text, label)
        return self._media(title, label) if title.ns == MEDIA else self._page(title, label)

    def _find_files(self, titles: Iterable[Title]) -> Mapping[str, File]:
        names = [t for t in titles if t.ns in (FILE, MEDIA) and t.key not in self._redirects]
        found = self._parser.files.find(names) if names else {}
        return {title.dbkey: file for title, file in found.items()}

    def _page(self, title: Title, label: str) -> str:
        site = self._site
        if title.key in self._redirects or self._is_always_known(title):
            css = "mw-redirect" if self._redirects.get(title.key) else ""
            return _anchor(site.page_path(title), css, title.prefixed_text, label)
        tip = Message("red-link-title", (Plain(title.prefixed_text),))
        url = site.page_path(title)
        if title.ns != SPECIAL:
            full = site.page_url(title.without_fragment(), "action=edit&redlink=1")
            url = full.removeprefix(site.config.site.server)
        return _anchor(url, "new", self._parser.messages.text(tip, site.language), label)

    def _media(self, title: Title, label: str) -> str:
        file = self._files.get(title.dbkey)
        if file:
            return _anchor(file.current.url, "internal", title.text, label)
        upload = self._site.titles.make(SPECIAL, "Upload")
        full = self._site.page_url(upload, f"wpDestFile={quote(title.dbkey)}")
        return _anchor(full.removeprefix(self._site.config.site.server), "new", title.text, label)

    def _is_always_known(self, title: Title) -> bool:
        if title.ns == SPECIAL:
            return is_special_page(title.text)
        if title.ns == MEDIAWIKI:
            key = title.dbkey[:1].lower() + title.dbkey[1:]
            return self._site.messages.template(key, self._site.language) is not None
        return title.ns == FILE and title.dbkey in self._files


def _anchor(url: str, css: str, tip: str, label: str) -> str:
    attributes = {"href": url, "class": css, "title": tip}
    written = "".join(
        f' {name}="{escape_all(value)}"' for name, value in attributes.items() if value
    )
    return f"<a{written}>{label}</a>"
