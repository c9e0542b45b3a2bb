"""The post-lexer that pairs brackets, tags and headings, so that the grammar can be LALR.

A stack holds everything that is open. A closing run closes the top of the stack, or is text if it
does not match. What is still open at the end is text as well. Each token is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from lark import Token

from wikiapi.wikitext.preprocess.scanner import RawText, Reading
from wikiapi.wikitext.preprocess.tags import TagScanner, blanks_end

_MAX_HEADING = 6
_CLOSERS = {"{": 3, "[": 2}
_BLANKS = " \t"
_AT_ONCE = 1024
"""Number of terminals, and of tokens, between two looks at the request's budget."""
_TERMINALS_IN_STEP = 8
"""Number of terminals that take about as long as a step of the budget."""
_EVENT_BYTES = 140
"""The size in memory of an event with its positions."""


class Separators(NamedTuple):
    """Where the separators of a call are, counted from its first character."""

    pipes: Sequence[int] = ()
    equals: Sequence[int] = ()


_NO_SEPARATORS = Separators()


class PairedToken(Token):
    """A token with its position in the text, but without line and column."""

    line = column = end_line = end_column = end_pos = None
    ordinal: int
    """Of a closing heading token: the number of the heading, from 1. Otherwise unused."""
    separators: Separators
    """Of a flat call. Otherwise unused."""

    def __new__(
        cls,
        kind: str,
        text: str,
        start: int,
        ordinal: int = 0,
        separators: Separators = _NO_SEPARATORS,
    ) -> PairedToken:
        """Create a token for ``text``, which begins at ``start``."""
        token = str.__new__(cls, text)
        token.type, token.value, token.start_pos, token.ordinal = kind, text, start, ordinal
        token.separators = separators
        return token


class PairingPostLex:
    """Lark's ``postlex``. Stateless: each call creates its own :class:`_Pairing`."""

    always_accept = (
        "LEFT_BRACES",
        "RIGHT_BRACES",
        "LEFT_BRACKETS",
        "RIGHT_BRACKETS",
        "BAR",
        "EQUALS_RUN",
        "NEWLINE",
        "COMMENT_OPEN",
        "TAG_OPEN",
        "LESS_THAN",
        "TEXT",
    )

    def __init__(self, *, inclusion: bool) -> None:
        """With ``inclusion``, read texts as they are transcluded rather than as pages."""
        self._inclusion = inclusion

    def process(self, stream: RawText) -> Iterator[Token]:
        """Yield paired tokens for the raw terminals. Together they contain the whole text.

        Raises:
            BudgetExceeded: pairing and parsing the text takes more than the request may use.
        """
        return _Pairing(stream.reading, inclusion=self._inclusion).run(stream.terminals)


