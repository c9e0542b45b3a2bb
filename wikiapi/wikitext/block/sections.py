"""Headings of a page: numbers, ids, edit links, and the table of contents."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wikiapi.i18n.languages import direction, html_code
from wikiapi.title.references import decode_references
from wikiapi.title.title import Title
from wikiapi.wikitext.expand.strip import MARKER, StripState
from wikiapi.wikitext.html.entities import escape_attribute, escape_text
from wikiapi.wikitext.html.ids import escape_id, escape_id_for_link, escape_id_legacy, section_name
from wikiapi.wikitext.html.spacing import armour_french_spaces
from wikiapi.wikitext.output import Section
from wikiapi.wikitext.preprocess.nodes import Content, Heading

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState


_OPENING = re.compile(r"<h([1-6])((?:\s[^<>]*+)?)>", re.IGNORECASE)
_CLOSING = {level: re.compile(rf"</h{level}\s*>", re.IGNORECASE) for level in "123456"}
_KEPT = "sup|sub|i|b|bdi|s|strike|q|span"
_DROPPED_TAGS = re.compile(
    r"<style\b[^<>]*+>(?:[^<]++|<(?!/?style\b))*+</style>"
    rf"|<(?!/?(?:{_KEPT})(?:\s[^<>]*+)?>)[^<>]*+>",
    re.IGNORECASE,
)
_BARE_TAGS = re.compile(
    rf"<(/?(?:span(?: (?:dir|lang)=\"[^\"]*\")?|{_KEPT}))(?:\s[^<>]*+)?>", re.IGNORECASE
)
_TAGS = re.compile(r"<[^<>]*>")
_TAG = re.compile(r"(<[^<>]*>)")
_BLANKS = " \t\n"
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_SPACES = re.compile(r"[ _]+")
_ID = re.compile(r"\sid=\"([^\"]*)\"")
_CLASS = re.compile(r"\sclass=\"([^\"]*)\"")
_LAID_OUT = "mw-html-heading"
_WRAPPER = re.compile(r"<div class=\"mw-heading[ \"][^<>]*>\s*\Z")
_NEAR = 200
_ENOUGH_FOR_TOC = 4


def _shown(line: str) -> str:
    """A heading's HTML in the form a serialiser gives it: as few references as can be."""
    pieces = _TAG.split(armour_french_spaces(line.strip(_BLANKS)))
    pieces[::2] = [_serialised(piece) for piece in pieces[::2]]
    html = "".join(pieces)
    return f"&#x338;{html[1:]}" if html.startswith("\u0338") else html


def _serialised(text: str) -> str:
    return decode_references(text).replace("&", "&amp;").replace("<", "&lt;")


