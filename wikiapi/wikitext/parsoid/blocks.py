"""Paragraphs, lists and indented text of Parsoid's HTML.

Parsoid makes them of the same lines as other HTML has, but elements that show nothing are parts of
their lines: a paragraph does not include those at its ends, one at the start of a line joins this
to the line before, and a category continues an item of a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wikiapi.texts import TRIMMED
from wikiapi.wikitext.block.headings import TOC_MARK
from wikiapi.wikitext.block.paragraphs import (
    ENTERS,
    LEAVES,
    LEAVES_TAG,
    PRE_CLOSE,
    PRE_OPEN,
    PREFIXES,
    QUOTE,
    RARE,
    STRIPPED_PRE,
    ListState,
)
from wikiapi.wikitext.parsoid.marks import BEGIN, COMMENT, ELEMENT, END, without_marks
from wikiapi.wikitext.parsoid.sources import CallSource, Sources, TagSource
from wikiapi.wikitext.preprocess.nodes import Template

_TOKEN = re.compile(
    r"<(?:!--mw([a-z])([0-9]{1,9})-->"
    rf"|(style\b[^<>]*+>[^<]*+</style>|{re.escape(TOC_MARK[1:])}))"
)
_LIST_MARKS = tuple(PREFIXES)
_SPECIAL = frozenset({*PREFIXES, *" \t\r"})
"""The characters that begin other lines than running text."""


class _Kind:
    """The kinds of tokens."""

    TEXT = "text"
    BLANK = "blank"
    """Blanks, a line break or a comment."""
    LINK = "link"
    """A link that shows nothing, such as a category."""
    META = "meta"
    """Another element that shows nothing."""
    CONTENTS = "contents"
    """The mark for the table of contents, which no paragraph includes."""
    STYLE = "style"
    BEGIN = "begin"
    """The start of a transclusion."""
    END = "end"
    """The end of a transclusion."""


class _Token(NamedTuple):
    kind: str
    text: str


_LINE_BREAK = _Token(_Kind.BLANK, "\n")
_OPENING, _CLOSING = _Token(_Kind.TEXT, "<p>"), _Token(_Kind.TEXT, "</p>")
_BR = _Token(_Kind.TEXT, "<br />")


def wrap_blocks(text: str, sources: Sources) -> str:
    """Return the text with paragraphs, lists and indented text as elements."""
    return _Wrapper(_Tokens(text, sources)).run(text)


class _Tokens:
    """Splits the lines of a text into tokens. What comes from an extension tag is one text."""

    def __init__(self, text: str, sources: Sources) -> None:
        self._sources = sources
        self._has_elements = _has_element(text)
        self._tag: int | None = None
        """The number of the tag that the text comes from."""

    def is_plain(self, line: str) -> bool:
        """Return whether the next line of a text has no marks or other tokens than text."""
        return not (
            "<!--mw" in line or self._tag is not None or (self._has_elements and _has_element(line))
        )

    def read(self, line: str) -> Iterator[_Token]:
        """Yield the tokens of the next line of a text."""
        position = 0
        glued = ""
        """What belongs to the next token."""
        for match in _TOKEN.finditer(line):
            before = line[position : match.start()]
            position = match.end()
            if self._tag is not None:
                glued += before + match[0]
                if match[1] == END and int(match[2]) == self._tag:
                    self._tag = None
                    yield _Token(_kind_of_result(glued), glued)
                    glued = ""
                continue
            if before:
                yield _text_token(glued, before)
                glued = ""
            kind = self._kind(match)
            if kind is None:
                glued += match[0]
            else:
                yield _Token(kind, glued + match[0])
                glued = ""
        if glued or position < len(line):
            rest = line[position:]
            yield (
                _text_token(glued, rest) if self._tag is None else _Token(_Kind.TEXT, glued + rest)
            )

    def _kind(self, match: re.Match[str]) -> str | None:
        """Return the kind of a mark or element; ``None`` if it belongs to what follows it."""
        if match[3]:
            return _Kind.STYLE if match[3].startswith("style") else _Kind.CONTENTS
        kind, number = match[1], int(match[2])
        if kind == ELEMENT:
            html = self._sources.element_html(number)
            if html.startswith("<!--"):
                return _Kind.BLANK
            return _Kind.LINK if html.startswith("<link") else _Kind.META
        if kind not in (BEGIN, END):
            return None
        source = self._sources.get(number)
        if isinstance(source, TagSource):
            if kind == BEGIN:
                self._tag = number
            return None if kind == BEGIN else _Kind.TEXT
        if isinstance(source, CallSource) and isinstance(source.node, Template):
            return _Kind.BEGIN if kind == BEGIN else _Kind.END
        return _Kind.META


def _has_element(text: str) -> bool:
    """Return whether there is an element in a text that is a token of its own."""
    return "<style" in text or TOC_MARK in text


def _text_token(glued: str, text: str) -> _Token:
    is_blank = not glued and not text.strip(" \t\r")
    return _Token(_Kind.BLANK if is_blank else _Kind.TEXT, glued + text)


def _kind_of_result(marked: str) -> str:
    """Return the kind of the result of a tag, which is between its marks."""
    html = without_marks(marked).strip()
    if not html:
        return _Kind.META
    return _Kind.STYLE if html.startswith("<style") else _Kind.TEXT


class _Wrapper:
    """Converts one text, line by line."""

    def __init__(self, tokens: _Tokens) -> None:
        self._tokens = tokens
        self._out: list[str] = []
        self._held: list[_Token] = []
        """Tokens of complete lines, while it is not known where the paragraph ends."""
        self._waiting: list[_Token] = []
        """Line breaks after them, with blanks between these."""
        self._breaks = 0
        """The number of these line breaks."""
        self._line: list[_Token] = []
        """The tokens of the line so far."""
        self._has_text = self._has_block = False
        """Whether the line has text, and tags of blocks."""
        self._leaves_block = False
        """Whether text after the line's tags of blocks is put into paragraphs."""
        self._in_paragraph = False
        self._begun: set[str] = set()
        """The numbers of transclusions in the paragraph, on complete lines."""
        self._in_block = False
        self._in_pre = False
        self._in_indented = False
        self._in_quote = False
        self._lists = ListState(terms_apart=False)
        self._after_item: list[_Token] = []
        """Tokens after the last text of an item. If the list ends there, they follow it."""
        self._has_rare = False

    def run(self, text: str) -> str:
        self._has_rare = bool(RARE.search(text))
        tokens = self._tokens
        for index, line in enumerate(text.split("\n")):
            if index:
                if self._line or self._has_block:
                    self._end_line()
                self._waiting.append(_LINE_BREAK)
                self._breaks += 1
            if not tokens.is_plain(line):
                self._take(list(tokens.read(line)))
            elif self._in_pre or line[:1] in _SPECIAL:
                self._take([_text_token("", line)] if line else [])
            else:
                self._close_indented()
                if line:
                    self._take_text(line)
                    if self._has_rare:
                        self._in_pre = bool(PRE_OPEN.search(line)) and not PRE_CLOSE.search(line)
        self._end_line()
        self._close_list()
        self._end_line()
        self._close_indented()
        self._close_paragraph(self._held)
        self._release(is_block=False)
        if self._in_paragraph:
            self._out.append(_CLOSING.text)
        return "".join(self._out)

    # Lines

    def _take(self, tokens: Sequence[_Token]) -> None:
        if not tokens and not self._in_pre:
            self._close_indented()
            return
        first, last = _texts_of(tokens)
        text = tokens[0].text if (first, last) == (0, 1) else _joined(tokens[first:last])
        opens_pre = self._has_rare and PRE_OPEN.search(text) is not None
        closes_pre = self._has_rare and PRE_CLOSE.search(text) is not None
        if self._in_pre:
            self._take_raw(tokens)
        else:
            before = tokens[:first]
            if text.startswith(_LIST_MARKS) and not any(_is_space(token) for token in before):
                end = _end_of_item(text)
                self._take_item(before, text[:end])
                if end < len(text):
                    self._close_list()
                    self._take_text(text[end:])
            elif self._is_indented(tokens, text):
                self._take_indented(tokens)
                return
            else:
                self._close_indented()
                if before:
                    self._take_invisible(before)
                if text:
                    self._take_text(text)
            if last < len(tokens):
                self._take_invisible(tokens[last:])
        if opens_pre or closes_pre:
            self._in_pre = not closes_pre

    def _end_line(self) -> None:
        if self._has_block:
            self._close_paragraph(self._line)
            self._in_block = not self._leaves_block
        elif self._has_text and not (self._in_block or self._in_paragraph):
            self._open_paragraph(self._line)
        if self._in_paragraph:
            self._begun |= _starts(self._line)
        self._held += self._line
        self._line = []
        self._has_text = self._has_block = self._leaves_block = False

    def _take_raw(self, tokens: Sequence[_Token]) -> None:
        """Take a line within ``<pre>``."""
        self._out += _texts([*self._held, *self._waiting, *self._line, *tokens])
        self._held, self._waiting, self._line = [], [], []
        self._breaks = 0
        self._has_block = self._leaves_block = True

    def _take_text(self, text: str) -> None:
        if self._lists.prefix:
            if self._breaks == 0:
                self._out += (*_texts(self._after_item), text)
                self._after_item = []
                return
            self._close_list()
        leaves, has_block = _blocks_in(text)
        begins = has_block and bool(_BLOCK_START.match(text))
        self._release(is_block=begins)
        if has_block:
            self._close_paragraph(self._held)
            self._has_block, self._leaves_block = True, leaves
            for match in QUOTE.finditer(text) if self._has_rare else ():
                self._in_quote = not match[1]
        else:
            self._has_text = True
        self._line.append(_Token(_Kind.TEXT, text))

    def _take_invisible(self, tokens: Sequence[_Token]) -> None:
        for token in tokens:
            if self._lists.prefix:
                self._take_after_item(token)
            elif self._breaks == 0:
                self._out += _texts(self._held)
                self._held = []
                self._line.append(token)
            elif token.kind is _Kind.BLANK:
                self._waiting.append(token)
            else:
                # Line breaks immediately before such a link do not count.
                counted = len(self._waiting)
                while (
                    counted and token.kind is _Kind.LINK and _is_space(self._waiting[counted - 1])
                ):
                    counted -= 1
                uncounted = self._waiting[counted:]
                self._breaks -= uncounted.count(_LINE_BREAK)
                if self._breaks > 1:
                    self._waiting = self._waiting[:counted]
                    self._release(is_block=False)
                    self._held += uncounted
                else:
                    self._held += self._waiting
                self._waiting = []
                self._breaks = 0
                self._line.append(token)

    # Lists

    def _take_item(self, before: Sequence[_Token], text: str) -> None:
        prefix = text[: len(text) - len(text.lstrip(PREFIXES))]
        if self._lists.prefix and self._breaks == 1:
            between = [token for token in self._waiting if token is not _LINE_BREAK]
            self._out += _texts([*self._after_item, *between, *before])
            self._after_item, self._waiting = [], []
            self._breaks = 0
        else:
            self._close_list()
            self._close_indented()
            self._take_invisible(before)
            self._release(is_block=True)
            self._out += _texts(self._line)
            self._line = []
        html, rest = self._lists.line(prefix, text[len(prefix) :])
        self._out += (html, rest.strip(TRIMMED))

    def _take_after_item(self, token: _Token) -> None:
        """Take a token that shows nothing, on the line of an item or after it."""
        if self._breaks and token.kind is not _Kind.LINK:
            self._waiting.append(token)
        elif self._breaks > 1 and not all(map(_is_space, self._waiting)):
            self._close_list()
            self._take_invisible((token,))
        elif self._breaks or self._after_item:
            self._after_item += (*self._waiting, token)
            self._waiting = []
            self._breaks = 0
        else:
            self._out.append(token.text)

    def _close_list(self) -> None:
        """Close the open lists, and take what is waiting after them."""
        if not self._lists.prefix:
            return
        self._out += (self._lists.close_all(), *_texts(self._after_item))
        self._after_item = []
        waiting, self._waiting = self._waiting, []
        self._breaks = 0
        for token in waiting:
            if token is _LINE_BREAK:
                self._end_line()
                self._waiting.append(_LINE_BREAK)
                self._breaks += 1
            else:
                self._take_invisible((token,))

    # Indented text

    def _is_indented(self, tokens: Sequence[_Token], text: str) -> bool:
        if self._in_block or self._in_quote or not (text or self._in_indented):
            return False
        start = next(filter(_is_start, tokens), None)
        if start is None or not start.text.startswith(" "):
            return False
        return not _blocks_in(text)[1]

    def _take_indented(self, tokens: Sequence[_Token]) -> None:
        self._close_list()
        at = next(at for at, token in enumerate(tokens) if _is_start(token))
        before, rest = tokens[:at], _joined(tokens[at:])
        if self._in_indented:
            self._out += _texts([*self._waiting, *before])
            self._waiting = []
            self._breaks = 0
        else:
            self._take_invisible(before)
            self._release(is_block=True)
            self._out += (*_texts(self._line), "<pre>")
            self._line = []
            self._in_indented = True
        self._out.append(rest[1:])

    def _close_indented(self) -> None:
        if self._in_indented:
            self._out.append("</pre>")
            self._in_indented = False

    # Paragraphs

    def _release(self, *, is_block: bool) -> None:
        """Write what is held and waiting, before the text of a line or before a block."""
        held, waiting, breaks = self._held, iter(self._waiting), self._breaks
        if breaks > 1 and not self._in_block:
            self._close_paragraph(held)
            held.append(_next_break(waiting, held))
            breaks -= 1
            parity = breaks % 2
            for left in range(breaks, 0, -1):
                line_break = _next_break(waiting, held)
                if left % 2 != parity:
                    held.append(_BR)
                else:
                    if self._in_paragraph:
                        held.append(_CLOSING)
                    self._in_paragraph = left > 1
                    self._begun = set()
                    if self._in_paragraph:
                        held.append(_OPENING)
                held.append(line_break)
        if is_block:
            self._close_paragraph(held)
        self._out += [token.text for token in (*held, *waiting)]
        self._held, self._waiting = [], []
        self._breaks = 0

    def _open_paragraph(self, tokens: list[_Token]) -> None:
        """Insert the tag before the first text, and the start of the transclusion that has it."""
        start = None
        at = 0
        for at, token in enumerate(tokens):
            if token.kind is _Kind.BEGIN:
                start = at
            elif token.kind in (_Kind.END, _Kind.CONTENTS):
                start = None
            elif token.kind not in _INVISIBLE:
                break
        tokens.insert(at if start is None else start, _OPENING)
        self._in_paragraph = True
        self._begun = set()

    def _close_paragraph(self, tokens: list[_Token]) -> None:
        """Insert the tag after the last text, and the end of the transclusion that has it.

        The end of a transclusion that began before the paragraph remains behind the tag.
        """
        if not self._in_paragraph:
            return
        begun = self._begun | _starts(tokens)
        end = None
        at = len(tokens)
        while at:
            kind = tokens[at - 1].kind
            if kind is _Kind.END:
                if COMMENT.findall(tokens[at - 1].text)[-1][1] in begun:
                    end = at
            elif kind in (_Kind.BEGIN, _Kind.CONTENTS):
                end = None
            elif kind not in _INVISIBLE:
                break
            at -= 1
        tokens.insert(at if end is None else end, _CLOSING)
        self._in_paragraph = False


