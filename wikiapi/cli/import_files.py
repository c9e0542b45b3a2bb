"""``wikiapi import-files``: import media files into the store."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from wikiapi.cli.support.options import Command, configured
from wikiapi.config import Config
from wikiapi.texts import counted


@click.command(
    "import-files",
    cls=Command,
    short_help="Import a folder of media files.",
    examples=(("wikiapi import-files images", "Import all media files of a folder."),),
)
@click.argument(
    "folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@configured
def command(config: Config, folder: Path) -> None:
    """Import the media files of a folder: sizes, types, metadata and description pages.

    If the setting files.folder names an upload folder, the files are copied into it.
    """
    from wikiapi.cli.support.cleanup import removing_on_failure
    from wikiapi.cli.support.linking import derive_links
    from wikiapi.cli.support.progress import Progress
    from wikiapi.factory import open_site
    from wikiapi.importing.files.importer import import_files, media_paths
    from wikiapi.importing.finish import finish_unless_done
    from wikiapi.store.database import Database
    from wikiapi.store.schema import migrate

    url = config.database.url
    with removing_on_failure(url), closing(Database(url)) as db:
        migrate.upgrade(db)
        site = open_site(config, database=db)
        paths = media_paths(folder)
        with Progress("Files", len(paths), "files", 1) as bar:
            report = import_files(site, paths, bar.move_to)
        for name, reason in report.refused:
            click.echo(f"Warning: skipped {name!r}: {reason}", err=True)
        derive_links(site)
        finish_unless_done(site)
    click.echo(
        f"Imported {counted(report.imported, 'file')}, {report.unchanged} unchanged.", err=True
    )
