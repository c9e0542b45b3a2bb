"""The options of ``wikiapi import-files``."""

from __future__ import annotations

from pathlib import Path

import click

from wikiapi.cli.support.options import Command, configured
from wikiapi.config import Config


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
    from wikiapi.cli.work.import_files import run

    run(config, folder)
