"""Footnotes as Parsoid has them.

Every ``<ref>`` makes or uses a footnote, even one that has problems: its element lists them, and
the entry in the list shows them. A ``<ref>`` in a list is described by the list's ``data-mw``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from wikiapi.wikitext import (
    PREFIX,
    Expansion,
    ParseState,
    StripState,
    TagCall,
    as_json,
    balanced,
    encode_attribute,
    escape_text,
    parse_fragment,
    serialized_attributes,
    trim,
    without_entities,
)
from wikiapi_plugins.extensions.cite.arguments import (
    Problem,
    RefArguments,
    is_numeric,
    problem_message,
    read_ref,
    references_problem,
)
from wikiapi_plugins.extensions.cite.footnotes import DEFAULT_GROUP, Footnote
from wikiapi_plugins.extensions.cite.rendering import ParsoidRenderer, group_attribute

_Data = dict[str, object]
_REF_MARKER = f"{PREFIX}-ref-"
_LIST_MARKER = f"{PREFIX}-references-"
_NOTHING = {"data-parsoid": "{}"}


@dataclass(slots=True, eq=False)
class _Use:
    """A ``<ref>``: its ``data-mw``, and the strip marker for its attributes."""

    call: TagCall
    note: Note
    marker: str
    about: str
    data: _Data = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    place: _Data = field(default_factory=dict)
    """Where it is in the page, for ``data-parsoid``."""
    is_definition: bool = False
    continues: bool = False
    """Whether its text continues that of another."""

    def content_data(self) -> _Data:
        """Return the part of ``data-mw`` for the text and the problems."""
        return {**self.data, **({"errors": errors_data(self.problems)} if self.problems else {})}


@dataclass(slots=True, eq=False)
class Note(Footnote):
    """A footnote with all that refers to it."""

    calls: list[_Use] = field(default_factory=list)

    def entry_problems(self) -> Iterable[Problem]:
        """Return the problems that the entry shows: those of uses in the text, each once."""
        uses = (use for use in self.calls if not (use.is_definition or use.continues))
        return dict.fromkeys(problem for use in uses for problem in use.problems)


def errors_data(problems: Iterable[Problem]) -> list[_Data]:
    """Return problems as ``data-mw`` lists them."""
    return [
        {"key": each.key, **({"params": list(each.params)} if each.params else {})}
        for each in problems
    ]


class Notes:
    """The footnotes that no list has taken yet, by group."""

    def __init__(self) -> None:
        """Begin without footnotes."""
        self.groups: dict[str, list[Note]] = {}
        self._named: dict[tuple[str, str], Note] = {}
        self._serial = 0

    def find(self, group: str, name: str) -> Note | None:
        """Return the footnote of a name, or ``None``."""
        return self._named.get((group, name)) if name else None

    def add(self, group: str, name: str) -> Note:
        """Return a new footnote, the last of its group."""
        notes = self.groups.setdefault(group, [])
        self._serial += 1
        note = Note(self._serial, group, name, len(notes) + 1)
        notes.append(note)
        if name:
            self._named[group, name] = note
        return note

    def remove(self, note: Note) -> None:
        """Remove the footnote that was added last, unless a list has taken it."""
        notes = self.groups.get(note.group)
        if not notes or notes[-1] is not note:
            return
        notes.pop()
        if note.serial == self._serial:
            self._serial -= 1
        self._named.pop((note.group, note.name), None)
        if not notes:
            del self.groups[note.group]

    def take(self, group: str) -> list[Note]:
        """Return the footnotes of a group, and remove them."""
        notes = self.groups.pop(group, [])
        for note in notes:
            self._named.pop((group, note.name), None)
        return notes


class NoteRenderer(ParsoidRenderer):
    """Renders the footnotes of one page whose uses have attributes that are found later."""

    def use(self, note: Note, attributes: str, *, continues: bool) -> str:
        """Return the mark of a footnote's latest use, or of a continuation of it."""
        href = encode_attribute(self._state.addresses.section(self._note_id(note)))
        css, identifier = "mw-ref reference", ""
        if continues:
            css += " mw-ref-follow"
        else:
            identifier = f' id="{encode_attribute(self._mark_id(note, note.uses - 1))}"'
        return (
            f'<sup class="{css}"{identifier} rel="dc:references"{attributes}>'
            f'<a href="{href}"{group_attribute(note)}><span class="mw-reflink-text">'
            f"{self.bracketed(note)}</span></a></sup>"
        )

    def definition(self, use: _Use) -> str:
        """Return the mark of a ``<ref>`` in a list, for the ``data-mw`` of the list."""
        note, title = use.note, self._state.title
        data = {"name": "ref", "attrs": dict(use.call.attributes), **use.content_data()}
        mark = {
            "about": use.about,
            "class": "mw-ref reference",
            "rel": "dc:references",
            "typeof": f"mw:Extension/ref{' mw:Error' if use.problems else ''}",
            "data-parsoid": as_json(use.place),
            "data-mw": as_json(data),
        }
        href = f"./{title.prefixed_dbkey}#{self._state.fragments.link(self._note_id(note))}"
        group = {} if note.group == DEFAULT_GROUP else {"data-mw-group": note.group}
        link = serialized_attributes({"href": href, **group, **_NOTHING})
        text = serialized_attributes({"class": "mw-reflink-text", **_NOTHING})
        bracket = serialized_attributes({"class": "cite-bracket", **_NOTHING})
        return (
            f"<sup{serialized_attributes(mark)}><a{link}><span{text}><span{bracket}>[</span>"
            f"{self._label(note)}<span{bracket}>]</span></span></a></sup>"
        )

    def list(self, notes: Sequence[Footnote], group: str) -> str:
        """Return the list of the footnotes, even if it is empty."""
        name = "" if group == DEFAULT_GROUP else f' data-mw-group="{encode_attribute(group)}"'
        return super().list(notes, group) or f'<ol class="{self.css}"{name}></ol>'

    def problem(self, problem: Problem) -> str:
        """Return the message about a problem as HTML."""
        text: _Data = {"key": problem.key, "params": list(problem.params)}
        message = {"lang": "x-user", "key": "cite_error", "params": [{"text": text}]}
        frame = self._state.expander.root_frame()
        html = parse_fragment(problem_message(problem, self._state), frame, self._state)
        attributes = {
            "typeof": "mw:I18n",
            "class": "error mw-ext-cite-error",
            "data-mw-i18n": as_json({"/": message}),
        }
        # The character references of a message are not those of the page.
        return f"<span{serialized_attributes(attributes)}>{without_entities(html)}</span>"

    def _text(self, note: Footnote) -> str:
        """Return the text of a footnote, whose elements end with it."""
        text = "".join(note.pieces).rstrip("\n")
        if "<" not in text and "{{" not in text:
            return text
        html = parse_fragment(text, self._state.expander.root_frame(), self._state)
        return self._state.strip.add_general(balanced(html), "cite")

    def _after_text(self, note: Footnote) -> str:
        problems = note.entry_problems() if isinstance(note, Note) else ()
        strip = self._state.strip
        return "".join(f" {strip.add_general(self.problem(each), 'cite')}" for each in problems)


