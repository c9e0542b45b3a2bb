"""``python -m tests.simulation --seed 123`` repeats a life, ``--minutes 5`` goes through many."""

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
@click.option("--seed", "seeds", type=int, multiple=True, help="The number of a life.")
@click.option("--minutes", default=0.0, help="How long to go through numbers, from --seed on.")
@click.option("--servers", default=SERVERS, help="How many processes serve each wiki.")
@click.option("--trace", is_flag=True, help="Print all that happens.")
def main(seeds: tuple[int, ...], minutes: float, servers: int, trace: bool) -> None:
    """Simulate lives of a wiki; the status is 1 if anything breaks what must hold."""
    prepare()
    end = time.monotonic() + 60 * minutes
    pending = list(seeds or [1])
    failed = False
    while pending:
        seed = pending.pop(0)
        failed |= not _lives_well(seed, servers, trace)
        if not pending and time.monotonic() < end:
            pending.append(seed + 1)
    sys.exit(failed)


def _lives_well(seed: int, servers: int, trace: bool) -> bool:
    with tempfile.TemporaryDirectory() as name:
        simulation = Simulation(seed, Path(name), servers)
        wrong = ""
        try:
            simulation.run()
        except Broken as error:
            wrong = str(error)
        told = simulation.trace_file.read_text(encoding="utf-8")
    lines = told.splitlines()
    if trace or wrong:
        click.echo("\n".join(lines if trace else lines[-_LAST_LINES:]))
    digest = hashlib.sha256(told.encode()).hexdigest()[:16]
    click.echo(f"seed {seed}: {len(lines)} events, {digest}: {wrong or 'all is well'}")
    return not wrong


if __name__ == "__main__":
    # The order of sets is part of what happens.
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.simulation", *sys.argv[1:]],
            {**os.environ, "PYTHONHASHSEED": "0"},
        )
    main()
