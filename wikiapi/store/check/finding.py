"""What a check has found, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from wikiapi.store.sql.batches import Key


class Severity(StrEnum):
    """How bad it is. Only an error makes a check fail."""

    ERROR = "error"
    """Something is broken or lost."""
    WARNING = "warning"
    """It works, but may be unexpected."""
    NOTE = "note"
    """Worth knowing."""


class Finding(NamedTuple):
    """One finding: ``problem`` is a clause, ``advice`` a sentence that says what to do next.

    ``page`` is the (namespace, database key) it is about, if it is about one; ``place`` says where
    within it, or what else: ``revision 12``. ``times`` is the number of findings it represents.
    """

    check: str
    problem: str
    advice: str
    severity: Severity = Severity.ERROR
    page: Key | None = None
    place: str = ""
    times: int = 1


def limited(findings: Iterable[Finding], most: int) -> Iterator[Finding]:
    """Yield the findings, at most ``most`` for one check and advice; then the number of the others.

    Memory does not grow with their number.
    """
    seen: dict[tuple[str, str], int] = {}
    last: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        kind = finding.check, finding.advice
        shown = seen.get(kind, 0) < most
        seen[kind] = seen.get(kind, 0) + finding.times
        if shown:
            yield finding
        else:
            before = last[kind].times if kind in last else 0
            last[kind] = finding._replace(times=before + finding.times)
    for finding in last.values():
        problem = f"{finding.times} more findings about {finding.check}"
        yield finding._replace(problem=problem, page=None, place="")