class _Pairing:
    """Pairs the brackets, tags and headings of one text."""

    def __init__(self, reading: Reading, *, inclusion: bool) -> None:
        self._reading = reading
        self._source = source = reading.source
        self._events: list[Event] = []
        self._merged = 0
        """The number of events that were replaced by those of flat calls."""
        self._stack: list[Piece] = []
        self._tags = TagScanner(source, inclusion=inclusion)
        self._headings = 0
        self._resume = 0
        self._first_line = 0
        self._handlers: dict[str, Callable[[int, int], None]] = {
            "LEFT_BRACES": self._open_braces,
            "RIGHT_BRACES": self._close_braces,
            "LEFT_BRACKETS": self._open_brackets,
            "RIGHT_BRACKETS": self._close_brackets,
            "BAR": self._bar,
            "EQUALS_RUN": self._equals_run,
            "COMMENT_OPEN": self._comment,
            "TAG_OPEN": self._tag,
        }

    def run(self, terminals: Iterable[re.Match[str]]) -> Iterator[Token]:
        """Yield all tokens, paired. The events are charged to the request's budget."""
        reading, terminals = self._reading, iter(terminals)
        self._skip_to_onlyinclude(0)
        # A heading may follow the first ``<onlyinclude>`` directly.
        self._first_line = self._resume
        while some := tuple(islice(terminals, _AT_ONCE)):
            for terminal in some:
                start, end = terminal.span()
                if end <= self._resume:
                    continue
                if start < self._resume:
                    self._plain(self._resume, end)
                elif handler := self._handlers.get(terminal.lastgroup or TEXT):
                    handler(start, end)
                else:
                    self._plain(start, end)
            reading.budget.step(len(some) // _TERMINALS_IN_STEP)
            events = len(self._events) + self._merged
            reading.budget.keep((events - reading.events) * _EVENT_BYTES)
            reading.events = events
        self._end_line(len(self._source))
        return self._emitted()

    def _plain(self, start: int, end: int) -> None:
        """Skip text; its first line end, if any, may end a heading.

        No event is recorded, since everything between events is text.
        """
        if self._stack and self._stack[-1].opener == "=":
            line_end = self._source.find("\n", start, end)
            if line_end >= 0:
                self._end_line(line_end)

    def _opening(self, start: int, end: int) -> Event:
        """Record and return an event for a run that is text unless it is closed later."""
        event = Event(TEXT, start, end)
        self._events.append(event)
        return event

    def _element(self, kind: str, start: int, end: int) -> None:
        self._events.append(Event(kind, start, end))
        self._resume = end

    # Brackets

    def _open_braces(self, start: int, end: int) -> None:
        count = end - start
        dash = start > 0 and self._source[start - 1] == "-"
        if count >= 2:
            event = self._opening(start, end)
            self._stack.append(Piece("{", event, count, dash, len(self._events)))
        elif dash:
            self._stack.append(Piece("-{", Event(TEXT, start, end)))

    def _open_brackets(self, start: int, end: int) -> None:
        self._stack.append(Piece("[", Event(TEXT, start, end), end - start))

    def _close_braces(self, start: int, end: int) -> None:
        while start < end:
            top = self._stack[-1] if self._stack else None
            if top and top.opener == "-{":
                if self._source.startswith("-", end):
                    self._stack.pop()
                start = end
            elif top and top.opener == "{" and end - start >= 2:
                size = min(end - start, top.count, _CLOSERS["{"])
                name = "ARGUMENT" if size == 3 else "TEMPLATE"
                begins_line = top.count == size and self._follows_newline(top.event.start)
                line = "LINE_" if begins_line else ""
                if self._is_flat(top, size):
                    self._merge(top, f"FLAT_{line}{name}", start + size)
                else:
                    if top.event.opened is None:
                        top.event.opened = []
                    top.event.opened.append(f"{line}{name}_OPEN")
                    top.settle()
                    self._events.append(Event(f"{name}_CLOSE", start, start + size))
                top.count -= size
                if top.count == 1 and top.dash:
                    top.opener = "-{"
                elif top.count < 2:
                    self._stack.pop()
                start += size
            else:
                return

    def _is_flat(self, piece: Piece, size: int) -> bool:
        """Return whether a call that is being closed has no other elements inside or around it."""
        run = piece.event
        inside = len(self._events) - piece.first_inside
        return run.end - run.start == size and inside == len(piece.pipes) + len(piece.equals)

    def _merge(self, piece: Piece, kind: str, end: int) -> None:
        """Replace the events of a flat call by a single one, which takes the parser less time."""
        start = piece.event.start
        separators = Separators(
            [event.start - start for event in piece.pipes],
            [event.start - start for event in piece.equals],
        )
        self._merged += len(self._events) - piece.first_inside + 1
        del self._events[piece.first_inside - 1 :]
        self._events.append(Event(kind, start, end, separators=separators))

    def _close_brackets(self, start: int, end: int) -> None:
        while end - start >= 2 and self._stack and self._stack[-1].opener == "[":
            top = self._stack[-1]
            start += 2
            top.count -= 2
            if top.count < 2:
                self._stack.pop()

    def _bar(self, start: int, end: int) -> None:
        if self._stack and self._stack[-1].finds_pipe:
            self._stack[-1].add_pipe(self._opening(start, end))

    # Headings and name separators

    def _equals_run(self, start: int, end: int) -> None:
        finds_equals = bool(self._stack) and self._stack[-1].finds_equals
        single_in_part = end - start == 1 and finds_equals
        begins_line = start == self._first_line or self._follows_newline(start)
        if begins_line and not single_in_part:
            count = min(end - start, _MAX_HEADING)
            self._stack.append(Piece("=", self._opening(start, start + count), count))
        elif finds_equals:
            event = Event(STRAY_EQUALS, start, start + 1)
            self._events.append(event)
            self._stack[-1].add_equals(event)

    def _follows_newline(self, position: int) -> bool:
        return position > 0 and self._source[position - 1] == "\n"

    def _end_line(self, end: int) -> None:
        """End a line that began with ``=``; it is a heading if it also ends with ``=``."""
        if not self._stack or self._stack[-1].opener != "=":
            return
        piece = self._stack.pop()
        level = self._heading_level(piece, end)
        if level:
            self._headings += 1
            piece.event.opened = ["HEADING_OPEN"]
            piece.event.ordinal = level
            self._events.append(Event("HEADING_CLOSE", end, end, self._headings))

    def _heading_level(self, piece: Piece, end: int) -> int:
        line_end = self._before_blanks(end)
        if piece.comment_end == line_end:
            line_end = self._before_blanks(piece.visual_end)
        start, length = piece.event.start, line_end
        while length > start and self._source[length - 1] == "=":
            length -= 1
        equals = line_end - length
        if length > start:
            return min(equals, piece.count)
        return min(_MAX_HEADING, (equals - 1) // 2)

    def _before_blanks(self, position: int) -> int:
        while position > 0 and self._source[position - 1] in _BLANKS:
            position -= 1
        return position

    # Comments and tags

    def _comment(self, start: int, _: int) -> None:
        blank_start = self._before_blanks(start)
        ends = self._tags.comments(start, alone=self._follows_newline(blank_start))
        if self._stack and self._stack[-1].opener == "=":
            piece = self._stack[-1]
            if piece.comment_end != blank_start:
                piece.visual_end = blank_start
            piece.comment_end = ends[0]
        if self._follows_newline(blank_start) and self._tags.ends_line(ends[-1]):
            self._line_comments(blank_start, ends)
        else:
            self._element("COMMENT", start, ends[0])

    def _line_comments(self, start: int, ends: list[int]) -> None:
        """Add comments that are alone on a line, each with the blanks after it."""
        for position, end in enumerate(ends):
            line_end = blanks_end(self._source, end)
            if position + 1 == len(ends):
                line_end += 1
            self._element("COMMENT", start, line_end)
            start = line_end

    def _tag(self, start: int, end: int) -> None:
        if tag := self._tags.tag(start, end):
            self._element(tag.type, start, tag.end)
        else:
            self._skip_to_onlyinclude(start)

    def _skip_to_onlyinclude(self, start: int) -> None:
        if end := self._tags.next_inclusion(start):
            self._element("IGNORED", start, end)

    # Output

    def _emitted(self) -> Iterator[Token]:
        """Yield tokens for the events, and for the text between them."""
        source, done = self._source, 0
        for number, event in enumerate(self._events):
            if not number % _AT_ONCE:
                self._reading.budget.check()
            if event.type == TEXT and not event.opened:
                continue
            literal = self._literal_length(event)
            if (text_end := event.start + literal) > done:
                yield PairedToken(TEXT, source[done:text_end], done)
            if event.opened:
                yield from self._opened(event, literal)
            else:
                yield self._token(event)
            done = event.end
        if done < len(source):
            yield PairedToken(TEXT, source[done:], done)

    @staticmethod
    def _sizes(event: Event) -> list[int]:
        opened = event.opened or []
        if opened == ["HEADING_OPEN"]:
            return [event.ordinal]
        return [3 if name.endswith("ARGUMENT_OPEN") else 2 for name in opened]

    def _literal_length(self, event: Event) -> int:
        if not event.opened or event.opened == ["HEADING_OPEN"]:
            return 0
        return event.end - event.start - sum(self._sizes(event))

    def _opened(self, event: Event, literal: int) -> Iterator[Token]:
        start = event.start + literal
        for name, size in zip(
            reversed(event.opened or []), reversed(self._sizes(event)), strict=True
        ):
            yield PairedToken(name, self._source[start : start + size], start)
            start += size
        if start < event.end:
            yield PairedToken(TEXT, self._source[start : event.end], start)

    def _token(self, event: Event) -> Token:
        text = self._source[event.start : event.end]
        return PairedToken(event.type, text, event.start, event.ordinal, event.separators)


TEXT = "TEXT"
STRAY_EQUALS = "STRAY_EQUALS"


@dataclass(slots=True)
class Event:
    """A future token: a type and a slice of the source. Its type may change when it is closed."""

    type: str
    start: int
    end: int
    ordinal: int = 0
    """Of a closing heading token: the number of the heading. Of an opening one: its level."""
    opened: list[str] | None = None
    """Of an opening run: the types of the tokens that it consists of, the innermost first."""
    separators: Separators = _NO_SEPARATORS
    """Of a flat call."""


@dataclass(slots=True)
class Piece:
    """An opening run of brackets, or of ``=`` at the start of a line, that is not yet closed."""

    opener: str
    """``{``, ``[``, ``-{`` or ``=``."""
    event: Event
    count: int = 0
    """The number of characters of the run that are not yet closed; unused for ``-{``."""
    dash: bool = False
    """Whether a ``-`` precedes a run of ``{``, so that its last brace may turn out to be ``-{``."""
    first_inside: int = 0
    """Of a run of ``{``: the number of events up to and including that of the run."""
    pipes: list[Event] = field(default_factory=list)
    equals: list[Event] = field(default_factory=list)
    has_equals: bool = False
    """Whether the current part already has its ``=``."""
    comment_end: int = -1
    """Of a heading: where the last comment in its line ends, or -1."""
    visual_end: int = -1
    """Of a heading: where its text ends before the comments that end at ``comment_end``."""

    @property
    def finds_pipe(self) -> bool:
        """Whether a ``|`` directly inside separates parts."""
        return self.opener in ("{", "-{")

    @property
    def finds_equals(self) -> bool:
        """Whether a ``=`` directly inside separates a name from a value."""
        return bool(self.pipes) and not self.has_equals

    def add_pipe(self, event: Event) -> None:
        """Begin a new part."""
        self.pipes.append(event)
        self.has_equals = False

    def add_equals(self, event: Event) -> None:
        """Separate the name from the value in the current part."""
        self.equals.append(event)
        self.has_equals = True

    def settle(self) -> None:
        """Turn the separators found so far into tokens, because the innermost brackets closed."""
        for event in self.pipes:
            event.type = "PIPE"
        for event in self.equals:
            event.type = "EQUALS"
        self.pipes, self.equals = [], []
