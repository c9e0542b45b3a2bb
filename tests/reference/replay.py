"""Replays the recorded requests and counts what agrees."""

from __future__ import annotations

import collections
import gzip
import http.client
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from tests.reference.material import RECORDED, load_check
from tests.reference.ratchet import Passes

Serving = Callable[[str], AbstractContextManager[str]]
"""Serves a wiki by its name, and yields the address of its api.php."""

WILD = "wild"
"""The kind of the answers of the wiki with extensions of third-party wikis."""


@dataclass
class Score:
    """Passed cases and all cases by group (``kind/group``), and what differed in the others.

    Sessions of writing have steps, which are counted as well.
    """

    passed: Passes = field(default_factory=lambda: collections.defaultdict(int))
    total: Passes = field(default_factory=lambda: collections.defaultdict(int))
    failures: dict[str, list[str]] = field(default_factory=dict)
    steps: int = 0
    steps_passed: int = 0

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


def replay_wikis(kind: str, key: str, names: Iterable[str], serving: Serving) -> Score:
    """Replay recorded answers of several wikis; each wiki is a group such as ``lang/fr``.

    Args:
        kind: name of the file of recorded answers.
        key: item of an answer that names its wiki.
        names: the wikis.
        serving: serves a wiki and yields the address of its api.php.
    """
    check, score = load_check(), Score()
    for name in names:
        with serving(name) as base:
            client = check.Client(base)
            for row in recorded_rows(kind):
                if row[key] == name:
                    _compare(row, f"{kind}/{name}", client, score, check)
            if client.conn:
                client.conn.close()
    return score


def recorded_rows(kind: str) -> Iterator[Mapping[str, Any]]:
    """Yield the recorded answers of a kind of wikis."""
    with gzip.open(RECORDED / f"{kind}.jsonl.gz") as lines:
        yield from map(json.loads, lines)


def _compare(
    row: Mapping[str, Any], group: str, client: Any, score: Score, check: ModuleType
) -> None:
    recorded, answer = row["steps"][0], client.get(row["params"])
    differences = [str(each) for each in check.differences(recorded["json"], answer["json"])]
    if recorded["api_error"] != answer["api_error"]:
        differences.append(f"error code {answer['api_error']}, not {recorded['api_error']}")
    score.total[group] += 1
    score.passed[group] += not differences
    if differences:
        score.failures[f"{group} {row['name']}"] = differences


def run_program(
    kind: str, key: str, names: Iterable[str], serving: Serving, options: Sequence[str]
) -> int:
    """Run ``check_KIND.py`` against wikis, one after another; return its exit status."""
    status = 0
    for name in names:
        with serving(name) as base:
            program = [sys.executable, str(RECORDED / f"check_{kind}.py")]
            arguments = ["--base", base, f"--{key}", name, *options]
            status = subprocess.run([*program, *arguments], check=False).returncode or status
    return status
