"""Declarations of checks and their findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from wikiapi.cli.doctor.installation import Installation
from wikiapi.store.check.finding import Finding, Severity


@dataclass(frozen=True, slots=True)
class Check:
    """A check of one part of an installation.

    ``subject`` returns the part that ``run`` examines, or None to skip the check. ``name`` is the
    name of that part.
    """

    name: str
    subject: Callable[[Installation], Any]
    run: Callable[[Any], Iterator[Finding]]


def problem(
    check: str, text: str, advice: str, severity: Severity = Severity.ERROR, place: str = ""
) -> Finding:
    """Return a finding, by default an error, which prevents wikiapi from working."""
    return Finding(check, text, advice, severity, None, place)


def warning(check: str, text: str, advice: str, place: str = "") -> Finding:
    """Return a warning: a finding that does not prevent wikiapi from working."""
    return problem(check, text, advice, Severity.WARNING, place)


def note(check: str, text: str, advice: str, place: str = "") -> Finding:
    """Return a note: a finding that may be intended."""
    return problem(check, text, advice, Severity.NOTE, place)
