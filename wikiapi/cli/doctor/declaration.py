"""How a check is declared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from wikiapi.cli.doctor.patient import Patient
from wikiapi.store.check.finding import Finding, Severity


@dataclass(frozen=True, slots=True)
class Check:
    """One check. ``name`` is what is looked at.

    ``subject`` takes from the patient what ``look`` is given; where that is not there, None, there
    is nothing to look at.
    """

    name: str
    subject: Callable[[Patient], Any]
    look: Callable[[Any], Iterator[Finding]]


def problem(
    check: str, text: str, advice: str, severity: Severity = Severity.ERROR, place: str = ""
) -> Finding:
    """A finding of a check."""
    return Finding(check, text, advice, severity, None, place)


def warning(check: str, text: str, advice: str, place: str = "") -> Finding:
    """A finding that keeps nothing from working."""
    return problem(check, text, advice, Severity.WARNING, place)


def note(check: str, text: str, advice: str, place: str = "") -> Finding:
    """A finding that may well be meant so."""
    return problem(check, text, advice, Severity.NOTE, place)
