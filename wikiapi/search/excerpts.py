"""Excerpts of pages: their prose without markup, and the part of it that matches a search."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from wikiapi.languages import is_known_language
from wikiapi.site import Site
from wikiapi.structure.texts import body_of, classes_of, text_of
from wikiapi.title import CATEGORY, FILE, WIKITEXT, Title, TitleCodec


class Part(NamedTuple):
    """A part of an excerpt; ``match`` is true if it matches the search."""

    text: str
    match: bool


class Excerpt(NamedTuple):
    """An excerpt in parts, and the heading of the section that it is from, or None for the lead."""

    parts: tuple[Part, ...]
    section: str | None


class Prose(NamedTuple):
    """The prose of a page on one line, and the places and texts of the headings in it.

    Tables, boxes and notes that precede the first paragraph are at the end, under an empty heading.
    """

    text: str
    headings: tuple[tuple[int, str], ...] = ()


_MAX_CHARACTERS = 60_000
"""Only this many characters of a text are considered."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_OPENING = re.compile(
    r"<(ref|references|math|chem|ce|gallery|style|timeline|score|imagemap|inputbox|templatedata"
    r"|syntaxhighlight|source|graph|mapframe|maplink)\b[^<>]*+>",
    re.IGNORECASE,
)
_ARGUMENT = re.compile(r"\{\{\{[^{}|]*+(?:\|([^{}]*+))?\}\}\}")
_BRACES = re.compile(r"\{\{|\}\}")
_BRACKETS = re.compile(r"\[\[|\]\]")
_EXTERNAL = re.compile(r"\[(?:[a-z]{2,10}:)?//[^\s\[\]]++[ \t]*+([^\[\]\n]*+)\]")
_BREAK = re.compile(r"</?(?:br|p|div|li|dd|dt|td|th|tr|h[1-6])\b[^<>]*+>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*+>")
_QUOTES = re.compile(r"'''*+")
_SWITCH = re.compile(r"__[A-Z]{3,30}__")
_MARKERS = "*#:; \t"


def prose(site: Site, page: Title, text: str, model: str) -> Prose:
    """Return the prose of a page that is not rendered, without templates, references and markup.

    A template within a line is replaced by its last unnamed parameter, which often is the text that
    it formats. Use :func:`rendered_prose` for a page that has been rendered before; to render those
    of a list of results takes too long.
    """
    text = text[:_MAX_CHARACTERS]
    if model != WIKITEXT:
        return Prose(" ".join(text.split()))
    variables = {
        "PAGENAME": page.text,
        "FULLPAGENAME": page.prefixed_text,
        "SUBPAGENAME": page.text.rpartition("/")[2],
        "SITENAME": site.config.site.name,
    }
    text = _ARGUMENT.sub(r"\1", _without_elements(_COMMENT.sub("", text)))
    text = _without_templates(text, variables)
    text = _EXTERNAL.sub(r"\1", _with_labels(text, site.titles))
    text = _SWITCH.sub("", _QUOTES.sub("", _TAG.sub("", _BREAK.sub(" ", text))))
    builder = _ProseBuilder()
    open_tables = 0
    for line in text.split("\n"):
        stripped = line.strip()
        open_tables += stripped.startswith("{|")
        is_heading = stripped.startswith("=") and stripped.endswith("=")
        is_paragraph = not open_tables and not stripped.startswith((":", "|", "!", "="))
        for piece in _line(line):
            words = html.unescape(piece).split()
            builder.add(words, is_heading=is_heading, is_paragraph=is_paragraph)
        open_tables -= open_tables > 0 and stripped.startswith("|}")
    return builder.prose()


def rendered_prose(source: str) -> Prose:
    """Return the prose of a page from its HTML, without pictures, references and navigation."""
    body = body_of(source[:_MAX_HTML])
    for node in body.css(_NO_PROSE):
        node.remove()
    builder = _ProseBuilder()
    for block in _blocks(body):
        is_heading = block.tag in _HEADINGS or "mw-heading" in classes_of(block)
        words = (block.text_content or "" if block.is_text_node else text_of(block)).split()
        builder.add(words, is_heading=is_heading, is_paragraph=block.tag in _PARAGRAPHS)
    return builder.prose()


