"""Sections of a page: numbers, ids and edit links of headings, and the table of contents."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from wikiapi.languages.codes import html_code
from wikiapi.languages.direction import direction
from wikiapi.languages.numbers import localize_digits
from wikiapi.texts import TRIMMED, trim
from wikiapi.title.references import decode_references
from wikiapi.wiki import Wiki
from wikiapi.wikitext.block.headingform import FinishedHeading, heading_html
from wikiapi.wikitext.block.headings import FROM_EQUALS, TOC_MARK, EditLink, HeadingOrigin
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.html.entities import escape_attribute, escape_text
from wikiapi.wikitext.html.ids import section_name
from wikiapi.wikitext.html.spacing import armour_french_spaces
from wikiapi.wikitext.output import Section
from wikiapi.wikitext.pagemessages import PageMessages
from wikiapi.wikitext.parsoid.marks import wrap_results
from wikiapi.wikitext.parsoid.opencalls import OpenCalls, start_of_call
from wikiapi.wikitext.state import ParseState

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
_WRAPPER = re.compile(r"<div class=\"mw-heading[ \"][^<>]*>\s*\Z")
_WRAPPER_DISTANCE = 200
"""The number of characters before a heading that are searched for a wrapper."""
_MIN_HEADINGS_FOR_TOC = 4


def _serialised(line: str) -> str:
    """Return a heading's HTML as an HTML serialiser would, with as few references as possible."""
    pieces = _TAG.split(armour_french_spaces(line.strip(_BLANKS)))
    pieces[::2] = [
        decode_references(piece).replace("&", "&amp;").replace("<", "&lt;") for piece in pieces[::2]
    ]
    html = "".join(pieces)
    return f"&#x338;{html[1:]}" if html.startswith("\u0338") else html


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


def _has_wrapper(heading: re.Match[str]) -> bool:
    """Return whether the wikitext already wraps a heading in ``<div class="mw-heading">``."""
    before = heading.string[max(0, heading.start() - _WRAPPER_DISTANCE) : heading.start()]
    return bool(_WRAPPER.search(before))


def number_headings(text: str, state: ParseState) -> str:
    """Return the text with finished headings and a mark for the place of the table of contents."""
    count = 0

    def numbered(text: str) -> str:
        """Return a text, or the caption of an image in it, with finished headings."""
        nonlocal count
        out: list[str] = []
        position = 0
        calls: OpenCalls | None = None
        for opening, closing in _elements(text):
            state.media.change_captions(text, numbered, position, opening.start())
            count += 1
            inner = text[opening.end() : closing.start()]
            is_element = opening[2] != FROM_EQUALS
            origin = None
            if state.sources is not None:
                calls = calls or OpenCalls(text, state.sources)
                origin = calls.heading_origin(opening.start(), is_element=is_element)
            out += (text[position : opening.start()], _element(opening, inner, origin, state))
            position = closing.end()
        state.media.change_captions(text, numbered, position)
        return "".join([*out, text[position:]])

    html = numbered(text)
    return _with_toc(html, count, state) if count else html


def _with_toc(html: str, count: int, state: ParseState) -> str:
    output, switches = state.output, state.output.switches
    placed = TOC_MARK in html
    forced = placed or "forcetoc" in switches
    shows_toc = (count >= _MIN_HEADINGS_FOR_TOC and "notoc" not in switches) or forced
    # The first heading is on the first level, so that only then no heading is in the table.
    shows_toc = shows_toc and state.site.config.wikitext.max_toc_level > 1
    output.show_toc = output.show_toc or shows_toc
    if not shows_toc and state.options.for_view:
        return html.replace(TOC_MARK, "")
    if not state.headings.outline.is_page:
        return html
    if not placed and state.options.for_view:
        first = re.search(r'<div class="mw-heading|<h[1-6][^<>]*+>', html)
        start = start_of_call(html, first.start()) if first else 0
        after = "" if state.options.parsoid else "\n"
        html = f"{html[:start]}{TOC_MARK}{after}{html[start:]}"
    return html