_INVISIBLE = frozenset({_Kind.BLANK, _Kind.LINK, _Kind.META, _Kind.CONTENTS})
_BLOCK_START = re.compile(
    rf"(?:<!--mw[^<>]*+>)*+(?:{ENTERS.pattern}|{LEAVES.pattern})", re.IGNORECASE
)

_BLOCK_TAG = re.compile(
    r"<(/?)(?:address|article|aside|blockquote|center|d[dlt]|div|figure|h[1-6]|li|nav|[ou]l|p"
    r"|section|t(?:able|body|d|foot|h|head|r))\b[^<>]*+>",
    re.IGNORECASE,
)


def _end_of_item(text: str) -> int:
    """Return where the text of an item ends: before a tag that closes a block around the list."""
    depth = 0
    for match in _BLOCK_TAG.finditer(text) if "</" in text else ():
        if match[1] and not depth:
            return match.start()
        depth += -1 if match[1] else 1
    return len(text)


def _texts_of(tokens: Sequence[_Token]) -> tuple[int, int]:
    """Return where the tokens of a line from its first to its last text begin and end."""
    if len(tokens) == 1:
        return (0, 1) if tokens[0].kind is _Kind.TEXT else (1, 1)
    places = [at for at, token in enumerate(tokens) if token.kind is _Kind.TEXT]
    return (places[0], places[-1] + 1) if places else (len(tokens), len(tokens))


