"""``wikiapi import-tables``: load Wikimedia's table dumps into the store."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import click

from wikiapi.cli.support.cleanup import removing_on_failure
from wikiapi.cli.support.options import check_readable
from wikiapi.cli.support.progress import Progress
from wikiapi.config import Config
from wikiapi.errors import DumpError
from wikiapi.factory import open_site
from wikiapi.importing.source import STDIN, open_source
from wikiapi.importing.tables.layouts import LAYOUTS
from wikiapi.importing.tables.loader import finish_tables, load_table, table_of
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.texts import counted


def run(config: Config, dumps: tuple[str, ...]) -> None:
    """Load the tables, in an order in which their references can be resolved."""
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
