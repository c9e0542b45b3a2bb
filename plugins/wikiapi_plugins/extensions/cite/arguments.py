"""The attributes of ``<ref>`` and ``<references>``, read and judged one by one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi_plugins.extensions.cite.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

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
