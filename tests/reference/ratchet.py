"""The ratchet: how many cases of each group passed before. It only ever goes up.

Beside it stands how many cases there were of each kind when that was found out. More may have been
recorded since: no test compares the two.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent / "ratchet.json"
CASES = Path(__file__).parent / "cases.json"

Passes = dict[str, int]


@dataclass(frozen=True)
class Drop:
    """A group in which fewer cases pass than before."""

    group: str
    recorded: int
    passed: int

    def __str__(self) -> str:
        """Return the drop as one line."""
        return f"{self.group}: {self.passed} pass, {self.recorded} did before"


def load(file: Path = FILE) -> Passes:
    """Return the recorded passes by group; empty if there are none yet."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def drops(recorded: Passes, passed: Passes) -> list[Drop]:
    """Return the groups that fell; a group that was not replayed counts as fallen."""
    return [
        Drop(group, count, passed.get(group, 0))
        for group, count in sorted(recorded.items())
        if passed.get(group, 0) < count
    ]


def raised(recorded: Passes, passed: Passes) -> Passes:
    """The higher count of each group. Nothing is lowered here: that takes an edit by hand."""
    groups = sorted(recorded.keys() | passed.keys())
    return {group: max(recorded.get(group, 0), passed.get(group, 0)) for group in groups}


def by_kind(counts: Passes) -> Passes:
    """Return counts of groups, summed up by kind (``query``, ``parse``...)."""
    total: Passes = {}
    for group, count in counts.items():
        kind = group.partition("/")[0]
        total[kind] = total.get(kind, 0) + count
    return total


def save(passes: Passes, file: Path = FILE) -> None:
    """Write the passes."""
    file.write_text(json.dumps(passes, indent=1) + "\n", encoding="utf-8")
