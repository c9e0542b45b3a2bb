"""Long runs: ``python -m tests.fuzz rendering --minutes 5``; ``all`` takes one after another.

Inputs come from hypothesis, by chance; with ``--atheris`` they are led by which lines they reach.
The first input that breaks something is shown as it is kept in ``tests/fixtures/fuzz/TARGET.json``.
Hypothesis makes it small before, and libFuzzer does when it is told to: options after ``--`` are
its own, as in ``python -m tests.fuzz css --atheris -- -minimize_crash=1 .state/fuzz/crash-…``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any, NoReturn

import click
from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzz.target import Opened

_ENDLESS = 10**9
_INSTRUMENTED = ["wikiapi", "wikiapi_plugins", "wikiapi_grammar", "lark", "tinycss2"]


class _Enough(BaseException):
    """The time is over."""


@click.command()
@click.argument("name", metavar="TARGET|all")
@click.option("--minutes", default=5.0, help="How long to go on.")
@click.option("--atheris", "guided", is_flag=True, help="Let coverage lead.")
@click.option("--merge", is_flag=True, help="Add what such runs have collected to the corpus.")
@click.option("--seed", default=None, type=int, help="For the same inputs again.")
@click.argument("own", metavar="[-- LIBFUZZER_OPTION…]", nargs=-1, type=click.UNPROCESSED)
def main(
    name: str, minutes: float, guided: bool, merge: bool, seed: int | None, own: tuple[str, ...]
) -> None:
    """Fuzz TARGET; the names are those of fuzz/targets.py."""
    with _instrumented(guided and name != "all"):
        from tests.fuzz.targets import TARGETS
    if name == "all":
        _run_each(TARGETS)
        return
    if name not in TARGETS:
        raise click.UsageError(f"There is no target {name!r}. There are: {', '.join(TARGETS)}.")
    if merge:
        from tests.fuzz import led

        led.merge(name)
        return
    with TARGETS[name].open() as opened:
        check = _Reporting(opened.check)
        reporting = replace(opened, check=check)
        if guided:
            _run_led(name, reporting, minutes * 60, seed, own)
        _run_by_chance(opened.inputs, check, minutes * 60, seed)
        click.echo(f"The slowest took {check.slowest:.2f} s: {check.input:.500}")


def _run_each(names: Iterable[str]) -> None:
    """Run this command for each target, in a process of its own; stop where something is found."""
    options = [option for option in sys.argv[1:] if option != "all"]
    for name in names:
        click.echo(f"== {name}", err=True)
        subprocess.run([sys.executable, "-m", "tests.fuzz", name, *options], check=True)


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


def _run_led(
    name: str, opened: Opened, seconds: float, seed: int | None, own: tuple[str, ...]
) -> NoReturn:
    """Run libFuzzer, which ends the process, with status 77 if something was found."""
    from tests.fuzz import led

    if own:
        led.start(name, opened, own)
    led.run(name, opened, seconds, seed)
    raise AssertionError("libFuzzer has returned")


if __name__ == "__main__":
    main()
