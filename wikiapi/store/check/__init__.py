"""Verifies the contents of a store, with one file for each kind of problem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from wikiapi.store.sql.batches import Key


class Severity(StrEnum):
    """The severity of a finding. Only errors make a check fail."""

    ERROR = "error"
    """Something is broken or lost."""
    WARNING = "warning"
    """Something works, but perhaps not as expected."""
    NOTE = "note"
    """Something worth knowing."""


class Finding(NamedTuple):
    """One finding: ``problem`` is a clause, ``advice`` a sentence that says what to do next.

    ``page`` is the (namespace, database key) of the page concerned, if there is one. ``place``
    names a part of the page or another object, such as ``revision 12``. ``times`` is the number of
    findings that this one stands for.
    """

    check: str
    problem: str
    advice: str
    severity: Severity = Severity.ERROR
    page: Key | None = None
    place: str = ""
    times: int = 1


def limited(findings: Iterable[Finding], most: int) -> Iterator[Finding]:
    """Yield at most ``most`` findings for each check and advice, then the number of the others.

    Memory use does not depend on the number of findings.
    """
    counts: dict[tuple[str, str], int] = {}
    last: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        kind = finding.check, finding.advice
        is_listed = counts.get(kind, 0) < most
        counts[kind] = counts.get(kind, 0) + finding.times
        if is_listed:
            yield finding
        else:
            before = last[kind].times if kind in last else 0
            last[kind] = finding._replace(times=before + finding.times)
    for finding in last.values():
        problem = f"{finding.times} more findings about {finding.check}"
        yield finding._replace(problem=problem, page=None, place="")
