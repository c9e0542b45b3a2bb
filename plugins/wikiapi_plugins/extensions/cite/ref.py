"""``<ref>``: a footnote, or one more mark of one that has a name."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from wikiapi.wikitext import ExtensionTag, TagCall, encode_attribute, escape_text
from wikiapi.wikitext.expand.strip import PREFIX
from wikiapi_plugins.extensions.cite.citations import (
    DEFAULT_GROUP,
    Citations,
    Labels,
    link,
    mark_id,
    note_id,
)
from wikiapi_plugins.extensions.cite.footnote import Footnote, Problem, shown_html

_KEPT_BYTES = 1500
"""What a footnote and a mark of it take in memory beside their texts, about."""


def ref(call: TagCall) -> str:
    """The mark; nothing within ``<references>``, whose content only defines."""
    call.state.note_volatile()
    call.state.budget.keep(_KEPT_BYTES)
    citations = Citations.of(call.state)
    has_details = citations.settings.sub_references
    arguments = read_ref(call.attributes, call.inner, has_details=has_details)
    if citations.list_group is not None:
        define(arguments, citations.list_group, citations)
        return ""
    return _footnote(arguments, citations)


def _footnote(arguments: RefArguments, citations: Citations) -> str:
    refusal = _refusal(arguments)
    if refusal:
        citations.stack.refuse()
        return shown_html(arguments.problem or refusal, citations.state)
    note = citations.stack.push(arguments)
    return mark(note, citations.labels) if note else ""


def _refusal(arguments: RefArguments) -> Problem | None:
    """Why a ``<ref>`` in the text makes no footnote."""
    if is_numeric(arguments.follow):
        return Problem.of("cite_error_ref_numeric_key")
    if arguments.follow and (arguments.name or arguments.details):
        return Problem.of("cite_error_ref_follow_conflicts")
    if not arguments.name and arguments.text is None:
        return Problem.of("cite_error_ref_no_key")
    if not arguments.name and arguments.content is None:
        return Problem.of("cite_error_ref_no_input")
    if holds_open_ref(arguments.text or ""):
        return Problem.of("cite_error_included_ref")
    return None


def define(arguments: RefArguments, group: str, citations: Citations) -> None:
    """Give a footnote of the text its content, from within the list of a group."""
    note = citations.stack.find(group, arguments.name) if arguments.name else None
    refusal = _refused_definition(arguments, group, note)
    if refusal:
        citations.list_problems.append(arguments.problem or refusal)
    elif note:
        citations.stack.define(note, arguments)


def _refused_definition(
    arguments: RefArguments, group: str, note: Footnote | None
) -> Problem | None:
    if arguments.group not in (None, group):
        return Problem.of("cite_error_references_group_mismatch", arguments.group or "")
    if not arguments.name:
        return Problem.of("cite_error_references_no_key")
    if arguments.details:
        return Problem.of("cite_error_references_details", arguments.name)
    if arguments.content is None:
        return Problem.of("cite_error_references_empty_define", arguments.name, group)
    if note is None:
        return Problem.of("cite_error_references_missing_key", arguments.name)
    return None


DECLARATION = ExtensionTag("ref", ref)


_OPEN = '<span class="cite-bracket">&#91;</span>'
_CLOSE = '<span class="cite-bracket">&#93;</span>'


def mark(note: Footnote, labels: Labels) -> str:
    """The newest use of a footnote, as HTML."""
    identifier = encode_attribute(mark_id(note, note.uses - 1))
    target = link(note_id(note), f"{_OPEN}{labels.mark(note)}{_CLOSE}")
    return f'<sup id="{identifier}" class="reference">{target}</sup>'


_START = re.compile(r"<ref(?:erences)?\b", re.IGNORECASE)
_REF_CLOSE = re.compile(r"</(\w+)\s*>")
_REF_OPEN = re.compile(r"<(?:!--|(\w+))")
_NEVER = sys.maxsize


def holds_open_ref(text: str) -> bool:
    """Whether a ``<ref>`` or ``<references>`` begins outside comments and pairs of tags."""
    if not _START.search(text):
        return False
    rest = _Scan(text).rest()
    return bool(_START.search(rest, 0, max(0, rest.rfind(">"))))


class _Scan:
    """Goes through a text once, over every comment and pair of tags that is complete."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._closes: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for match in _REF_CLOSE.finditer(text):
            self._closes[match[1]].append(match.span())
        self._found: dict[str, int] = {}

    def rest(self) -> str:
        """The text without them."""
        kept = []
        position = done = 0
        while match := _REF_OPEN.search(self._text, position):
            position = match.end()
            end = self._pair_end(match[1], position) if match[1] else self._next("-->", position)
            if end != _NEVER:
                kept.append(self._text[done : match.start()])
                position = done = end
        return "".join([*kept, self._text[done:]])

    def _next(self, mark: str, start: int) -> int:
        """Where the next such mark ends; each is looked for once."""
        if self._found.get(mark, 0) < start + len(mark):
            place = self._text.find(mark, start)
            self._found[mark] = place + len(mark) if place >= 0 else _NEVER
        return self._found[mark]

    def _pair_end(self, name: str, start: int) -> int:
        closes = self._closes.get(name, [])
        place = bisect_left(closes, (self._next(">", start), 0))
        return closes[place][1] if place < len(closes) else _NEVER


