"""The arguments of ``<ref>`` and ``<references>``, and the problems that they can have."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from wikiapi.languages import direction, html_code
from wikiapi.wikitext import ParseState, escape_wikitext, parse_fragment, trim

TRACKING_CATEGORY = "cite-tracking-category-cite-error"
_WARNING = "cite_warning_"


@dataclass(frozen=True, slots=True)
class Problem:
    """An error or a warning: the key of its message, and texts from the page as parameters."""

    key: str
    params: tuple[str, ...] = ()

    @classmethod
    def of(cls, key: str, *params: str) -> Problem:
        """Build a problem from its key and parameters."""
        return cls(key, params)

    @property
    def is_warning(self) -> bool:
        """Whether this is only a warning, so that the page may be correct."""
        return self.key.startswith(_WARNING)


def problem_message(problem: Problem, state: ParseState) -> str:
    """Return the message as wikitext in the reader's language; an error categorises the page."""
    if not problem.is_warning:
        state.notices.add_tracking_category(TRACKING_CATEGORY)
    params = tuple(escape_wikitext(text, state.link_rules) for text in problem.params)
    text = state.messages.interface_text(problem.key, *params)
    kind = "cite_warning" if problem.is_warning else "cite_error"
    return state.messages.interface_text(kind, text)


def problem_wikitext(problem: Problem, state: ParseState) -> str:
    """Return the problem as wikitext, with the message in an element for its style."""
    language = state.options.language or state.site.language
    css = "error mw-ext-cite-error"
    if problem.is_warning:
        name = problem.key.removeprefix(_WARNING).replace("_", "-")
        css = f"warning mw-ext-cite-warning mw-ext-cite-warning-{name}"
    attributes = f'class="{css}" lang="{html_code(language)}" dir="{direction(language)}"'
    return f"<span {attributes}>{problem_message(problem, state)}</span>"


def problem_html(problem: Problem, state: ParseState) -> str:
    """Return the problem as HTML, to be shown in place of a tag."""
    return parse_fragment(problem_wikitext(problem, state), state.expander.root_frame(), state)


REF_PARAMETERS = ("dir", "follow", "group", "name")
DETAILED_REF_PARAMETERS = ("details", *REF_PARAMETERS)
REFERENCES_PARAMETERS = ("group", "responsive")
DIRECTIONS = ("ltr", "rtl")
_NUMBER = re.compile(r"[0-9]+\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class RefArguments:
    """The arguments of a ``<ref>``.

    ``text`` is ``None`` for a tag without content, ``group`` for a tag without that attribute. Of
    several ``problems``, pages show the first.
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
        """The text; ``None`` if it is blank."""
        return self.text if self.text is not None and trim(self.text) else None

    @property
    def problem(self) -> Problem | None:
        """The problem that the page shows."""
        return next(iter(self.problems), None)


def read_ref(
    attributes: Mapping[str, str], text: str | None, *, has_details: bool = False
) -> RefArguments:
    """Return the arguments of a ``<ref>``, with a problem for each invalid one.

    Args:
        attributes: the attributes of the tag.
        text: its content, ``None`` for a tag without content.
        has_details: whether the wiki allows ``details``, which add to another footnote.
    """
    parameters = DETAILED_REF_PARAMETERS if has_details else REF_PARAMETERS
    problems = _unknown("cite_error_ref_too_many_keys", attributes, parameters)
    direction = attributes.get("dir", "").strip().lower()
    if "dir" in attributes and direction not in DIRECTIONS:
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
    """Return whether a name is a number, which would clash with ids of unnamed footnotes."""
    return bool(_NUMBER.match(name))


def references_problem(attributes: Mapping[str, str]) -> Problem | None:
    """Return the problem of the attributes of a ``<references>``, or ``None``."""
    key = "cite_error_references_invalid_parameters"
    return next(iter(_unknown(key, attributes, REFERENCES_PARAMETERS)), None)


def _unknown(key: str, attributes: Mapping[str, str], parameters: tuple[str, ...]) -> list[Problem]:
    unknown = next((name for name in attributes if name not in parameters), None)
    return [] if unknown is None else [Problem.of(key, unknown, ", ".join(parameters))]


_START = re.compile(r"<ref(?:erences)?\b", re.IGNORECASE)
_REF_CLOSE = re.compile(r"</(\w+)\s*>")
_REF_OPEN = re.compile(r"<(?:!--|(\w+))")
_NEVER = sys.maxsize


def contains_open_ref(text: str) -> bool:
    """Return whether a ``<ref>`` or ``<references>`` opens outside comments and paired tags."""
    if not _START.search(text):
        return False
    rest = _Scan(text).rest()
    return bool(_START.search(rest, 0, max(0, rest.rfind(">"))))


class _Scan:
    """Finds the complete comments and pairs of tags in a text, in linear time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._closes: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for match in _REF_CLOSE.finditer(text):
            self._closes[match[1]].append(match.span())
        self._ends: dict[str, int] = {}

    def rest(self) -> str:
        """Return the text without its complete comments and pairs of tags."""
        pieces = []
        position = done = 0
        while match := _REF_OPEN.search(self._text, position):
            position = match.end()
            end = self._pair_end(match[1], position) if match[1] else self._next("-->", position)
            if end != _NEVER:
                pieces.append(self._text[done : match.start()])
                position = done = end
        return "".join([*pieces, self._text[done:]])

    def _next(self, mark: str, start: int) -> int:
        """Return the end of the next occurrence of a mark, remembering it for later calls."""
        if self._ends.get(mark, 0) < start + len(mark):
            place = self._text.find(mark, start)
            self._ends[mark] = place + len(mark) if place >= 0 else _NEVER
        return self._ends[mark]

    def _pair_end(self, name: str, start: int) -> int:
        closes = self._closes.get(name, [])
        place = bisect_left(closes, (self._next(">", start), 0))
        return closes[place][1] if place < len(closes) else _NEVER
