"""Headings of a page: numbers, ids, edit links, and the table of contents."""

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
from wikiapi.wikitext.output import ParserOutput, Section
from wikiapi.wikitext.pagemessages import PageMessages
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


def number_headings(text: str, state: ParseState) -> str:
    """Return the text with its headings numbered and the table of contents in its place."""
    if "<h" not in text and "<H" not in text:
        return text
    found = list(_elements(text))
    if not found:
        return text
    out: list[str] = []
    position = 0
    for opening, closing in found:
        inner = text[opening.end() : closing.start()]
        out += (text[position : opening.start()], _element(opening, inner, state))
        position = closing.end()
    return _with_toc("".join([*out, text[position:]]), len(found), state.output)


def _with_toc(html: str, count: int, output: ParserOutput) -> str:
    switches = output.switches
    placed = TOC_MARK in html
    forced = placed or "forcetoc" in switches
    wanted = (count >= _ENOUGH_FOR_TOC and "notoc" not in switches) or forced
    output.show_toc = output.show_toc or wanted
    if not wanted:
        return html.replace(TOC_MARK, "")
    if not placed:
        first = re.search(r'<div class="mw-heading|<h[1-6][^<>]*+>', html)
        start = first.start() if first else 0
        html = f"{html[:start]}{TOC_MARK}\n{html[start:]}"
    return html


def _element(opening: re.Match[str], inner: str, state: ParseState) -> str:
    """Return the finished element of a heading, which is added to the page's sections."""
    level, attributes = int(opening[1]), opening[2]
    marker, inner = state.headings.split_marker(inner)
    inner = state.media.replace(inner)
    section, legacy = _section(level, inner, marker, state)
    state.output.sections.append(section)
    edit = _edit_link(section, inner, state)
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


def _section(level: int, inner: str, marker: str, state: ParseState) -> tuple[Section, str]:
    """Return the section that a heading begins, and the id it has in the old encoding."""
    headings = state.headings
    plain = _unstripped(inner, state)
    line = _BARE_TAGS.sub(r"<\1>", _DROPPED_TAGS.sub("", plain)).replace("<span></span>", "")
    name = section_name(decode_references(_SPACES.sub(" ", _TAGS.sub("", plain)).strip()))
    anchor = escape_id(name)
    suffix = headings.id_suffix(anchor.translate(_ASCII_LOWER))
    anchor += suffix
    toc_level, number = headings.numbering.next(level)
    index, title, offset = headings.origin(marker, state.title)
    source = title.prefixed_dbkey if title else None
    link = escape_id_for_link(anchor)
    section = Section(toc_level, level, _shown(line), number, index, source, offset, anchor, link)
    return section, f"{escape_id_legacy(name)}{suffix}"


def _unstripped(inner: str, state: ParseState) -> str:
    """Return a heading with all that was put aside; a gallery brings files that were held back."""
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
    """Return finished HTML with the table of contents in place of its mark."""
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
