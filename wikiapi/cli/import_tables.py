"""The options of ``wikiapi import-tables``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import Command, configured
from wikiapi.config import Config


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
    from wikiapi.cli.work.import_tables import run

    run(config, dumps)