REF_PARAMETERS = ("dir", "follow", "group", "name")
DETAILED_REF_PARAMETERS = ("details", *REF_PARAMETERS)
REFERENCES_PARAMETERS = ("group", "responsive")
DIRECTIONS = ("ltr", "rtl")
_NUMBER = re.compile(r"[0-9]+\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class RefArguments:
    """One ``<ref>`` as it was called.

    ``text`` is ``None`` for a tag without content; ``group`` is ``None`` where none was named.
    ``problems`` are in the order in which they count: of several, readers see the first.
    """

    text: str | None
    name: str = ""
    group: str | None = None
    follow: str = ""
    direction: str = ""
    details: str = ""
    problems: tuple[Problem, ...] = ()

    @property
    def content(self) -> str | None:
        """The text, if there is more to it than blanks."""
        return self.text if self.text is not None and self.text.strip() else None

    @property
    def problem(self) -> Problem | None:
        """The problem that readers are told."""
        return next(iter(self.problems), None)


def read_ref(
    attributes: Mapping[str, str], text: str | None, *, has_details: bool = False
) -> RefArguments:
    """Read a ``<ref>``. What cannot be is left out, and a problem tells of it.

    Args:
        attributes: those of the tag.
        text: its content, ``None`` for a tag without.
        has_details: whether a footnote may tell details of another.
    """
    known = DETAILED_REF_PARAMETERS if has_details else REF_PARAMETERS
    problems = _unknown("cite_error_ref_parameter_unknown", attributes, known)
    direction = attributes.get("dir", "").strip().lower()
    if direction and direction not in DIRECTIONS:
        problems.append(Problem.of("cite_error_ref_invalid_dir", direction))
        direction = ""
    name, follow = attributes.get("name", "").strip(), attributes.get("follow", "").strip()
    if _NUMBER.match(name) or _NUMBER.match(follow):
        problems.append(Problem.of("cite_error_ref_numeric_key"))
        name = "" if _NUMBER.match(name) else name
    group = attributes.get("group")
    return RefArguments(
        text,
        name,
        group if group is None else group.strip(),
        follow,
        direction,
        attributes.get("details", "").strip() if has_details else "",
        tuple(problems),
    )


def is_numeric(name: str) -> bool:
    """Whether a name is a plain number, which ids of nameless footnotes are made of."""
    return bool(_NUMBER.match(name))


def references_problem(attributes: Mapping[str, str]) -> Problem | None:
    """What is wrong with the attributes of a ``<references>``."""
    key = "cite_error_references_parameter_unknown"
    return next(iter(_unknown(key, attributes, REFERENCES_PARAMETERS)), None)


def _unknown(key: str, attributes: Mapping[str, str], known: tuple[str, ...]) -> list[Problem]:
    unknown = next((name for name in attributes if name not in known), None)
    return [] if unknown is None else [Problem.of(key, unknown, ", ".join(known))]


_REF_MARKER = f"{PREFIX}-ref-"
_LIST_MARKER = f"{PREFIX}-references-"


def references(call: TagCall) -> str:
    """The list with what is wrong in the tag's content; a list within a list stays as it is."""
    call.state.note_volatile()
    citations = Citations.of(call.state)
    if citations.list_group is not None:
        return escape_text(f"<references>{call.inner or ''}</references>")
    citations.list_group = call.attributes.get("group", DEFAULT_GROUP).strip()
    citations.list_problems = []
    try:
        return _list(call, citations, citations.list_group)
    finally:
        citations.list_group = None


def _list(call: TagCall, citations: Citations, group: str) -> str:
    text = call.inner or ""
    problem = references_problem(call.attributes)
    if _LIST_MARKER in text:
        problem = problem or Problem.of("cite_error_included_references")
    else:
        _read_content(text, group, call, citations)
    if problem:
        return shown_html(problem, call.state)
    responsive = call.attributes.get("responsive") or None
    html = citations.listed(group, responsive=None if responsive is None else responsive != "0")
    return html + _problems(citations)


def _read_content(text: str, group: str, call: TagCall, citations: Citations) -> None:
    """Footnotes that ``{{#tag:references}}`` has carried out already are done over."""
    for arguments in citations.stack.roll_back(text.count(_REF_MARKER)):
        define(arguments, group, citations)
    if text.strip():
        call.state.parse_fragment(text, call.state.root_frame())


def _problems(citations: Citations) -> str:
    shown = [shown_html(problem, citations.state) for problem in citations.list_problems]
    return "\n" + "<br />\n".join(shown) if shown else ""


REFERENCES = ExtensionTag("references", references)
