"""LabeledSectionTransclusion: ``<section begin=name />`` and ``{{#section:Page|name}}``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.title import MAIN, Title, resolve_subpage
from wikiapi.wikitext import (
    ExtensionTag,
    Frame,
    FunctionCall,
    ParserFunction,
    ParseState,
    PluginState,
    decode_attributes,
    nodes,
    trim,
)
from wikiapi_plugins.extensions import BundledExtension

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "LabeledSectionTransclusion",
            description="Marks sections of pages and transcludes them",
            tags=[ExtensionTag(name, lambda call: "") for name in words_of(site.language).tags],
            functions=declarations(words_of(site.language)),
            messages=FOLDER / "messages",
        ),
    )


_NODES_IN_STEP = 8


_CHARACTERS_IN_STEP = 4096
NO_SECTION = "lst-invalid-section-category"
"""The message that names the category of pages that transclude missing sections."""


class Words(NamedTuple):
    """Names of the tag, and of its attributes for the beginning and end of a section."""

    tags: tuple[str, ...]
    begin: tuple[str, ...]
    end: tuple[str, ...]


_ENGLISH = Words(("section",), ("begin",), ("end",))
_LOCAL = MappingProxyType(
    {
        "de": Words(("abschnitt",), ("anfang",), ("ende",)),
        "he": Words(("קטע",), ("התחלה",), ("סוף",)),
        "pt": Words(("trecho",), ("começo",), ("fim",)),
    }
)


def words_of(language: str) -> Words:
    """Return the English words, and those of the wiki's content language if there are any."""
    local = _LOCAL.get(language.partition("-")[0])
    if local is None:
        return _ENGLISH
    return Words(*(one + other for one, other in zip(_ENGLISH, local, strict=True)))


@dataclass(frozen=True, slots=True)
class Source:
    """A page with its text, and the frame in which the text is expanded."""

    title: Title
    text: str
    frame: Frame

    def expanded(self, call: FunctionCall, content: nodes.Content) -> str:
        """Return the expansion of a part of the page's tree."""
        state = call.state
        with state.profile.measure(self.title.prefixed_text):
            return state.expander.expand(content, self.frame)