_MAX_HTML = 300_000
"""Only this many characters of a rendered page are considered."""
_NO_PROSE = (
    "style, script, template, noscript, figure, .thumb, ul.gallery, .references, .navbox,"
    " .noexcerpt, .error, .mw-broken-media, .mw-editsection, .toc"
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_PARAGRAPHS = frozenset({"p", "ul", "ol", "blockquote", "pre", "-text"})


def _blocks(body: LexborNode) -> list[LexborNode]:
    """Return the blocks of a page, which are those in the element around it if there is one."""
    while True:
        blocks = [
            node
            for node in body.iter(include_text=True)
            if node.is_element_node or (node.text_content or "").strip()
        ]
        if len(blocks) != 1 or blocks[0].tag != "div":
            return blocks
        body = blocks[0]


class _ProseBuilder:
    """Puts the prose of a page together, with what precedes its first paragraph at the end.

    Headings that precede it are left out, since the result is to begin with a sentence.
    """

    def __init__(self) -> None:
        self._words: list[str] = []
        self._headings: list[tuple[int, str]] = []
        self._length = 0
        self._before: list[str] = []
        self._has_begun = False

    def add(self, words: list[str], *, is_heading: bool, is_paragraph: bool) -> None:
        """Add the words of a heading, of a paragraph or list, or of a table, box or note."""
        if not words:
            return
        self._has_begun |= is_heading or is_paragraph
        if not self._has_begun:
            self._before += words
            return
        if is_heading:
            self._headings.append((self._length, " ".join(words)))
        if not is_heading or self._words:
            self._words += words
            self._length += sum(map(len, words)) + len(words)

    def prose(self) -> Prose:
        """Return the prose; that of a page with nothing but headings are these."""
        headings = self._headings
        words = [*self._words, *self._before] or [heading for _, heading in headings]
        if self._before and headings:
            headings = [*headings, (self._length, "")]
        return Prose(" ".join(words), tuple(headings))


def _without_elements(text: str) -> str:
    """Return a text without the elements whose content is not prose."""
    lowered = text.lower()
    unclosed: set[str] = set()
    parts, place = [], 0
    for match in _OPENING.finditer(text):
        if match.start() < place:
            continue
        name = match[1].lower()
        end = match.end()
        if not match[0].endswith("/>") and name not in unclosed:
            close = lowered.find(f"</{name}", end)
            if close < 0:
                # Remember that, so that the total time stays linear.
                unclosed.add(name)
            else:
                end = lowered.find(">", close) + 1 or len(text)
        parts.append(text[place : match.start()])
        place = end
    return "".join((*parts, text[place:]))


def _without_templates(text: str, variables: Mapping[str, str]) -> str:
    """Return a text without what is in double braces; text after unclosed braces is kept."""
    parts: list[str] = []
    place = depth = outermost = 0
    for match in _BRACES.finditer(text):
        if match[0] == "{{":
            if not depth:
                parts.append(text[place : match.start()])
                outermost = match.end()
            depth += 1
        elif depth:
            depth -= 1
            place = match.end()
            if not depth:
                before = parts[-1]
                line = before[before.rfind("\n") + 1 :]
                is_in_line = bool(line.strip(_MARKERS)) or text[place : place + 1] not in ("", "\n")
                parts.append(_in_place_of(text[outermost : match.start()], variables, is_in_line))
    return "".join((*parts, text[outermost if depth else place :]))


_LONGEST_CALL = 200


def _in_place_of(call: str, variables: Mapping[str, str], is_in_line: bool) -> str:
    name, *params = call.split("|")
    if name.strip() in variables:
        return variables[name.strip()]
    if not is_in_line or len(call) > _LONGEST_CALL or "\n" in call or "{{" in call or "[[" in call:
        return ""
    unnamed = [param.strip() for param in params if "=" not in param]
    return unnamed[-1] if unnamed and any(map(str.isalpha, unnamed[-1])) else ""


def _with_labels(text: str, titles: TitleCodec) -> str:
    """Return a text in which links are replaced by their labels, and files are removed."""
    levels: list[list[str]] = [[]]
    place = 0
    for match in _BRACKETS.finditer(text):
        levels[-1].append(text[place : match.start()])
        place = match.end()
        if match[0] == "[[":
            levels.append([])
        elif len(levels) > 1:
            inner = "".join(levels.pop())
            levels[-1].append(_label(inner, titles))
    levels[-1].append(text[place:])
    return "".join(piece for level in levels for piece in level)


def _label(inner: str, titles: TitleCodec) -> str:
    target, bar, rest = inner.partition("|")
    prefix, colon, _ = target.partition(":")
    if colon and prefix:
        title = titles.try_parse(f"{prefix}:x")
        is_language = not bar and is_known_language(prefix.lower())
        if title is not None and (
            title.ns in (FILE, CATEGORY) or (title.interwiki and is_language)
        ):
            return ""
    return (bar and rest.rpartition("|")[2]) or target.removeprefix(":")


def _line(line: str) -> Iterator[str]:
    """Yield the prose of a line; for a table row, cell by cell."""
    stripped = line.strip()
    if stripped.startswith(("{|", "|-", "|}")):
        return
    if stripped.startswith(("|", "!")):
        for cell in stripped[1:].replace("!!", "||").split("||"):
            attributes, bar, content = cell.partition("|")
            yield content if bar and "=" in attributes else cell
    elif stripped.startswith("="):
        yield stripped.strip("= ")
    elif stripped.strip("-"):
        yield stripped.lstrip(_MARKERS)


_LENGTH = 230
_LEAD = 90
"""The length of the lead that precedes an excerpt from further below."""
_BEFORE = 60
_MAX_MATCHES = 400
_ELLIPSIS = " … "


def excerpt(of: Prose, terms: re.Pattern[str] | None) -> Excerpt:
    """Return the beginning of a page, and the part with the most terms if that is further below.

    The terms are marked in both.
    """
    text = of.text
    matches = list(islice(terms.finditer(text), _MAX_MATCHES)) if terms else []
    best = _best(matches) if matches else None
    if best is None or _different(matches, 0, _LENGTH) >= _different(
        matches, best.start(), best.start() + _LENGTH - _LEAD
    ):
        end = _word_end(text, _LENGTH)
        spans, section = [(0, end)], None
    else:
        start = max(_LEAD, best.start() - _BEFORE)
        # It begins with a word: find() returns -1 if none begins in what may be left out.
        start = text.find(" ", start, start + _BEFORE // 2) + 1 or start
        lead = _word_end(text, min(_LEAD, start))
        end = _word_end(text, start + _LENGTH - _LEAD)
        spans = [(0, lead), (start, end)] if lead < start - 1 else [(0, end)]
        before = [heading for place, heading in of.headings if place <= best.start()]
        section = (before[-1] or None) if before else None
    parts: list[Part] = []
    for start, end in spans:
        if parts:
            parts.append(Part(_ELLIPSIS, match=False))
        parts += _marked(text, start, end, matches)
    if spans[-1][1] < len(text):
        parts.append(Part(_ELLIPSIS.rstrip(), match=False))
    return Excerpt(tuple(parts), section)


def _different(matches: list[re.Match[str]], start: int, end: int) -> int:
    """Return the number of different terms in a part of a text."""
    return len({m[0].lower() for m in matches if start <= m.start() and m.end() <= end})


def _best(matches: list[re.Match[str]]) -> re.Match[str]:
    """Return the match that begins the part with the largest number of different terms."""
    best, most = matches[0], 0
    for position, first in enumerate(matches):
        limit = first.start() + _LENGTH - _LEAD - _BEFORE
        near = [match for match in matches[position : position + 20] if match.end() <= limit]
        number = len({match[0].lower() for match in near})
        if number > most:
            best, most = first, number
    return best


def _marked(text: str, start: int, end: int, matches: list[re.Match[str]]) -> Iterator[Part]:
    place = start
    for match in matches:
        if place <= match.start() and match.end() <= end:
            if place < match.start():
                yield Part(text[place : match.start()], match=False)
            yield Part(match[0], match=True)
            place = match.end()
    if place < end:
        yield Part(text[place:end], match=False)


def _word_end(text: str, place: int) -> int:
    if place >= len(text):
        return len(text)
    space = text.rfind(" ", max(0, place - _BEFORE // 2), place)
    return place if space < 0 else space