def _elements(text: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """The tags of each heading. Where the next end tag of a level stands is looked up but once."""
    nearest: dict[str, re.Match[str] | None] = {}
    position = 0
    while opening := _OPENING.search(text, position):
        level, position = opening[1], opening.end()
        closing = nearest.get(level)
        if level not in nearest or (closing and closing.start() < position):
            closing = nearest[level] = _CLOSING[level].search(text, position)
        if closing:
            yield opening, closing
            position = closing.end()


def _marked(attributes: str) -> str:
    """The attributes of a heading that its author has laid out, which is so marked."""
    css = _CLASS.search(attributes)
    if css is None:
        return f'{attributes} class="{_LAID_OUT}"'
    return f"{attributes[: css.end(1)]} {_LAID_OUT}{attributes[css.end(1) :]}"


def _has_wrapper(heading: re.Match[str]) -> bool:
    """Whether the author has put a heading into an element like ours already."""
    before = heading.string[max(0, heading.start() - _NEAR) : heading.start()]
    return bool(_WRAPPER.search(before))


class Headings:
    """The headings of one rendering, from their markers to the finished elements."""

    def __init__(self, state: ParseState) -> None:
        """Number the headings of this rendering."""
        self._state = state
        self._marked: dict[str, tuple[Title, Heading]] = {}
        self._offsets: dict[int, int] = {}
        self._length = 0
        self._last_offset = 0
        self._anchors: dict[str, int] = {}
        self._numbering = Numbering()

    def set_page(self, content: Content, length: int, offset: int) -> None:
        """Learn where the headings of the page itself stand; ``offset``: where its text begins."""
        self._length = length + offset
        for node in content:
            if isinstance(node, Heading):
                self._offsets[node.index] = node.offset + offset

    def mark(self, title: Title, heading: Heading) -> str:
        """A marker that says where a heading comes from."""
        marker = self._state.strip.add_general("", "h")
        self._marked[marker] = title, heading
        return marker

    def finish(self, text: str) -> str:
        """The text with its headings numbered and the table of contents in its place."""
        if "<h" not in text and "<H" not in text:
            return text
        found = list(_elements(text))
        if not found:
            return text
        out: list[str] = []
        position = 0
        for opening, closing in found:
            inner = text[opening.end() : closing.start()]
            out += (text[position : opening.start()], self._element(opening, inner))
            position = closing.end()
        return self._with_toc("".join([*out, text[position:]]), len(found))

    def _with_toc(self, html: str, count: int) -> str:
        state = self._state
        switches = state.output.switches
        placed = TOC_MARK in html
        forced = placed or "forcetoc" in switches
        wanted = (count >= _ENOUGH_FOR_TOC and "notoc" not in switches) or forced
        state.output.show_toc = state.output.show_toc or wanted
        if not wanted:
            return html.replace(TOC_MARK, "")
        if not placed:
            first = re.search(r'<div class="mw-heading|<h[1-6][^<>]*+>', html)
            start = first.start() if first else 0
            html = f"{html[:start]}{TOC_MARK}\n{html[start:]}"
        return html

    def _element(self, opening: re.Match[str], inner: str) -> str:
        level, attributes = int(opening[1]), opening[2]
        marker, inner = self._without_marker(inner)
        inner = self._state.media.replace(inner)
        section, legacy = self._section(level, inner, marker)
        self._state.output.sections.append(section)
        edit = self._edit_link(section, inner)
        is_plain = not _ID.sub("", attributes).strip()
        if not _ID.search(attributes):
            attributes = f' id="{escape_attribute(section.anchor)}"{attributes}'
        if not is_plain:
            attributes = _marked(attributes)
        if legacy != section.anchor:
            inner = f'<span id="{escape_attribute(legacy)}"></span>{inner.lstrip()}'
        element = f"<h{level}{attributes}>{inner.strip()}</h{level}>{edit}"
        if not is_plain or _has_wrapper(opening):
            return element
        return f'<div class="mw-heading mw-heading{level}">{element}</div>'

    def _without_marker(self, inner: str) -> tuple[str, str]:
        found = ""
        for match in MARKER.finditer(inner):
            if match[0] in self._marked:
                found = match[0]
        if found:
            inner = inner.replace(found, "")
        return found, inner

    def _section(self, level: int, inner: str, marker: str) -> tuple[Section, str]:
        plain = self._unstripped(inner)
        line = _BARE_TAGS.sub(r"<\1>", _DROPPED_TAGS.sub("", plain)).replace("<span></span>", "")
        anchor, legacy = self._anchor(_TAGS.sub("", plain))
        toc_level, number = self._numbering.next(level)
        index, title, offset = self._origin(marker)
        link = escape_id_for_link(anchor)
        section = Section(
            toc_level, level, _shown(line), number, index, title, offset, anchor, link
        )
        return section, legacy

    def _unstripped(self, inner: str) -> str:
        """With all that was put aside; a gallery brings files that were held back."""
        state = self._state
        html = state.strip.unstrip_both(state.holders.replace_text(inner))
        return StripState.kill(state.media.replace(html))

    def _origin(self, marker: str) -> tuple[str, str | None, int | None]:
        if not marker:
            return "", None, None
        title, heading = self._marked[marker]
        if title.key != self._state.title.key:
            return f"T-{heading.index}", title.prefixed_dbkey, None
        return str(heading.index), title.prefixed_dbkey, self._next_offset(heading.index)

    def _next_offset(self, index: int) -> int:
        """Where a heading of the page stands. Headings are looked for onwards from the last one.

        A page that transcludes itself has headings that are not there any more: from then on the
        answer is the length of the page.
        """
        offset = self._offsets.get(index, self._length)
        self._last_offset = offset if offset >= self._last_offset else self._length
        return self._last_offset

    def _anchor(self, text: str) -> tuple[str, str]:
        """The id of a heading, and the one it had in the encoding of old."""
        text = _SPACES.sub(" ", text).strip()
        name = section_name(decode_references(text))
        anchor = escape_id(name)
        suffix = self._suffix(anchor.translate(_ASCII_LOWER))
        return f"{anchor}{suffix}", f"{escape_id_legacy(name)}{suffix}"

    def _suffix(self, key: str) -> str:
        """What tells a heading from earlier ones with the same id."""
        seen = self._anchors.get(key)
        if seen is None:
            self._anchors[key] = 1
            return ""
        number = seen + 1
        while f"{key}_{number}" in self._anchors:
            number += 1
        self._anchors[key] = number
        self._anchors[f"{key}_{number}"] = 1
        return f"_{number}"

    def _edit_link(self, section: Section, inner: str) -> str:
        state = self._state
        if not state.options.edit_sections or "noeditsection" in state.output.switches:
            return ""
        if section.from_title is None:
            return ""
        title = state.site.titles.parse(section.from_title)
        query = f"action=edit&section={section.index}"
        url = state.site.query_path(title, query)
        name = self._plain_text(inner)
        hint = state.interface_message("editsectionhint", name)
        return state.strip.add_nowiki(
            '<span class="mw-editsection"><span class="mw-editsection-bracket">[</span>'
            f'<a href="{escape_attribute(url)}" title="{escape_attribute(hint)}">'
            f"<span>{escape_text(state.interface_message('editsection'))}</span></a>"
            '<span class="mw-editsection-bracket">]</span></span>',
            "editsection",
        )

    def _plain_text(self, inner: str) -> str:
        html = self._unstripped(inner)
        return decode_references(armour_french_spaces(_TAGS.sub("", html))).strip(_BLANKS)

    def place_toc(self, html: str) -> str:
        """Finished HTML with the table of contents in place of its mark."""
        state = self._state
        if "mw:PageProp/toc" not in html:
            return html
        toc = ""
        if state.options.toc and not state.options.toc_in_page:
            return html
        if state.output.show_toc and state.options.toc:
            toc = toc_html(state.output.sections, state)
        return html.replace(TOC_MARK, toc, 1).replace(TOC_MARK, "")


TOC_MARK = '<meta property="mw:PageProp/toc" />'


class Numbering:
    """Numbers like 1.2.1, by the levels of the headings as they come."""

    def __init__(self) -> None:
        """No heading yet."""
        self._depth = 0
        self._previous = 0
        self._levels: list[int] = [0]
        self._counts: list[int] = [0]

    def next(self, level: int) -> tuple[int, str]:
        """Depth and number of the next heading. A skipped level counts as one step."""
        if level > self._previous or not self._depth:
            self._depth += 1
            del self._levels[self._depth :], self._counts[self._depth :]
            self._levels.append(level)
            self._counts.append(0)
        elif level < self._previous and self._depth > 1:
            self._climb(level)
        self._levels[self._depth] = level
        self._counts[self._depth] += 1
        self._previous = level
        return self._depth, ".".join(map(str, self._counts[1 : self._depth + 1]))

    def _climb(self, level: int) -> None:
        for depth in range(self._depth, 0, -1):
            if self._levels[depth] == level:
                self._depth = depth
                return
            if self._levels[depth] < level:
                self._depth = depth + 1
                return
        self._depth = 1


def toc_html(sections: Sequence[Section], state: ParseState) -> str:
    """The table of contents of a page."""
    heading = escape_text(state.interface_message("toc"))
    code = state.interface_language
    language = f'lang="{html_code(code)}" dir="{direction(code)}"'
    return (
        '<div id="toc" class="toc" role="navigation" aria-labelledby="mw-toc-heading">'
        '<input type="checkbox" role="button" id="toctogglecheckbox" class="toctogglecheckbox" '
        f'style="display:none" /><div class="toctitle" {language}>'
        f'<h2 id="mw-toc-heading">{heading}</h2><span class="toctogglespan">'
        '<label class="toctogglelabel" for="toctogglecheckbox"></label></span></div>'
        f"{_items(sections)}</div>\n"
    )


def _items(sections: Sequence[Section]) -> str:
    out: list[str] = []
    depth = 0
    for section in sections:
        level = section.toc_level
        if level > depth:
            out.append("\n<ul>\n" * (level - depth))
        elif level == depth:
            out.append("</li>\n")
        else:
            out.append("</li>\n" + "</ul>\n</li>\n" * (depth - level))
        depth = level
        out.append(_item(section))
    out.append("</li>\n</ul>\n" * depth)
    return "".join(out)


def _item(section: Section) -> str:
    index = f" tocsection-{section.index}" if section.index.isdigit() else ""
    return (
        f'<li class="toclevel-{section.toc_level}{index}">'
        f'<a href="#{escape_attribute(section.link_anchor)}">'
        f'<span class="tocnumber">{section.number}</span> '
        f'<span class="toctext">{armour_french_spaces(section.line)}</span></a>'
    )
