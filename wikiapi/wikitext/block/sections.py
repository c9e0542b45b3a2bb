"""Sections of a page: numbers, ids and edit links of headings, and the table of contents."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence

from wikiapi.i18n.languages import direction, html_code
from wikiapi.title.references import decode_references
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.html.entities import escape_attribute, escape_text
from wikiapi.wikitext.html.ids import escape_id, escape_id_for_link, escape_id_legacy, section_name
from wikiapi.wikitext.html.spacing import armour_french_spaces
from wikiapi.wikitext.media.holders import MEDIA_MARKER
from wikiapi.wikitext.output import Section
from wikiapi.wikitext.pagemessages import PageMessages
from wikiapi.wikitext.state import ParseState
from wikiapi.wikitext.syntax import TRIMMED, trim

_OPENING = re.compile(r"<h([1-6])((?:\s[^<>]*+)?)>", re.IGNORECASE)
_CLOSING = {level: re.compile(rf"</h{level}\s*>", re.IGNORECASE) for level in "123456"}
_KEPT = "sup|sub|i|b|bdi|s|strike|q|span"
_DROPPED_TAGS = re.compile(
    r"<style\b[^<>]*+>(?:[^<]++|<(?!/?style\b))*+</style>"
    rf"|<(?!/?(?:{_KEPT})(?:\s[^<>]*+)?>)[^<>]*+>",
    re.IGNORECASE,
)
_KEPT_TAGS = re.compile(rf"<(/?(?:{_KEPT}))(\s[^<>]*+)?>", re.IGNORECASE)
_DIRECTION = re.compile(r"\s(?:dir|lang)=\"[^\"]*\"")
_TAGS = re.compile(r"<[^<>]*>")
_TAG = re.compile(r"(<[^<>]*>)")
_BLANKS = " \t\n"
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_SPACES = re.compile(r"[ _]+")
_ID = re.compile(r"\sid=\"([^\"]*)\"")
_CLASS = re.compile(r"\sclass=\"([^\"]*)\"")
_MEDIA = re.compile(MEDIA_MARKER)
_HTML_HEADING = "mw-html-heading"
_WRAPPER = re.compile(r"<div class=\"mw-heading[ \"][^<>]*>\s*\Z")
_WRAPPER_DISTANCE = 200
"""The number of characters before a heading that are searched for a wrapper."""
_MIN_HEADINGS_FOR_TOC = 4


def _shown(line: str) -> str:
    """Return a heading's HTML as an HTML serialiser would, with as few references as possible."""
    pieces = _TAG.split(armour_french_spaces(line.strip(_BLANKS)))
    pieces[::2] = [_serialised(piece) for piece in pieces[::2]]
    html = "".join(pieces)
    return f"&#x338;{html[1:]}" if html.startswith("\u0338") else html


def _serialised(text: str) -> str:
    return decode_references(text).replace("&", "&amp;").replace("<", "&lt;")


