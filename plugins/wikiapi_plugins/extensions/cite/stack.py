"""The footnotes of a page that no list has shown yet, by group and name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikiapi_plugins.extensions.cite.footnote import Footnote

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.wikitext.expand.strip import StripState
    from wikiapi_plugins.extensions.cite.arguments import RefArguments

DEFAULT_GROUP = ""


@dataclass(slots=True)
class _Group:
    notes: list[Footnote] = field(default_factory=list)
    named: dict[str, Footnote] = field(default_factory=dict)
    loose: list[Footnote] = field(default_factory=list)
    """Ends of footnotes whose beginnings are not on the page."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A ``<ref>`` that was carried out, and how to undo it."""

    arguments: RefArguments
    undo: tuple[Callable[[], None], ...]


class ReferenceStack:
    """Footnotes as they are met, until a list takes them."""

    def __init__(self, strip: StripState) -> None:
        """Compare texts with what this has put aside."""
        self._strip = strip
        self._groups: dict[str, _Group] = {}
        self._calls: list[_Call | None] = []
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
        self._calls.append(None)

    def push(self, arguments: RefArguments) -> Footnote | None:
        """Carry out a ``<ref>``: the footnote it refers to, ``None`` if it shows no mark."""
        if arguments.follow:
            self._calls.append(_Call(arguments, (self._follow(arguments),)))
            return None
        note, undo = self._define(arguments)
        used = note
        if arguments.details:
            self._serial += arguments.details not in note.details
            used = note.detail(arguments.details, self._serial)
        self._calls.append(_Call(arguments, (used.snapshot(), undo)))
        used.uses += 1
        return used

    def define(self, note: Footnote, arguments: RefArguments) -> None:
        """Give a footnote the text of a ``<ref>``."""
        note.define(arguments, self._strip)

    def roll_back(self, count: int) -> list[RefArguments]:
        """Undo the newest calls, and give those that made footnotes, the oldest first."""
        undone = []
        for _ in range(min(count, len(self._calls))):
            if call := self._calls.pop():
                undone.append(call.arguments)
                for undo in call.undo:
                    undo()
        return undone[::-1]

    def _define(self, arguments: RefArguments) -> tuple[Footnote, Callable[[], None]]:
        """The footnote that a ``<ref>`` is about, and what undoes the changes to it."""
        group = arguments.group or DEFAULT_GROUP
        note = self.find(group, arguments.name) if arguments.name else None
        if note is None:
            note = self._add(group, arguments.name)
            undo = self._forgetting(note)
        else:
            undo = note.snapshot()
        self.define(note, arguments)
        return note, undo

    def _add(self, name: str, note_name: str) -> Footnote:
        group = self._groups.setdefault(name, _Group())
        self._serial += 1
        note = Footnote(self._serial, name, note_name, len(group.notes) + 1)
        group.notes.append(note)
        if note_name:
            group.named[note_name] = note
        return note

    def _follow(self, arguments: RefArguments) -> Callable[[], None]:
        """Take a ``<ref>`` as the end of another, and give what undoes that."""
        group = arguments.group or DEFAULT_GROUP
        note = self.find(group, arguments.follow)
        if note is None:
            note = self._add_loose(group, arguments)
            return self._forgetting(note)
        undo = note.snapshot()
        note.extend(arguments)
        return undo

    def _add_loose(self, name: str, arguments: RefArguments) -> Footnote:
        self._serial += 1
        note = Footnote(self._serial, name, "")
        note.define(arguments, self._strip)
        self._groups.setdefault(name, _Group()).loose.append(note)
        return note

    def _forgetting(self, note: Footnote) -> Callable[[], None]:
        return lambda: self._forget(note)

    def _forget(self, note: Footnote) -> None:
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
