"""Plain-text excerpts of pages for search results.

The wikitext is only stripped of its markup, since rendering it would take longer than the search.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import islice

from markupsafe import Markup, escape

from wikiapi.title import CATEGORY, FILE, TitleCodec

_MAX_CHARACTERS = 60_000
"""Only this many characters of a text are considered."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_OPENING = re.compile(
    r"<(ref|references|math|chem|ce|gallery|style|timeline|score|imagemap|inputbox|templatedata"
    r"|syntaxhighlight|source|graph|mapframe|maplink)\b[^<>]*+>",
    re.IGNORECASE,
)
_BRACES = re.compile(r"\{\{|\}\}")
_BRACKETS = re.compile(r"\[\[|\]\]")
_EXTERNAL = re.compile(r"\[(?:[a-z]{2,10}:)?//[^\s\[\]]++[ \t]*+([^\[\]\n]*+)\]")
_BREAK = re.compile(r"</?(?:br|p|div|li|dd|dt|td|th|tr|h[1-6])\b[^<>]*+>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*+>")
_QUOTES = re.compile(r"'''*+")
_SWITCH = re.compile(r"__[A-Z]{3,30}__")
_MARKERS = "*#:; \t"


def plain_text(text: str, titles: TitleCodec) -> str:
    """Return the prose of a page on one line, without templates, files, references and markup."""
    text = _COMMENT.sub("", text[:_MAX_CHARACTERS])
    text = _without_elements(text)
    text = _without_templates(text)
    text = _EXTERNAL.sub(r"\1", _with_labels(text, titles))
    text = _SWITCH.sub("", _QUOTES.sub("", _TAG.sub("", _BREAK.sub(" ", text))))
    words = " ".join(line for raw in text.split("\n") for line in _line(raw)).split()
    return html.unescape(" ".join(words))


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


def _without_templates(text: str) -> str:
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
    return "".join((*parts, text[outermost if depth else place :]))


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
        if title is not None and (title.ns in (FILE, CATEGORY) or title.interwiki):
            return ""
    label = rest.rpartition("|")[2] if bar else target
    return label or target.removeprefix(":")


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
_BEFORE = 70
_MAX_MATCHES = 400


def excerpt(text: str, terms: re.Pattern[str] | None) -> Markup:
    """Return the part of a text with the most terms, in which they are marked.

    Without any terms in the text, return its beginning.
    """
    matches = list(islice(terms.finditer(text), _MAX_MATCHES)) if terms else []
    start = _best_start(matches)
    end = min(len(text), start + _LENGTH)
    start, end = _word_start(text, start), _word_end(text, end)
    shown = [Markup("… ") if start else Markup()]
    place = start
    for match in matches:
        if place <= match.start() and match.end() <= end:
            shown.append(escape(text[place : match.start()]))
            shown.append(Markup('<mark class="searchmatch">{}</mark>').format(match[0]))
            place = match.end()
    shown.append(escape(text[place:end]))
    return Markup().join([*shown, Markup(" …") if end < len(text) else Markup()])


def _best_start(matches: list[re.Match[str]]) -> int:
    """Return the start of the excerpt that contains the largest number of different terms."""
    best, most = 0, 0
    for position, first in enumerate(matches):
        limit = first.start() + _LENGTH - _BEFORE
        near = [match for match in matches[position : position + 20] if match.end() <= limit]
        number = len({match[0].lower() for match in near})
        if number > most:
            best, most = max(0, first.start() - _BEFORE), number
    return best


def _word_start(text: str, place: int) -> int:
    if not place:
        return 0
    space = text.find(" ", place, place + _BEFORE // 2)
    return place if space < 0 else space + 1


def _word_end(text: str, place: int) -> int:
    if place >= len(text):
        return len(text)
    space = text.rfind(" ", place - _BEFORE // 2, place)
    return place if space < 0 else space
