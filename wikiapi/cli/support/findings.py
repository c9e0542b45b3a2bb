"""Prints findings with their advice, as text or as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import click

from wikiapi.cli.support.options import printable
from wikiapi.store.check import Finding, Severity
from wikiapi.store.sql.batches import Key
from wikiapi.texts import counted

NameOf = Callable[[Key], str]

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


class Printer:
    """Prints findings as they come, with equal advice only once, or collects them as JSON."""

    def __init__(self, name_of: NameOf, *, as_json: bool) -> None:
        """Initialise the printer with a function that returns the title of a page."""
        self._name_of = name_of
        self._as_json = as_json
        self._collected: list[dict[str, object]] = []
        self._last_advice = ""
        self.counts: Counter[Severity] = Counter()

    def show(self, finding: Finding) -> None:
        """Print a finding."""
        self.counts[finding.severity] += finding.times
        if self._as_json:
            fields = finding._asdict()
            fields["page"] = self._name_of(finding.page) if finding.page else None
            fields["place"] = finding.place or None
            self._collected.append(fields)
            return
        if self._last_advice and finding.advice != self._last_advice:
            self._advise()
        label = click.style(f"{finding.severity}:", fg=_COLORS[finding.severity], bold=True)
        page = self._name_of(finding.page) if finding.page else ""
        sentence = ": ".join(part for part in (page, finding.place, finding.problem) if part)
        click.echo(f"{label} {printable(sentence)}")
        self._last_advice = finding.advice

    def show_all(self, findings: Iterable[Finding]) -> None:
        """Print findings."""
        for finding in findings:
            self.show(finding)

    def finish(self, facts: Mapping[str, object], summary: str) -> bool:
        """Print the summary, or everything as JSON, and return whether there are no errors."""
        failed = self.counts[Severity.ERROR] > 0
        if self._as_json:
            data = {"ok": not failed, **facts, "findings": self._collected}
            click.echo(json.dumps(data, ensure_ascii=False, indent=2))
            return not failed
        if self._last_advice:
            self._advise()
        counts = [
            counted(count, str(severity))
            for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE)
            if (count := self.counts[severity])
        ]
        text = f"{', '.join(counts)}." if counts else "Nothing is wrong."
        verdict = click.style(text, fg="red" if failed else "green", bold=True)
        click.echo(f"{summary} {verdict}")
        return not failed

    def _advise(self) -> None:
        click.echo(f"  -> {self._last_advice}")
