"""Replays the recorded requests and counts what agrees."""

from __future__ import annotations

import collections
import http.client
from dataclasses import dataclass, field

from tests.reference.material import RECORDED, load_check
from tests.reference.ratchet import Passes

WILD = "wild"
"""The kind of the answers of the wiki with extensions of third-party wikis."""


@dataclass
class Score:
    """Passed cases and all cases by group (``kind/group``), and what differed in the others."""

    passed: Passes = field(default_factory=lambda: collections.defaultdict(int))
    total: Passes = field(default_factory=lambda: collections.defaultdict(int))
    failures: dict[str, list[str]] = field(default_factory=dict)

    def __iadd__(self, other: Score) -> Score:
        """Add the cases of another score, which are of other groups."""
        self.passed |= other.passed
        self.total |= other.total
        self.failures |= other.failures
        return self


def replay(base: str, only: str | None = None) -> Score:
    """Replay every case against a server.

    Args:
        base: address of its api.php.
        only: kinds of cases, separated by commas; all but ``wild`` when not given.
    """
    check = load_check()
    client, score = check.Client(base), Score()
    for kind, case in check.cases(only, str(RECORDED)):
        group = f"{kind}/{case['group']}"
        try:
            differences, _ = check.run_case(client, case)
        except (OSError, http.client.HTTPException) as error:
            differences = [f"no answer: {error}"]
        score.total[group] += 1
        score.passed[group] += not differences
        if differences:
            score.failures[case["id"]] = differences
    if client.conn:
        client.conn.close()
    return score
