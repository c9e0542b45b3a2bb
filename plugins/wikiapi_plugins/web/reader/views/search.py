"""Search: redirects to the page if the query is a title, and shows results otherwise.

An excerpt of a result is taken from its text without markup.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup, escape

from wikiapi.http import Reply
from wikiapi.store.queries import revisions, texts
from wikiapi.title import CATEGORY, FILE, WIKITEXT, Title, TitleCodec
from wikiapi_plugins.query.search.matching import near_match
from wikiapi_plugins.query.search.prefixes import prefix_search
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.searching import (
    MOST,
    Result,
    Results,
    default_namespaces,
    search,
    suggestions,
)
from wikiapi_plugins.web.replies import NO_STORE, content_reply, redirect_reply

_PER_PAGE = 20
_SUGGESTIONS = 8


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result: a page, the redirect to it that matches better, if any, and an excerpt."""

    title: Title
    redirect: Title | None
    snippet: Markup
    timestamp: str
    length: int


def show_search(context: ViewContext, _: Title | None = None) -> Reply:
    """Show the results for ``search`` from ``offset`` on; ``fulltext`` prevents the redirect.

    With ``suggest``, the text typed so far, the answer is JSON with suggestions for the search box.
    """
    if started := context.param("suggest").strip():
        suggested = suggestions(
            context.site, started, default_namespaces(context.site), _SUGGESTIONS
        )
        items = [
            {
                "title": title.prefixed_text,
                "redirect": redirect.prefixed_text if redirect else None,
            }
            for title, redirect in suggested
        ]
        body = json.dumps(items, ensure_ascii=False).encode("utf-8", "replace")
        return content_reply(body, "application/json", cache=NO_STORE)
    text = context.param("search").strip()
    if text and "fulltext" not in context.request.params:
        row = near_match(context.site, text)
        if row is not None:
            return redirect_reply(context.url(context.site.titles.make(*row.key)))
    offset = min(context.number("offset") or 0, MOST)
    everywhere = context.param("ns") == "all"
    site = context.site
    spaces = site.namespaces.ids() if everywhere else default_namespaces(site)
    has_index = bool(context.db.full_text)
    results = search(site, text, spaces) if text and has_index else Results()
    titles: tuple[Title, ...] = ()
    if text and not has_index:
        matches = prefix_search(site, text, spaces, _PER_PAGE, offset)
        titles = tuple(title for title, _ in matches)
    return context.render(
        "search.html",
        context.text("search-results"),
        text=text,
        titles=titles,
        results=results,
        hits=_hits(context, results, results.hits[offset : offset + _PER_PAGE]),
        offset=offset,
        last=offset + min(_PER_PAGE, len(results.hits) - offset),
        following=offset + _PER_PAGE if offset + _PER_PAGE < len(results.hits) else None,
        everywhere=everywhere,
        has_index=has_index,
    )


def _hits(context: ViewContext, results: Results, results_of_page: Sequence[Result]) -> list[Hit]:
    """Return the results to show, except pages with suppressed text. Two queries."""
    latest = [result.row.latest for result in results_of_page]
    contents = texts.of_revisions(context.db, latest)
    edits = revisions.by_ids(context.db, latest)
    make = context.site.titles.make
    hits = []
    for row, redirect, _ in results_of_page:
        stored = contents.get(row.latest)
        if stored is None or stored.text is None:
            continue
        is_wikitext = stored.model == WIKITEXT
        text = plain_text(stored.text, context.site.titles) if is_wikitext else stored.text
        edit = edits.get(row.latest)
        hits.append(
            Hit(
                make(*row.key),
                make(*redirect.key) if redirect else None,
                excerpt(text, results.terms),
                edit.timestamp if edit else "",
                row.length,
            )
        )
    return hits


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
    # First without the elements whose content is not prose.
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
    text = "".join((*parts, text[place:]))
    text = _without_templates(text)
    text = _EXTERNAL.sub(r"\1", _with_labels(text, titles))
    text = _SWITCH.sub("", _QUOTES.sub("", _TAG.sub("", _BREAK.sub(" ", text))))
    words = " ".join(line for raw in text.split("\n") for line in _line(raw)).split()
    return html.unescape(" ".join(words))


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
    parts = [Markup("… ") if start else Markup()]
    place = start
    for match in matches:
        if place <= match.start() and match.end() <= end:
            parts.append(escape(text[place : match.start()]))
            parts.append(Markup('<mark class="searchmatch">{}</mark>').format(match[0]))
            place = match.end()
    parts.append(escape(text[place:end]))
    return Markup().join([*parts, Markup(" …") if end < len(text) else Markup()])


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
