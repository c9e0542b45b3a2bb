"""The footnotes of a page, collected until a list shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from wikiapi.wikitext import StripState
from wikiapi_plugins.extensions.cite.arguments import Problem, RefArguments

DEFAULT_GROUP = ""


@dataclass(slots=True, eq=False)
class Footnote:
    """A note on one or more places in the text.

    ``serial`` numbers all footnotes of the page. ``number`` is the position in the group's list, or
    among the details of another footnote, ``whole``; it is 0 for the continuation of a footnote on
    an earlier page, which is shown without a number. ``uses`` counts the places that refer to the
    footnote. ``problem`` is the first one found, and the only one that the page shows.
    """

    serial: int
    group: str
    name: str
    number: int = 0
    whole: Footnote | None = None
    pieces: list[str] = field(default_factory=list)
    """The text followed by its continuations; empty if no ``<ref>`` gave a text."""
    direction: str = ""
    uses: int = 0
    problem: Problem | None = None
    details: dict[str, Footnote] = field(default_factory=dict)
    """Footnotes that add details to this one, by their texts."""

    @property
    def text(self) -> str | None:
        """The text as wikitext, ``None`` if no ``<ref>`` gave one."""
        return " ".join(self.pieces) if self.pieces else None

    def define(self, arguments: RefArguments, strip: StripState) -> None:
        """Set the text to that of a ``<ref>``; note a problem if another text was set already.

        Texts are compared after their strip markers have been resolved by ``strip``.
        """
        self.problem = self.problem or arguments.problem or self._contradiction(arguments, strip)
        text = arguments.content
        if text is not None and not self.pieces:
            self.pieces, self.direction = [text], arguments.direction

    def extend(self, arguments: RefArguments) -> None:
        """Append the text of a ``<ref>``, ignoring its problems."""
        self.pieces = self.pieces or [""]
        self.pieces.append(arguments.content or "")

    def detail(self, text: str, serial: int) -> Footnote:
        """Return the footnote with these details, adding it with the serial if it is new."""
        note = self.details.get(text)
        if note is None:
            number = len(self.details) + 1
            note = Footnote(serial, self.group, "", number, whole=self, pieces=[text])
            self.details[text] = note
        return note

    def snapshot(self) -> Callable[[], None]:
        """Return a function that restores the current state."""
        direction, uses, problem = self.direction, self.uses, self.problem
        pieces, details = len(self.pieces), len(self.details)

        def undo() -> None:
            self.direction, self.uses, self.problem = direction, uses, problem
            del self.pieces[pieces:]
            while len(self.details) > details:
                self.details.popitem()

        return undo

    def _contradiction(self, arguments: RefArguments, strip: StripState) -> Problem | None:
        text, direction = arguments.content, arguments.direction
        if text is not None and self.pieces:
            defined = self.text or ""
            if text != defined and strip.unstrip_both(text) != strip.unstrip_both(defined):
                return Problem.of("cite_error_references_duplicate_key", self.name)
        if direction and self.direction not in ("", direction):
            return Problem.of("cite_error_ref_conflicting_dir", self.name)
        return None


@dataclass(slots=True)
class _Group:
    notes: list[Footnote] = field(default_factory=list)
    named: dict[str, Footnote] = field(default_factory=dict)
    loose: list[Footnote] = field(default_factory=list)
    """Continuations of footnotes that are on an earlier page."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A ``<ref>`` that was pushed, and how to undo it."""

    arguments: RefArguments
    undo: tuple[Callable[[], None], ...]


class FootnoteStack:
    """Collects the footnotes in the order of the text, until a list takes them."""

    def __init__(self, strip: StripState) -> None:
        """Start without footnotes; ``strip`` resolves the strip markers in their texts."""
        self._strip = strip
        self._groups: dict[str, _Group] = {}
        self._calls: list[_Call | None] = []
        self._serial = 0

    @property
    def groups(self) -> list[str]:
        """The groups that have footnotes, in the order of the text."""
        return list(self._groups)

    def find(self, group: str, name: str) -> Footnote | None:
        """Return the footnote of a name, or ``None``."""
        notes = self._groups.get(group)
        return notes.named.get(name) if notes else None

    def take(self, group: str) -> list[Footnote]:
        """Return the footnotes of a group in the order of a list, and remove them."""
        notes = self._groups.pop(group, None)
        return [*notes.loose, *notes.notes] if notes else []

    def push_invalid(self) -> None:
        """Record a ``<ref>`` that makes no footnote, for `roll_back` to count."""
        self._calls.append(None)

    def push(self, arguments: RefArguments) -> Footnote | None:
        """Add a ``<ref>``; return its footnote, or ``None`` if it only continues another one."""
        if arguments.follow:
            self._calls.append(_Call(arguments, (self._follow(arguments),)))
            return None
        group = arguments.group or DEFAULT_GROUP
        note = self.find(group, arguments.name) if arguments.name else None
        if note is None:
            in_group = self._groups.setdefault(group, _Group())
            self._serial += 1
            note = Footnote(self._serial, group, arguments.name, len(in_group.notes) + 1)
            in_group.notes.append(note)
            if arguments.name:
                in_group.named[arguments.name] = note
            note.direction = arguments.direction
            undo = self._removing(note)
        else:
            undo = note.snapshot()
        self.define(note, arguments)
        used = note
        if arguments.details:
            self._serial += arguments.details not in note.details
            used = note.detail(arguments.details, self._serial)
        self._calls.append(_Call(arguments, (used.snapshot(), undo)))
        used.uses += 1
        return used

    def define(self, note: Footnote, arguments: RefArguments) -> None:
        """Set the text of a footnote from a ``<ref>``."""
        note.define(arguments, self._strip)

    def roll_back(self, count: int) -> list[RefArguments]:
        """Undo the last ``count`` calls; return the arguments of the valid ones, oldest first."""
        undone = []
        for _ in range(min(count, len(self._calls))):
            if call := self._calls.pop():
                undone.append(call.arguments)
                for undo in call.undo:
                    undo()
        return undone[::-1]

    def _follow(self, arguments: RefArguments) -> Callable[[], None]:
        """Add a ``<ref>`` as the continuation of another; return a function that undoes that."""
        group = arguments.group or DEFAULT_GROUP
        note = self.find(group, arguments.follow)
        if note is None:
            self._serial += 1
            note = Footnote(self._serial, group, "")
            note.define(arguments, self._strip)
            self._groups.setdefault(group, _Group()).loose.append(note)
            return self._removing(note)
        undo = note.snapshot()
        note.extend(arguments)
        return undo

    def _removing(self, note: Footnote) -> Callable[[], None]:
        return lambda: self._remove(note)

    def _remove(self, note: Footnote) -> None:
        """Remove the footnote that was added last, unless a list has taken it."""
        group = self._groups.get(note.group)
        if group is None:
            return
        notes = group.notes if note.number else group.loose
        if notes and notes[-1] is note:
            notes.pop()
            group.named.pop(note.name, None)
        if not group.notes and not group.loose:
            del self._groups[note.group]
