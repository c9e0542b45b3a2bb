"""What the pairing post-lexer keeps: tokens in the making, and brackets that are still open."""

from __future__ import annotations

from dataclasses import dataclass, field

TEXT = "TEXT"
STRAY_EQUALS = "STRAY_EQUALS"


@dataclass(slots=True)
class Event:
    """A token in the making: a type and a slice of the source; text until found to be more."""

    type: str
    start: int
    end: int
    ordinal: int = 0
    opened: list[str] | None = None
    """Of an opening run: the types of the tokens it turned into, the innermost first."""


@dataclass(slots=True)
class Piece:
    """An opening run of brackets, or a heading's ``=``, that waits for its other half."""

    opener: str
    """``{``, ``[``, ``-{`` or ``=``."""
    count: int
    start: int
    event: Event
    dash: bool = False
    """Whether a run of ``{`` follows a ``-`` that it may yet need."""
    pipes: list[Event] = field(default_factory=list)
    equals: list[Event] = field(default_factory=list)
    has_equals: bool = False
    """Whether the current part has found its ``=``."""
    comment_end: int = -1
    visual_end: int = -1

    @property
    def finds_pipe(self) -> bool:
        """Whether a ``|`` directly inside parts it."""
        return self.opener in ("{", "-{")

    @property
    def finds_equals(self) -> bool:
        """Whether a ``=`` directly inside parts a name from a value."""
        return bool(self.pipes) and not self.has_equals

    def add_pipe(self, event: Event) -> None:
        """Begin a new part."""
        self.pipes.append(event)
        self.has_equals = False

    def add_equals(self, event: Event) -> None:
        """Part the name from the value in the current part."""
        self.equals.append(event)
        self.has_equals = True

    def settle(self) -> None:
        """The innermost brackets of the run are matched: their separators become tokens."""
        for event in self.pipes:
            event.type = "PIPE"
        for event in self.equals:
            event.type = "EQUALS"
        self.pipes, self.equals, self.has_equals = [], [], False
