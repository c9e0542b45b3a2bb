"""The footnotes of one rendering, from the first ``<ref>`` to the list at the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikiapi.wikitext import ParseState, encode_attribute, escape_attribute, escape_text
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.html.ids import escape_id_for_link
from wikiapi.wikitext.numbers import localize_digits
from wikiapi_plugins.extensions.cite.footnote import (
    NAME,
    Footnote,
    Problem,
    Settings,
    shown,
    shown_html,
)

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.cite.ref import RefArguments


_MODULE = "ext.cite.ux-enhancements"
_STYLES = "ext.cite.styles"
_PREVIEW = "cite_section_preview_references"


class Citations:
    """What ``<ref>`` and ``<references>`` share."""

    def __init__(self, state: ParseState) -> None:
        """Begin without footnotes."""
        self.state = state
        self.stack = ReferenceStack(state.strip)
        self.labels = Labels(state)
        self.list_group: str | None = None
        """The group of the list that is being made, whose content defines footnotes."""
        self.list_problems: list[Problem] = []
        self.settings = Settings.of(state.site)

    @classmethod
    def of(cls, state: ParseState) -> Citations:
        """The footnotes of a rendering; at its end, what no list has shown is listed."""
        found = state.plugin_state.get(NAME)
        if not isinstance(found, Citations):
            found = state.plugin_state[NAME] = cls(state)
            state.add_page_footer(found.remaining)
            state.output.modules.setdefault(_MODULE)
            state.output.module_styles.setdefault(_STYLES)
        return found

    def listed(self, group: str, *, responsive: bool | None = None) -> str:
        """The footnotes of a group as HTML; ``responsive`` is as configured if not given."""
        notes = self.stack.take(group)
        html = listed(notes, group, self.labels, self.state)
        if not html or not (self.settings.responsive if responsive is None else responsive):
            return html
        is_long = len(notes) > self.settings.responsive_threshold
        columns = " mw-references-columns" if is_long else ""
        return f'<div class="mw-references-wrap{columns}">{html}</div>'

    def remaining(self) -> str:
        """What stands at the end of the page: footnotes without a list, and groups without one."""
        groups = self.stack.groups
        if not groups:
            return ""
        html = "".join([self._remaining(group) for group in groups])
        return f"\n{self._previewed(html) if self.state.options.section_preview else html}"

    def _remaining(self, group: str) -> str:
        if group == DEFAULT_GROUP or self.state.options.section_preview:
            return self.listed(group)
        problem = Problem.of("cite_error_group_refs_without_references", group)
        return f"<br />{shown_html(problem, self.state)}"

    def _previewed(self, html: str) -> str:
        title = self.state.message(_PREVIEW)
        heading = f'<h2 id="mw-ext-cite-{_PREVIEW}_header">{title}</h2>'
        return f'<div class="mw-ext-cite-{_PREVIEW}">{heading}{html}</div>'


def listed(notes: Sequence[Footnote], group: str, labels: Labels, state: ParseState) -> str:
    """The list as HTML; empty if there are no footnotes.

    It is read as one piece of wikitext: what a text leaves open may reach into those behind it.
    """
    if not notes:
        return ""
    lines = [_entry(note, labels, state) + "\n" for note in notes]
    html = state.parse_fragment("".join(lines), state.root_frame())
    attribute = "" if group == DEFAULT_GROUP else f' data-mw-group="{encode_attribute(group)}"'
    return f'<ol class="references"{attribute}>\n{html}</ol>'


def _entry(note: Footnote, labels: Labels, state: ParseState) -> str:
    text = f'<span class="reference-text">{_text(note, state)}</span>'
    if not note.number:
        return f"<p>{text}\n</p>"
    identifier = encode_attribute(note_id(note))
    style = f' class="mw-cite-dir-{note.direction}"' if note.direction else ""
    back = state.strip.add_general(_backlinks(note, labels), "cite")
    rest = f"{text}\n{_details(note, labels, state)}"
    return f'<li id="{identifier}"{style}><span class="mw-cite-backlink">{back}</span> {rest}</li>'


def _details(note: Footnote, labels: Labels, state: ParseState) -> str:
    if not note.details:
        return ""
    entries = "\n".join([_entry(detail, labels, state) for detail in note.details.values()])
    return f'<ol class="mw-subreference-list">{entries}\n</ol>'


def _text(note: Footnote, state: ParseState) -> str:
    """The text with what is wrong with it."""
    text, problem = note.text, note.problem
    if text is None:
        problem = problem or _no_text(note, state)
    text = (text or "").rstrip("\n")
    return f"{text} {shown(problem, state)}" if problem else text


def _no_text(note: Footnote, state: ParseState) -> Problem:
    """In a part of a page, the text may well be elsewhere."""
    if state.options.section_preview:
        return Problem.of("cite_warning_sectionpreview_no_text", note.name)
    return Problem.of("cite_error_references_no_text", note.name)


def _backlinks(note: Footnote, labels: Labels) -> str:
    if not note.uses:
        return UP
    if note.uses == 1:
        return link(mark_id(note, 0), UP)
    links = (
        f"<sup>{link(mark_id(note, use), label)}</sup>"
        for use, label in enumerate(labels.backlinks(note))
    )
    return f"{UP} {' '.join(links)}"


_GROUP_MESSAGE = "cite_link_label_group-"
UP = "↑"


class Labels:
    """The labels of one page."""

    def __init__(self, state: ParseState) -> None:
        """Labels in the language of the wiki, of the groups as the wiki names them."""
        self._state = state
        self._own: dict[str, list[str]] = {}

    def mark(self, note: Footnote) -> str:
        """The label in the text, as HTML: a number or what the wiki has for it in this group."""
        own = self._own_labels(note.group) if note.group != DEFAULT_GROUP else []
        if own:
            detail = self._digits(f".{note.number}") if note.whole else ""
            return self._own_label(own, note.whole or note) + detail
        number = self._number(note)
        return f"{escape_text(note.group)} {number}" if note.group != DEFAULT_GROUP else number

    def backlinks(self, note: Footnote) -> list[str]:
        """The labels of a footnote's uses, if there are several: all with as many digits."""
        width = len(str(note.uses - 1))
        number = self._number(note)
        return [f"{number}{self._digits(f'.{use:0{width}}')}" for use in range(note.uses)]

    def _number(self, note: Footnote) -> str:
        whole = f"{note.whole.number}." if note.whole else ""
        return self._digits(f"{whole}{note.number}")

    def _digits(self, text: str) -> str:
        return localize_digits(text, self._state.site.language)

    def _own_labels(self, group: str) -> list[str]:
        if group not in self._own:
            self._own[group] = self._state.own_message(_GROUP_MESSAGE + group).split()
        return self._own[group]

    def _own_label(self, labels: list[str], note: Footnote) -> str:
        if note.number > len(labels):
            key = _GROUP_MESSAGE + note.group
            problem = Problem.of("cite_error_no_link_label_group", note.group, key)
            return shown_html(problem, self._state)
        return self._state.parse_fragment(labels[note.number - 1], self._state.root_frame())


_BLANKS = re.compile(r"[_\s]+")


def note_id(note: Footnote) -> str:
    """The id of an entry in the list."""
    name = f"{note.name}-" if note.name else ""
    return _identifier(f"cite_note-{name}{note.serial}")


def mark_id(note: Footnote, use: int) -> str:
    """The id of a place that refers to a footnote; the first use is 0."""
    if note.name:
        return _identifier(f"cite_ref-{note.name}_{note.serial}-{use}")
    return f"cite_ref-{note.serial}-{use}" if use else f"cite_ref-{note.serial}"


def link(identifier: str, html: str) -> str:
    """A link to an id of the same page."""
    target = escape_attribute(escape_id_for_link(identifier))
    return f'<a href="#{target}">{html}</a>'


def _identifier(text: str) -> str:
    return _BLANKS.sub("_", text)


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
