"""The footnotes of a page that no list has shown yet, by group and name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikiapi_plugins.extensions.cite.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.wikitext.expand.strip import StripState
    from wikiapi_plugins.extensions.cite.arguments import RefArguments

DEFAULT_GROUP = ""


@dataclass(slots=True)
class Footnote:
    """One entry of a list of references.

    ``serial`` counts all footnotes of the page, ``number`` those of a group's list; it is 0 for
    the end of a footnote of an earlier page, which has no number of its own. ``uses`` counts the
    places that refer to it. ``problem`` is the first there is: readers are told no other.
    """

    serial: int
    group: str
    name: str
    number: int = 0
    pieces: list[str] = field(default_factory=list)
    """The text, and what follows it; empty if there is none."""
    direction: str = ""
    uses: int = 0
    problem: Problem | None = None

    @property
    def text(self) -> str | None:
        """The text as wikitext, ``None`` if no ``<ref>`` gave one."""
        return " ".join(self.pieces) if self.pieces else None


@dataclass(slots=True)
class _Group:
    notes: list[Footnote] = field(default_factory=list)
    named: dict[str, Footnote] = field(default_factory=dict)
    loose: list[Footnote] = field(default_factory=list)
    """Ends of footnotes whose beginnings are not on the page."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A ``<ref>`` that was carried out, and how to undo it; no arguments if it was refused."""

    arguments: RefArguments | None
    undo: Callable[[], None]


class ReferenceStack:
    """Footnotes as they are met, until a list takes them."""

    def __init__(self, strip: StripState) -> None:
        """Compare texts with what this has put aside."""
        self._strip = strip
        self._groups: dict[str, _Group] = {}
        self._calls: list[_Call] = []
        self._serial = 0

    @property
    def groups(self) -> list[str]:
        """The groups that have footnotes, in the order in which they were met."""
        return list(self._groups)

    def find(self, group: str, name: str) -> Footnote | None:
        """A footnote by name."""
        found = self._groups.get(group)
        return found.named.get(name) if found else None

    def take(self, group: str) -> list[Footnote]:
        """The footnotes of a group as a list shows them, and forget them."""
        found = self._groups.pop(group, None)
        return [*found.loose, *found.notes] if found else []

    def refuse(self) -> None:
        """Note a ``<ref>`` that made no footnote."""
        self._calls.append(_Call(None, _nothing))

    def push(self, arguments: RefArguments) -> Footnote | None:
        """Carry out a ``<ref>``: the footnote it refers to, ``None`` if it shows no mark."""
        if arguments.follow:
            undo = self._follow(arguments)
            note = None
        else:
            note, undo = self._use(arguments)
        self._calls.append(_Call(arguments, undo))
        return note

    def roll_back(self, count: int) -> list[RefArguments]:
        """Undo the newest calls, and give those that made footnotes, the oldest first."""
        undone = []
        for _ in range(min(count, len(self._calls))):
            call = self._calls.pop()
            call.undo()
            if call.arguments:
                undone.append(call.arguments)
        return undone[::-1]

    def define(self, note: Footnote, arguments: RefArguments) -> None:
        """Give a footnote the text of a ``<ref>``, unless it has one."""
        note.problem = note.problem or arguments.problem
        text = arguments.content
        if text is not None and not note.pieces:
            note.pieces, note.direction = [text], arguments.direction
        elif note.problem is None:
            note.problem = self._contradiction(note, arguments)

    def _contradiction(self, note: Footnote, arguments: RefArguments) -> Problem | None:
        text, direction = arguments.content, arguments.direction
        if text is not None and not self._is_text(note, text):
            return Problem.of("cite_error_ref_duplicate_key", note.name)
        if direction and note.pieces and note.direction not in ("", direction):
            return Problem.of("cite_error_ref_conflicting_dir", note.name)
        return None

    def _is_text(self, note: Footnote, text: str) -> bool:
        known = note.text or ""
        return text == known or self._strip.unstrip_both(text) == self._strip.unstrip_both(known)

    def _use(self, arguments: RefArguments) -> tuple[Footnote, Callable[[], None]]:
        group = arguments.group or DEFAULT_GROUP
        note = self.find(group, arguments.name) if arguments.name else None
        if note is None:
            note = self._add(group, arguments)
            undo = _undo_add(self, note)
        else:
            undo = _undo_changes(note)
        note.uses += 1
        self.define(note, arguments)
        return note, undo

    def _add(self, name: str, arguments: RefArguments) -> Footnote:
        group = self._groups.setdefault(name, _Group())
        note = Footnote(self._next_serial(), name, arguments.name, len(group.notes) + 1)
        group.notes.append(note)
        if note.name:
            group.named[note.name] = note
        return note

    def forget(self, note: Footnote) -> None:
        """Take back the footnote that was added last, unless a list has taken it."""
        group = self._groups.get(note.group)
        if group is None:
            return
        notes = group.notes if note.number else group.loose
        if notes and notes[-1] is note:
            notes.pop()
            group.named.pop(note.name, None)
        if not group.notes and not group.loose:
            del self._groups[note.group]

    def _follow(self, arguments: RefArguments) -> Callable[[], None]:
        group = arguments.group or DEFAULT_GROUP
        note = self.find(group, arguments.follow)
        if note is None:
            note = Footnote(self._next_serial(), group, "")
            self._groups.setdefault(group, _Group()).loose.append(note)
            undo = _undo_add(self, note)
        else:
            undo = _undo_changes(note)
            note.pieces = note.pieces or [""]
        note.pieces.append(arguments.content or "")
        note.problem = note.problem or arguments.problem
        return undo

    def _next_serial(self) -> int:
        self._serial += 1
        return self._serial


def _nothing() -> None:
    """Undo what changed nothing."""


def _undo_add(stack: ReferenceStack, note: Footnote) -> Callable[[], None]:
    return lambda: stack.forget(note)


def _undo_changes(note: Footnote) -> Callable[[], None]:
    direction, uses, problem, known = note.direction, note.uses, note.problem, len(note.pieces)

    def undo() -> None:
        note.direction, note.uses, note.problem = direction, uses, problem
        del note.pieces[known:]

    return undo
