"""``python -m tests.simulation --seed 123`` repeats a run, ``--minutes 5`` tries many seeds."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from pathlib import Path

import click

from tests.simulation.simulation import SERVERS, Broken, Simulation, prepare

_LAST_LINES = 30


@click.command()
@click.option("--seed", "seeds", type=int, multiple=True, help="A seed; may be repeated.")
@click.option("--minutes", default=0.0, help="Minutes to try seeds, from --seed on.")
@click.option("--servers", default=SERVERS, help="Number of processes that serve the wiki in turn.")
@click.option("--trace", is_flag=True, help="Print the trace of all events.")
def main(seeds: tuple[int, ...], minutes: float, servers: int, trace: bool) -> None:
    """Simulate a wiki under faults; the exit status is 1 if an invariant is violated."""
    prepare()
    end = time.monotonic() + 60 * minutes
    pending = list(seeds or [1])
    failed = False
    while pending:
        seed = pending.pop(0)
        failed |= not _holds(seed, servers, trace)
        if not pending and time.monotonic() < end:
            pending.append(seed + 1)
    sys.exit(failed)


def _holds(seed: int, servers: int, trace: bool) -> bool:
    with tempfile.TemporaryDirectory() as name:
        simulation = Simulation(seed, Path(name), servers)
        wrong = ""
        try:
            simulation.run()
        except Broken as error:
            wrong = str(error)
        trace_text = simulation.trace_file.read_text(encoding="utf-8")
    lines = trace_text.splitlines()
    if trace or wrong:
        click.echo("\n".join(lines if trace else lines[-_LAST_LINES:]))
    digest = hashlib.sha256(trace_text.encode()).hexdigest()[:16]
    click.echo(f"seed {seed}: {len(lines)} events, {digest}: {wrong or 'all is well'}")
    return not wrong


if __name__ == "__main__":
    # The order of sets influences the run.
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.simulation", *sys.argv[1:]],
            {**os.environ, "PYTHONHASHSEED": "0"},
        )
    main()
