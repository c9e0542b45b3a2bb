"""A few lives, each told twice in the same way; ``python -m tests.simulation --help`` has more."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.processes import environment
from tests.simulation.invariants import ACCEPTED, UNKNOWN, Write, writes_of

SHORT = 15
"""A life with a kill, a loss of power, an update and accepted writes, of one server."""
SEEDS = (12, 13)
"""Lives with full disks, impatient writers and kills: in imports, updates and servers."""


def lives(*options: str) -> list[str]:
    """Return what a run prints that finds nothing wrong."""
    command = [sys.executable, "-m", "tests.simulation", *options]
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout.splitlines()


def test_a_number_tells_the_same_life_each_time() -> None:
    short = ("--seed", str(SHORT))
    told = lives(*short, *short, "--servers", "1", "--trace")
    trace = told[: len(told) // 2]
    assert told == trace + trace
    assert any(" is killed" in line for line in trace)
    assert any(" loses its power" in line for line in trace)
    assert any(": request recentchanges" in line for line in trace)
    assert any(" accepted" in line for line in trace)
    assert trace[-1].endswith("all is well")


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost(seed: int) -> None:
    (told,) = lives("--seed", str(seed))
    assert told.endswith("all is well")
    assert lives("--seed", str(seed)) == [told]


def test_what_was_asked_and_what_came_of_it() -> None:
    trace = [
        "Ada: asks mark-1-Ada-0 edit",
        "Ada: BEGIN IMMEDIATE",
        "Bob: asks mark-1-Bob-0 move",
        "Ada: got mark-1-Ada-0 accepted",
        "Bob: got mark-1-Bob-0 articleexists",
        "Ada: asks mark-1-Ada-1 upload",
    ]
    assert writes_of(trace) == [
        Write("mark-1-Ada-0", "edit", ACCEPTED),
        Write("mark-1-Bob-0", "move", "articleexists"),
        Write("mark-1-Ada-1", "upload", UNKNOWN),
    ]
