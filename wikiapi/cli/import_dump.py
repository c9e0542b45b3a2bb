"""The options of ``wikiapi import``."""

from __future__ import annotations

from pathlib import Path

import click

from wikiapi.cli.support.options import (
    DEFAULT_CONFIG,
    Command,
    configured,
    jobs_option,
    recent_option,
)
from wikiapi.config import Config


@click.command(
    "import",
    cls=Command,
    short_help="Import dumps or folders of wikitext.",
    examples=(
        (
            "wikiapi import pages.xml.gz",
            "Import into wikiapi.sqlite, and write wikiapi.toml, unless there is one.",
        ),
        (
            "wikiapi import --database wiki.sqlite pages.xml.gz",
            "Import into another store.",
        ),
        (
            "wikiapi import --write-config wiki.toml pages.xml.gz",
            "Write the configuration to another file.",
        ),
    ),
)
@click.argument("dumps", metavar="DUMP...", nargs=-1, required=True)
@click.option(
    "--interwiki",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Interwiki map for a new store: a JSON answer of meta=siteinfo.",
)
@click.option(
    "--write-config",
    type=click.Path(path_type=Path),
    help="Write a configuration for the dump's wiki, unless the file exists, and use it. Defaults"
    " to wikiapi.toml if there is no configuration.",
)
@click.option("--any-wiki", is_flag=True, help="Allow dumps of different wikis in one store.")
@click.option(
    "--prune",
    "prune_gone",
    is_flag=True,
    help="Remove pages that are not in the dumps, which together must be complete and current.",
)
@click.option("--links/--no-links", default=True, help="Derive the link tables afterwards.")
@jobs_option
@recent_option
@configured
@click.pass_context
def command(
    context: click.Context,
    config: Config,
    dumps: tuple[str, ...],
    interwiki: Path | None,
    write_config: Path | None,
    any_wiki: bool,
    prune_gone: bool,
    links: bool,
    jobs: int,
    recent_days: int,
) -> None:
    """Import XML dumps (plain, .gz, .bz2, .xz, .zst, .7z; - for standard input) or folders.

    Without a configuration, wikiapi.toml is written from the head of the dump. An interrupted
    import resumes when the same command is run again.
    """
    from wikiapi.cli.work.import_dump import Import, Options

    used = write_config or context.params["path"] or DEFAULT_CONFIG
    if used == DEFAULT_CONFIG and not used.exists():
        write_config = DEFAULT_CONFIG
    options = Options(
        dumps=dumps,
        config=used,
        interwiki=interwiki,
        write_config=write_config,
        any_wiki=any_wiki,
        prune=prune_gone,
        links=links,
        jobs=jobs,
        recent_days=recent_days,
        serve=_command_to_serve(used, context.params["database"]),
    )
    Import(config, options).run()


def _command_to_serve(path: Path, database: str | None) -> str:
    """Return the command that serves the store with the same configuration."""
    words = ["wikiapi serve"]
    if path != DEFAULT_CONFIG:
        words.append(f"--config {path}")
    if database is not None:
        words.append(f"--database {database.removeprefix('sqlite:///')}")
    return " ".join(words)