def source_of(call: FunctionCall) -> Source | str:
    """Return the page that the first argument names, or the text to show instead.

    That text is a link if the page does not exist, and an error if pages include each other.
    """
    state, frame, expander = call.state, call.frame, call.state.expander
    name = call.first
    if name.startswith(("/", "../")):
        resolved = resolve_subpage(call.title, name)
        name = resolved[0] if resolved else name
    title = call.site.titles.try_parse(name, MAIN)
    title = title if title and title.dbkey and not title.interwiki else None
    if title is None:
        state.notices.add_tracking_category(NO_SECTION)
        return ""
    limit = state.usage.ceilings.expansion_depth
    if frame.depth >= limit:
        expander.note_place_dependent()
        return state.messages.error("parser-template-recursion-depth-warning", limit)
    if title.namespace.is_virtual or title.namespace.nonincludable:
        return f"[[:{title.prefixed_text}]]"
    if frame.is_active(title):
        return _loop(call, title)
    target, text = state.templates.find(title, frame)
    if text is None and target.key != title.key:
        # The target of a redirect does not exist: use the text of the redirect itself.
        text = state.templates.text(title, frame)
    if text is None:
        return f"[[:{title.prefixed_text}]]"
    if frame.is_active(text.title):
        return _loop(call, text.title)
    # Each call searches the whole page for its section.
    state.budget.step(len(text.text) // _CHARACTERS_IN_STEP)
    return Source(text.title, text.text, frame.child(text.title, ()))


def _loop(call: FunctionCall, title: Title) -> str:
    """Return the error message for a page that includes itself."""
    call.state.expander.note_place_dependent()
    return call.state.messages.error("parser-template-loop-warning", title.prefixed_text)


class _Section:
    """The content between two labels; an empty label is the beginning or end of the page."""

    def __init__(self, begin: str, end: str, words: Words) -> None:
        self._begin = begin
        self._end = end
        self._words = words
        self.is_found = not begin

    def split(self, content: nodes.Content) -> Iterator[tuple[bool, nodes.Node | None]]:
        """Yield the nodes of a page's tree without the labels, and whether each is in the section.

        ``None`` marks where the section begins, which may be several times: all parts of the page
        with the same label are one section.
        """
        inside = not self._begin
        if inside:
            yield True, None
        for node in content:
            if inside and self._end and self._is_label(node, self._words.end, self._end):
                inside = False
            elif not inside and self._is_label(node, self._words.begin, self._begin):
                inside = self.is_found = True
                yield True, None
            else:
                yield inside, node

    def _is_label(self, node: nodes.Node, attributes: tuple[str, ...], label: str) -> bool:
        if not label or not isinstance(node, nodes.Extension):
            return False
        if node.name.lower() not in self._words.tags:
            return False
        values = decode_attributes(node.attributes)
        return any(values.get(name) == label for name in attributes)


def _tree(source: Source, state: ParseState) -> nodes.Content:
    """Return the tree of a page, all nodes of which will be compared with labels."""
    tree = state.expander.tree(source.text, inclusion=True)
    state.budget.step(len(tree) // _NODES_IN_STEP)
    return tree


def section(call: FunctionCall, words: Words) -> str:
    """Return the sections of a page from one label to another, or the page if no label is given."""
    source = source_of(call)
    if isinstance(source, str):
        return source
    begin = call.expand(1)
    part = _Section(begin, call.expand(2) if len(call) > 2 else begin, words)
    tree = _tree(source, call.state)
    content = tuple(node for inside, node in part.split(tree) if inside and node is not None)
    if not part.is_found:
        call.state.notices.add_tracking_category(NO_SECTION)
    return source.expanded(call, content)


def section_x(call: FunctionCall, words: Words) -> str:
    """Return a page in which the sections from one label to another are replaced by a text."""
    source = source_of(call)
    if isinstance(source, str):
        return source
    begin, instead = call.expand(1), call.expand(2)
    left_out = _Section(begin, call.expand(3) or begin, words)
    tree = _tree(source, call.state)
    content = tuple(_outside(left_out, tree, instead)) if len(call) > 1 else tree
    return source.expanded(call, content)


def _outside(section: _Section, tree: nodes.Content, instead: str) -> Iterator[nodes.Node]:
    for inside, node in section.split(tree):
        if node is None:
            yield instead
        elif not inside:
            yield node


_HEADING_LINE = re.compile(r"^=.*", re.MULTILINE)
_NOINCLUDE = re.compile(r"<(/?)noinclude\s{0,9}>", re.IGNORECASE)
_LEVELS = 6
_HEADING_BYTES = 300
_HEADINGS_IN_STEP = 16


class _Heading(NamedTuple):
    """A heading: its level, its text in lower case, and where its line starts and ends."""

    level: int
    name: str
    start: int
    end: int


class Page(NamedTuple):
    """The text of a page and its headings."""

    text: str
    headings: list[_Heading]

    @classmethod
    def of(cls, text: str) -> Page:
        """Return a text with its headings."""
        headings: list[_Heading] = []
        for match in _HEADING_LINE.finditer(text):
            line = match[0].rstrip()
            opening = len(line) - len(line.lstrip("="))
            closing = len(line) - len(line.rstrip("="))
            level = min(opening, closing, _LEVELS)
            if opening < len(line) and level:
                name = line[level:-level].strip().lower()
                headings.append(_Heading(level, name, match.start(), match.end()))
        return cls(text, headings)

    def under_heading(self, name: str, until: str) -> str | None:
        """Return the text under a heading, or ``None`` if no heading has that name.

        With an empty name, return the text before the first heading. ``until`` names the heading
        to stop at, and is ignored if no later heading has that name.
        """
        text, headings = self
        start, level, following = 0, _LEVELS, headings
        if name:
            lower = name.lower()
            position = next((n for n, each in enumerate(headings) if each.name == lower), None)
            if position is None:
                return None
            start, level = headings[position].end, headings[position].level
            following = headings[position + 1 :]
        ends = [each for each in following if until and each.name == until.lower()]
        ends = ends or [each for each in following if each.level <= level]
        return text[start : ends[0].start] if ends else text[start:]


_PAGES: PluginState[dict[str, Page]] = PluginState(lambda state: {})
"""The pages of a rendering from which sections were taken, by their texts."""


def section_h(call: FunctionCall) -> str:
    """Return the text under a heading, up to a given one or the next of the same level."""
    source = source_of(call)
    if isinstance(source, str):
        return source
    pages = call.state.plugin(_PAGES)
    page = pages.get(source.text)
    if page is None:
        page = pages[source.text] = Page.of(without_noinclude(source.text))
        call.state.charge(len(page.headings) * _HEADING_BYTES)
    call.state.budget.step(len(page.headings) // _HEADINGS_IN_STEP)
    text = page.under_heading(call.expand(1), call.expand(2))
    if text is None:
        call.state.notices.add_tracking_category(NO_SECTION)
        return ""
    tree = call.state.expander.tree(trim(text))
    return trim(source.expanded(call, tree))


def without_noinclude(text: str) -> str:
    """Return a text without its ``<noinclude>`` elements; unpaired tags stay."""
    kept: list[str] = []
    position, opened = 0, None
    for match in _NOINCLUDE.finditer(text):
        if not match[1]:
            opened = match.start() if opened is None else opened
        elif opened is not None:
            kept.append(text[position:opened])
            position, opened = match.end(), None
    return "".join([*kept, text[position:]])


def declarations(words: Words) -> tuple[ParserFunction, ...]:
    """Return the functions of a wiki in which these words mark sections."""
    local = words.tags[1:]
    return (
        ParserFunction(
            "#section",
            partial(section, words=words),
            ("#lst", *(f"#{name}" for name in local)),
            raw=True,
        ),
        ParserFunction(
            "#section-x",
            partial(section_x, words=words),
            ("#lstx", *(f"#{name}-x" for name in local)),
            raw=True,
        ),
        ParserFunction("#section-h", section_h, ("#lsth",), raw=True),
    )