def _elements(text: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Yield the tags of each heading. Each closing tag is searched for only once."""
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
    """Return the attributes with the class that marks headings written as HTML with attributes."""
    css = _CLASS.search(attributes)
    if css is None:
        return f'{attributes} class="{_HTML_HEADING}"'
    return f"{attributes[: css.end(1)]} {_HTML_HEADING}{attributes[css.end(1) :]}"


def _has_wrapper(heading: re.Match[str]) -> bool:
    """Return whether the wikitext already wraps a heading in ``<div class="mw-heading">``."""
    before = heading.string[max(0, heading.start() - _WRAPPER_DISTANCE) : heading.start()]
    return bool(_WRAPPER.search(before))


def number_headings(text: str, state: ParseState) -> str:
    """Return the text with finished headings and a mark for the place of the table of contents."""
    numberer = _Numberer(state)
    html = numberer.run(text)
    return _with_toc(html, numberer.count, state) if numberer.count else html


class _Numberer:
    """Finishes and counts the headings of a text and of the captions of its images."""

    def __init__(self, state: ParseState) -> None:
        self._state = state
        self.count = 0

    def run(self, text: str) -> str:
        """Return a text with finished headings."""
        out: list[str] = []
        position = 0
        for opening, closing in _elements(text):
            self._captions(text, position, opening.start())
            self.count += 1
            inner = text[opening.end() : closing.start()]
            out += (text[position : opening.start()], _element(opening, inner, self._state))
            position = closing.end()
        self._captions(text, position, len(text))
        return "".join([*out, text[position:]])

    def _captions(self, text: str, start: int, end: int) -> None:
        for match in _MEDIA.finditer(text, start, end):
            self._state.media.change_caption(match[0], self.run)


def _with_toc(html: str, count: int, state: ParseState) -> str:
    output, switches = state.output, state.output.switches
    placed = TOC_MARK in html
    forced = placed or "forcetoc" in switches
    shows_toc = (count >= _MIN_HEADINGS_FOR_TOC and "notoc" not in switches) or forced
    output.show_toc = output.show_toc or shows_toc
    if not shows_toc:
        return html.replace(TOC_MARK, "")
    if not state.headings.outline.is_page:
        return html
    if not placed:
        first = re.search(r'<div class="mw-heading|<h[1-6][^<>]*+>', html)
        start = first.start() if first else 0
        html = f"{html[:start]}{TOC_MARK}\n{html[start:]}"
    return html


def _element(opening: re.Match[str], inner: str, state: ParseState) -> str:
    """Return the finished element of a heading, and add its section to the page's output."""
    level, attributes = int(opening[1]), opening[2]
    marker, inner = state.headings.split_marker(inner)
    inner = state.media.replace(inner)
    given = _ID.search(attributes)
    identifier = decode_references(given[1]) if given else ""
    section, legacy = _section(level, inner, marker, identifier, state)
    if state.headings.outline.is_page:
        state.output.sections.append(section)
    edit = _edit_link(section, inner, state)
    is_plain = not trim(attributes)
    if not given:
        attributes = f' id="{escape_attribute(section.anchor)}"{attributes}'
    if not is_plain:
        attributes = _marked(attributes)
    if legacy != section.anchor:
        inner = f'<span id="{escape_attribute(legacy)}"></span>{inner.lstrip(TRIMMED)}'
    element = f"<h{level}{attributes}>{trim(inner)}</h{level}>{edit}"
    if not is_plain or _has_wrapper(opening):
        return element
    return f'<div class="mw-heading mw-heading{level}">{element}</div>'


def _section(
    level: int, inner: str, marker: str, given: str, state: ParseState
) -> tuple[Section, str]:
    """Return the section that a heading begins, and its id in the legacy encoding.

    ``given`` is an id that the wikitext sets, which is used in place of both.
    """
    outline, headings = state.headings.outline, state.headings
    plain = _unstripped(inner, state)
    line = _KEPT_TAGS.sub(_bare_tag, _DROPPED_TAGS.sub("", plain)).replace("<span></span>", "")
    name = section_name(decode_references(trim(_SPACES.sub(" ", _TAGS.sub("", plain)))))
    anchor = given or escape_id(name)
    suffix = outline.id_suffix(anchor.translate(_ASCII_LOWER))
    anchor = given or anchor + suffix
    toc_level, number = outline.next(level)
    index, title, offset = headings.origin(marker, state.title)
    source = title.prefixed_dbkey if title else None
    link = escape_id_for_link(anchor)
    section = Section(toc_level, level, _shown(line), number, index, source, offset, anchor, link)
    return section, given or f"{escape_id_legacy(name)}{suffix}"


def _bare_tag(match: re.Match[str]) -> str:
    """Return a tag without attributes, except for ``dir`` and ``lang`` of a ``span``."""
    kept = _DIRECTION.findall(match[2] or "") if match[1].lower() == "span" else ()
    return f"<{match[1]}{''.join(kept)}>"


def _unstripped(inner: str, state: ParseState) -> str:
    """Return a heading with strip markers replaced, also those of files in a gallery."""
    html = state.strip.unstrip_both(state.links.replace_text(inner))
    return StripState.kill(state.media.replace(html))


def _edit_link(section: Section, inner: str, state: ParseState) -> str:
    if not state.options.edit_sections or "noeditsection" in state.output.switches:
        return ""
    if section.from_title is None:
        return ""
    title = state.site.titles.parse(section.from_title)
    query = f"action=edit&section={section.index}"
    url = state.site.query_path(title, query)
    hint = state.messages.interface_text("editsectionhint", _plain_text(inner, state))
    return state.strip.add_nowiki(
        '<span class="mw-editsection"><span class="mw-editsection-bracket">[</span>'
        f'<a href="{escape_attribute(url)}" title="{escape_attribute(hint)}">'
        f"<span>{escape_text(state.messages.interface_text('editsection'))}</span></a>"
        '<span class="mw-editsection-bracket">]</span></span>',
        "editsection",
    )


def _plain_text(inner: str, state: ParseState) -> str:
    html = _unstripped(inner, state)
    return decode_references(armour_french_spaces(_TAGS.sub("", html))).strip(_BLANKS)


def place_toc(html: str, state: ParseState) -> str:
    """Return finished HTML with the table of contents inserted at its mark."""
    if "mw:PageProp/toc" not in html:
        return html
    if state.options.toc and not state.options.toc_in_page:
        return html
    toc = ""
    if state.output.show_toc and state.options.toc:
        toc = toc_html(state.output.sections, state.messages)
    return html.replace(TOC_MARK, toc, 1).replace(TOC_MARK, "")


TOC_MARK = '<meta property="mw:PageProp/toc" />'


def toc_html(sections: Sequence[Section], messages: PageMessages) -> str:
    """Return the table of contents of a page."""
    heading = escape_text(messages.interface_text("toc"))
    code = messages.interface_language
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