class ParsoidNotes:
    """The footnotes of one rendering in Parsoid's form."""

    def __init__(self, state: ParseState, threshold: int) -> None:
        """Begin without footnotes. Longer lists than ``threshold`` are set in columns."""
        self._state = state
        self._threshold = threshold
        self._renderer = NoteRenderer(state)
        self._notes = Notes()
        self._list_group: str | None = None
        """The group of the list being read; ``None`` outside."""
        self._is_listing = False
        """Whether the texts of footnotes are being parsed."""
        self._definitions: list[_Use] = []
        self._calls: list[tuple[_Use, Callable[[], None]]] = []
        """The latest calls, each with a function that undoes it."""

    @property
    def groups(self) -> Sequence[str]:
        """The groups that have footnotes, in the order of the text."""
        return list(self._notes.groups)

    def ref(self, call: TagCall) -> str | Expansion:
        """Return the mark of a footnote; within a list, define one and return nothing.

        A footnote in the text of another has no mark if both are of the page itself, since only
        calls can pass such a text.
        """
        sources = self._state.sources
        if self._is_listing and sources and sources.tag and sources.tag.is_in_call:
            return Expansion("")
        arguments = read_ref(call.attributes, call.inner)
        problems = [*arguments.problems, *self._problems(arguments)]
        group = arguments.group or self._list_group or DEFAULT_GROUP
        name, follow = arguments.name, "" if arguments.name else arguments.follow
        note = self._notes.find(group, name or ("" if is_numeric(follow) else follow))
        if self._list_group is not None and follow:
            note = None
        is_new = note is None
        if note is None:
            if (name and self._list_group is not None) or follow:
                problems.append(Problem.of("cite_error_references_missing_key", name or follow))
            note = self._notes.add(group, name)
        undo = note.snapshot()
        sources = self._state.sources
        marker = self._state.strip.add_general("", "cite")
        use = _Use(call, note, marker, sources.about_tag() if sources else "", problems=problems)
        use.is_definition = self._list_group is not None
        if sources and sources.tag and (place := sources.tag.place):
            use.place = {"dsr": list(place)}
        self._set_text(use, arguments, is_continued=bool(arguments.follow))
        use.continues = bool(follow) and not is_new
        note.calls.append(use)
        self._calls.append((use, lambda: self._undo(use, undo, is_new=is_new)))
        if use.is_definition:
            self._definitions.append(use)
            return ""
        if not use.continues:
            note.uses += 1
        return self._renderer.use(note, use.marker, continues=use.continues)

    def _problems(self, arguments: RefArguments) -> Iterable[Problem]:
        """Yield what is wrong with a ``<ref>``, apart from its arguments."""
        group, name, content = self._list_group, arguments.name, arguments.content
        if group is not None and arguments.group not in (None, group):
            yield Problem.of("cite_error_references_group_mismatch", arguments.group or "")
        if arguments.follow and name:
            yield Problem.of("cite_error_ref_follow_conflicts")
        if group is None:
            if not name and not arguments.follow and content is None:
                is_empty = arguments.text is None
                yield Problem.of(f"cite_error_ref_{'no_key' if is_empty else 'no_input'}")
        elif not name:
            yield Problem.of("cite_error_references_no_key")
        elif content is None:
            yield Problem.of("cite_error_empty_references_define", name, group)

    def _set_text(self, use: _Use, arguments: RefArguments, *, is_continued: bool) -> None:
        """Set the text of a footnote to that of a ``<ref>``, or add it if that continues one."""
        note, content, strip = use.note, arguments.content, self._state.strip
        if content is None:
            if arguments.text is not None:
                use.data["body"] = {"html": arguments.text}
            return
        use.data["body"] = {"id": self._renderer.text_id(note)}
        if is_continued:
            attributes = {"typeof": "mw:Cite/Follow", "about": use.about}
            opening = strip.add_general(f"<span{serialized_attributes(attributes)}>", "cite")
            note.pieces.append(f"{opening} {content}{strip.add_general('</span>', 'cite')}")
        elif not note.pieces:
            note.pieces, note.direction = [content], arguments.direction
        elif not (
            content == note.pieces[0]
            or strip.unstrip_both(content) == strip.unstrip_both(note.pieces[0])
        ):
            use.problems.append(Problem.of("cite_error_references_duplicate_key", note.name))
            use.data["body"] = {"html": escape_text(StripState.kill(content))}
        if arguments.direction and note.direction not in ("", arguments.direction):
            use.problems.append(Problem.of("cite_error_ref_conflicting_dir", note.name))

    def _undo(self, use: _Use, undo: Callable[[], None], *, is_new: bool) -> None:
        undo()
        use.note.calls.pop()
        if is_new:
            self._notes.remove(use.note)

    def references(self, call: TagCall) -> str:
        """Return the list of a group, without an element around it if it must not be responsive."""
        if self._list_group is not None:
            return escape_text(f"<references>{call.inner or ''}</references>")
        group = self._list_group = trim(call.attributes.get("group", DEFAULT_GROUP))
        self._definitions = []
        data: _Data = {}
        try:
            text = call.inner or ""
            # The calls of the ``<ref>`` tags whose marks are in the text are undone and repeated.
            undone = []
            for _ in range(min(text.count(_REF_MARKER), len(self._calls))):
                use, undo = self._calls.pop()
                undo()
                undone.append(use)
            expanded = undone[::-1]
            for use in expanded:
                self.ref(use.call)
            if trim(text):
                parse_fragment(text, self._state.expander.root_frame(), self._state)
            problem = references_problem(call.attributes)
            definitions = self._definitions
        finally:
            self._list_group = None
        html, count = self._list(group)
        if problem is None and not definitions and call.attributes.get("responsive") == "0":
            return html
        if call.inner is not None and not expanded:
            pieces = [self._renderer.definition(use) for use in definitions]
            data["body"] = {"html": "\n".join(["", *pieces, ""]) if pieces else ""}
        return self._wrapped(html, count, data, [problem] if problem else [])

    def generated(self, group: str) -> str:
        """Return the list of a group for which the page has none."""
        problems = []
        if group != DEFAULT_GROUP:
            problems.append(Problem.of("cite_error_group_refs_without_references", group))
        html, count = self._list(group)
        html = self._wrapped(html, count, {}, problems)
        sources = self._state.sources
        attributes = {} if group == DEFAULT_GROUP else {"group": group}
        return sources.generated(html, "references", attributes) if sources else html

    def _wrapped(self, html: str, count: int, data: _Data, problems: Sequence[Problem]) -> str:
        attributes = {"class": "mw-references-wrap"}
        if count > self._threshold:
            attributes["class"] += " mw-references-columns"
        if problems:
            data = {**data, "errors": errors_data(problems)}
            attributes["typeof"] = "mw:Error"
        if data:
            attributes["data-mw"] = as_json(data)
        messages = "".join(self._renderer.problem(problem) for problem in problems)
        return f"<div{serialized_attributes(attributes)}>{html}{messages}</div>"

    def _list(self, group: str) -> tuple[str, int]:
        """Return the list of a group, and the number of its footnotes."""
        notes = self._notes.take(group)
        for note in notes:
            if note.name and not note.pieces:
                problem = Problem.of("cite_error_references_no_text", note.name)
                for use in note.calls:
                    use.problems.append(problem)
        self._is_listing = True
        try:
            html = self._renderer.list(notes, group)
        finally:
            self._is_listing = False
        # All problems are recorded now: fill the attributes of the marks.
        for use in (use for note in notes for use in note.calls):
            content = use.content_data()
            attributes = {"data-mw": as_json(content)} if content else {}
            if use.problems:
                attributes["typeof"] = "mw:Error"
            self._state.strip.fill(use.marker, serialized_attributes(attributes))
        return html, len(notes)
