"""``wikiapi doctor``: explain what is wrong with a configuration or a store."""

from __future__ import annotations

import platform
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import click

import wikiapi
from wikiapi.cli.doctor.checks import CHECKS
from wikiapi.cli.doctor.declaration import problem
from wikiapi.cli.doctor.patient import Patient
from wikiapi.cli.examples import Command
from wikiapi.cli.findings import Printer
from wikiapi.cli.options import DEFAULT_CONFIG
from wikiapi.errors import StoreError

if TYPE_CHECKING:
    from wikiapi.cli.doctor.declaration import Check
    from wikiapi.store.check.finding import Finding


@click.command(
    "doctor",
    cls=Command,
    short_help="Explain what is wrong with a set-up.",
    examples=(
        ("wikiapi doctor", "Look at wikiapi.toml of this folder and the store it names."),
        ("wikiapi doctor --database sqlite:///wiki.sqlite --verbose", "Tell what is well, too."),
        ("wikiapi doctor --json", "For a program."),
    ),
)
@click.option(
    "--config",
    "path",
    type=click.Path(path_type=Path),
    help="Configuration file; wikiapi.toml of this folder when there is one.",
)
@click.option("--database", metavar="URL", default="", help="Database to use instead.")
@click.option("--verbose", is_flag=True, help="Tell of each check, not only of what is wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(path: Path | None, database: str, verbose: bool, as_json: bool) -> None:
    """Explain what is wrong with a configuration or a store, and what to do about it.

    Looks at the configuration file and every setting in it, Python and its libraries, plugins, the
    store's file, tables and contents. Nothing is changed or sent anywhere. Status 1 when something
    keeps wikiapi from working; warnings and notes leave it 0.
    """
    if path is None and DEFAULT_CONFIG.is_file():
        path = DEFAULT_CONFIG
    printer = Printer(lambda key: key[1], as_json=as_json)
    with closing(Patient(path, database)) as patient:
        for check in CHECKS:
            findings = _looked(check, patient)
            printer.show_all(findings or ())
            if verbose and not as_json and not findings:
                click.echo(f"{check.name}: {'not looked at' if findings is None else 'well'}")
    if not printer.finish(_versions(), f"{_summary()}:"):
        sys.exit(1)


def _looked(check: Check, patient: Patient) -> list[Finding] | None:
    """The findings; None where there is nothing to look at.

    A store that breaks while it is looked at is a finding, not the end.
    """
    subject = check.subject(patient)
    if subject is None:
        return None
    try:
        return list(check.look(subject))
    except StoreError as error:
        advice = "`wikiapi check` tells what is damaged."
        return [problem(check.name, f"it cannot be looked at: {error}", advice)]


def _versions() -> dict[str, str]:
    return {
        "wikiapi": wikiapi.__version__,
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "platform": platform.platform(),
    }


def _summary() -> str:
    versions = _versions()
    return (
        f"wikiapi {versions['wikiapi']}, Python {versions['python']}, SQLite {versions['sqlite']}"
    )
