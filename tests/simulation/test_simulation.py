"""Some runs, each repeated with the same trace; see ``python -m tests.simulation --help``."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.processes import environment
from tests.simulation.invariants import ACCEPTED, UNKNOWN, Write, writes_of

SHORT = 15
"""With one server, a run with a kill, a power failure, an update and accepted writes."""
SEEDS = (12, 13)
"""Runs with full disks, writers that time out and kills: in imports, updates and servers."""


def runs(*options: str) -> list[str]:
    """Return the output of runs that violate no invariant."""
    command = [sys.executable, "-m", "tests.simulation", *options]
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout.splitlines()


def test_a_seed_gives_the_same_run_each_time() -> None:
    short = ("--seed", str(SHORT))
    output = runs(*short, *short, "--servers", "1", "--trace")
    trace = output[: len(output) // 2]
    assert output == trace + trace
    assert any(" is killed" in line for line in trace)
    assert any(" loses its power" in line for line in trace)
    assert any(": request recentchanges" in line for line in trace)
    assert any(" accepted" in line for line in trace)
    assert trace[-1].endswith("all is well")


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost(seed: int) -> None:
    (output,) = runs("--seed", str(seed))
    assert output.endswith("all is well")
    assert runs("--seed", str(seed)) == [output]


def test_writes_and_outcomes_are_read_from_the_trace() -> None:
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