def _blocks_in(text: str) -> tuple[bool, bool]:
    """Return whether a text has tags after which text is put into paragraphs, or any of blocks."""
    if "<" not in text and "\x7f" not in text:
        return False, False
    leaves = STRIPPED_PRE in text or LEAVES_TAG.search(text) is not None
    return leaves, leaves or ENTERS.search(text) is not None


def _is_start(token: _Token) -> bool:
    """Return whether a line begins with a token, before which are only comments and marks."""
    return token.kind in (_Kind.TEXT, _Kind.LINK) or _is_space(token)


def _is_space(token: _Token) -> bool:
    return token.kind is _Kind.BLANK and not token.text.startswith("<")


def _starts(tokens: Sequence[_Token]) -> set[str]:
    """Return the numbers of transclusions that begin, after the start of a paragraph if any."""
    starts: set[str] = set()
    for token in tokens:
        if token is _OPENING:
            starts.clear()
        elif "<!--mw" in token.text:
            marks = COMMENT.findall(token.text)
            starts.update(number for kind, number in marks if kind == BEGIN)
    return starts


def _texts(tokens: Sequence[_Token]) -> list[str]:
    return [token.text for token in tokens]


def _joined(tokens: Sequence[_Token]) -> str:
    return "".join(_texts(tokens))


def _next_break(waiting: Iterator[_Token], held: list[_Token]) -> _Token:
    """Return the next line break that is waiting; what is before it is held."""
    for token in waiting:
        if token is _LINE_BREAK:
            break
        held.append(token)
    return _LINE_BREAK
