"""``wikiapi import-tables``: load Wikimedia's table dumps into the store."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import click

from wikiapi.cli.support.options import Command, check_readable, configured
from wikiapi.config import Config
from wikiapi.errors import DumpError
from wikiapi.importing.source import STDIN, open_source
from wikiapi.texts import counted

if TYPE_CHECKING:
    from wikiapi.site import Site


@click.command(
    "import-tables",
    cls=Command,
    short_help="Load Wikimedia's table dumps.",
    examples=(
        (
            "wikiapi import-tables page.sql.gz linktarget.sql.gz pagelinks.sql.gz",
            "Load tables after `wikiapi import --no-links`; the order of files does not matter.",
        ),
        (
            "wikiapi import-tables --database wiki.sqlite page.sql.gz",
            "Load into another store.",
        ),
    ),
)
@click.argument("dumps", metavar="FILE...", nargs=-1, required=True)
@configured
def command(config: Config, dumps: tuple[str, ...]) -> None:
    """Replace the contents of tables with table dumps (.sql, .sql.gz and so on).

    Only complete files of published tables are accepted: pages, links, categories, properties,
    protection, files, groups, tags. Interrupted loading resumes when the command is run again.
    """
    from wikiapi.cli.support.cleanup import removing_on_failure
    from wikiapi.factory import open_site
    from wikiapi.importing.tables.loader import finish_tables
    from wikiapi.store.database import Database
    from wikiapi.store.schema import migrate

    if STDIN in dumps:
        raise DumpError("a table dump is read twice: use a file instead of standard input")
    check_readable(dumps)
    ordered = _in_order(dumps)
    url = config.database.url
    with removing_on_failure(url), closing(Database(url)) as db:
        migrate.upgrade(db)
        site = open_site(config, database=db)
        for name in ordered:
            _load(site, name)
        finish_tables(site)


def _in_order(names: Sequence[str]) -> list[str]:
    """Return the files in an order in which each table comes after those it refers to."""
    from wikiapi.importing.tables.layouts import LAYOUTS
    from wikiapi.importing.tables.loader import table_of

    order = list(LAYOUTS)
    tables: dict[str, str] = {}
    for name in names:
        with open_source(name) as source:
            table = table_of(source)
        if table in tables:
            raise DumpError(f"{tables[table]} and {name} are both dumps of the table {table!r}")
        tables[table] = name
    return [tables[table] for table in sorted(tables, key=order.index)]


def _load(site: Site, name: str) -> None:
    from wikiapi.cli.support.progress import Progress
    from wikiapi.importing.tables.loader import load_table

    with open_source(name) as source, Progress("Rows", source.size) as bar:
        report = load_table(
            site.db,
            source,
            lambda rows: bar.move_to(source.position, counted(rows, "row")),
            site.collation,
        )
    if report.already_done:
        click.echo(f"{name} has been loaded already.", err=True)
        return
    click.echo(f"Loaded {counted(report.rows, 'row')} into {report.table} from {name}.", err=True)
    if report.skipped:
        rows = counted(report.skipped, "row that refers", "rows that refer")
        click.echo(f"Warning: skipped {rows} to missing rows", err=True)
