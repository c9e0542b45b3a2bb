"""``wikiapi doctor``: diagnose problems with a configuration or a store."""

from __future__ import annotations

from pathlib import Path

import click

from wikiapi.cli.support.options import DATABASE, Command, file_of_folder


@click.command(
    "doctor",
    cls=Command,
    short_help="Diagnose problems with an installation.",
    examples=(
        ("wikiapi doctor", "Check wikiapi.toml in the current folder and its store."),
        ("wikiapi doctor --database wiki.sqlite --verbose", "List all checks."),
        ("wikiapi doctor --json", "Print JSON."),
    ),
)
@click.option(
    "--config",
    "path",
    type=click.Path(path_type=Path),
    callback=file_of_folder,
    help="Configuration file, or a folder with a wikiapi.toml. Defaults to wikiapi.toml in the"
    " current folder, if it exists.",
)
@click.option(
    "--database",
    metavar="PATH|URL",
    type=DATABASE,
    help="Database to use instead of the configured one: an SQLite file, or a URL.",
)
@click.option("--verbose", is_flag=True, help="List every check, not only problems.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(path: Path | None, database: str | None, verbose: bool, as_json: bool) -> None:
    """Diagnose problems with a configuration or a store, and suggest solutions.

    The checks cover the configuration file and all its settings, Python and its libraries, plugins,
    and the store's file, tables and contents. Nothing is changed or sent anywhere. The exit status
    is 1 if something prevents wikiapi from working, and 0 if there are only warnings and notes.
    """
    from wikiapi.cli.doctor.checks import run

    run(path, database, verbose, as_json)
