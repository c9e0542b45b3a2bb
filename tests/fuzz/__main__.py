"""Long runs: ``python -m tests.fuzz rendering --minutes 5``.

Inputs come from hypothesis, by chance; with ``--atheris`` they are led by which lines they reach.
The first input that breaks something is made small and shown as it is kept in
``tests/fixtures/fuzz/TARGET.json``.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import click
from hypothesis import HealthCheck, Phase, given, settings

_ENDLESS = 10**9
_INSTRUMENTED = ["wikiapi", "wikiapi_plugins"]


class _Enough(BaseException):
    """The time is over."""


@click.command()
@click.argument("name", metavar="TARGET")
@click.option("--minutes", default=5.0, help="How long to go on.")
@click.option("--atheris", "guided", is_flag=True, help="Let coverage lead.")
@click.option("--seed", default=None, type=int, help="For the same inputs again.")
def main(name: str, minutes: float, guided: bool, seed: int | None) -> None:
    """Fuzz TARGET; the names are those of fuzz/targets.py."""
    with _instrumented(guided):
        from tests.fuzz.targets import TARGETS
    if name not in TARGETS:
        raise click.UsageError(f"There is no target {name!r}. There are: {', '.join(TARGETS)}.")
    with TARGETS[name].open() as opened:
        run = _run_led if guided else _run_by_chance
        check = _Reporting(opened.check)
        run(opened.inputs, check, minutes * 60, seed)
        click.echo(f"The slowest took {check.slowest:.2f} s: {check.input:.500}")


@contextmanager
def _instrumented(guided: bool) -> Iterator[None]:
    if not guided:
        yield
        return
    import atheris

    with atheris.instrument_imports(include=_INSTRUMENTED):
        yield


class _Reporting:
    """A check that shows what fails, and remembers what took longest."""

    def __init__(self, check: Callable[[Any], None]) -> None:
        self._check = check
        self.slowest = 0.0
        self.input = ""

    def __call__(self, value: Any) -> None:
        started = time.perf_counter()
        try:
            self._check(value)
        except Exception:
            click.echo(f"FOUND {json.dumps(value)}", err=True)
            raise
        taken = time.perf_counter() - started
        if taken > self.slowest:
            self.slowest, self.input = taken, json.dumps(value)


def _run_by_chance(inputs: Any, check: Any, seconds: float, seed: int | None) -> None:
    """Run whole rounds of hypothesis until the time is over."""
    end, done = time.monotonic() + seconds, 0

    @settings(
        max_examples=_ENDLESS,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(inputs)
    def run(value: Any) -> None:
        nonlocal done
        if time.monotonic() > end:
            raise _Enough
        check(value)
        done += 1

    if seed is not None:
        from hypothesis import seed as seeded

        run = seeded(seed)(run)
    try:
        run()
    except _Enough:
        click.echo(f"{done} inputs in {timedelta(seconds=seconds)}: nothing found.")


def _run_led(inputs: Any, check: Any, seconds: float, seed: int | None) -> None:
    """Run libFuzzer, which ends the process, with status 77 if something was found."""
    import atheris

    @settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(inputs)
    def run(value: Any) -> None:
        check(value)

    options = [f"-max_total_time={int(seconds)}", "-print_final_stats=1", "-rss_limit_mb=4096"]
    options += [f"-seed={seed}"] if seed is not None else []
    atheris.Setup([sys.argv[0], *options], run.hypothesis.fuzz_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