def _element(
    opening: re.Match[str], inner: str, origin: HeadingOrigin | None, state: ParseState
) -> str:
    """Return the finished element of a heading, and add its section to the page's output.

    ``origin`` is passed for a heading whose marker does not tell it.
    """
    level, attributes = int(opening[1]), opening[2].removeprefix(FROM_EQUALS)
    marker, inner = state.headings.split_marker(inner)
    inner = state.media.replace(inner)
    form = state.heading_form
    written = _ID.search(attributes)
    identifier = decode_references(written[1]) if written and form.has_own_ids else ""
    outline, headings, fragments = state.headings.outline, state.headings, state.fragments
    plain = _unstripped(inner, state)
    line = plain if state.sources is None else wrap_results(plain)
    line = _KEPT_TAGS.sub(_bare_tag, _DROPPED_TAGS.sub("", line)).replace("<span></span>", "")
    name = section_name(decode_references(trim(_SPACES.sub(" ", _TAGS.sub("", plain)))))
    anchor = identifier or fragments.id(name)
    second = fragments.second_id(name) if fragments.second_id and not identifier else anchor
    suffix = outline.id_suffix(anchor.translate(_ASCII_LOWER))
    second = "" if second == anchor else second + outline.id_suffix(second.translate(_ASCII_LOWER))
    anchor = identifier or anchor + suffix
    toc_level, number = outline.next(level)
    number = localize_digits(number, state.page_language)
    index, title, offset = origin or headings.origin(marker, state.title)
    source = title.prefixed_dbkey if title else None
    link = fragments.link(anchor)
    section = Section(
        toc_level, level, _serialised(line), number, index, source, offset, anchor, link
    )
    if state.headings.outline.is_page:
        state.output.sections.append(section)
    heading = FinishedHeading(
        opening[1],
        attributes,
        written is not None,
        section.anchor,
        second,
        inner.lstrip(TRIMMED),
        _edit_link(section, inner, state),
        _has_wrapper(opening),
        state.options.parsoid,
    )
    return heading_html(heading, form)


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
    html = partial(_edit_link_html, url, state)
    plain = _TAGS.sub("", _unstripped(inner, state))
    name = decode_references(armour_french_spaces(plain)).strip(_BLANKS)
    marker = state.strip.add_nowiki(html(name), "editsection")
    if state.converter:
        state.headings.edit_links.append(EditLink(marker, name, html))
    return marker


def _edit_link_html(url: str, state: ParseState, section: str) -> str:
    hint = state.messages.interface_text("editsectionhint", section)
    return (
        '<span class="mw-editsection"><span class="mw-editsection-bracket">[</span>'
        f'<a href="{escape_attribute(url)}" title="{escape_attribute(hint)}">'
        f"<span>{escape_text(state.messages.interface_text('editsection'))}</span></a>"
        '<span class="mw-editsection-bracket">]</span></span>'
    )


def place_toc(html: str, state: ParseState) -> str:
    """Return finished HTML with the table of contents inserted at its mark."""
    if "mw:PageProp/toc" not in html:
        return html
    if not state.options.for_view or (state.options.toc and not state.options.toc_in_page):
        return html
    toc = ""
    if state.output.show_toc and state.options.toc:
        sections = sections_in_toc(state.output.sections, state.site)
        toc = toc_html(sections, state.messages)
        if state.options.parsoid:
            toc = toc.replace(">\n<", "><").rstrip()
    return html.replace(TOC_MARK, toc, 1).replace(TOC_MARK, "")


def sections_in_toc(sections: Iterable[Section], site: Wiki) -> Sequence[Section]:
    """Return the sections that the tables of contents of a wiki show."""
    end = site.config.wikitext.max_toc_level
    return [section for section in sections if section.toc_level < end]


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
        f"{_toc_items(sections)}</div>\n"
    )


def _toc_items(sections: Sequence[Section]) -> str:
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
        css = f"toclevel-{level} tocsection-{section.index}"
        if not section.index.isdigit():
            css = f"toclevel-{level}"
        out.append(
            f'<li class="{css}"><a href="#{escape_attribute(section.link_anchor)}">'
            f'<span class="tocnumber">{section.number}</span> '
            f'<span class="toctext">{armour_french_spaces(section.line)}</span></a>'
        )
    out.append("</li>\n</ul>\n" * depth)
    return "".join(out)
