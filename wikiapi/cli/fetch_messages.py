"""The options of ``wikiapi fetch-messages``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wikiapi.cli.support.options import TEXT, Command, configured
from wikiapi.config import Config
from wikiapi.languages.codes import is_existing_language


def _checked(_context: click.Context, _option: click.Parameter, value: Any) -> Any:
    for code in value:
        if not is_existing_language(code):
            raise click.BadParameter(f"{code!r} is not the code of a language, such as fr or pt-br")
    return value


@click.command(
    "fetch-messages",
    cls=Command,
    short_help="Get the interface in other languages.",
    examples=(
        (
            "wikiapi fetch-messages https://fr.wikipedia.org/",
            "Get them from a live wiki, in the wiki's language and in those that stand in for it.",
        ),
        (
            "wikiapi fetch-messages /usr/share/mediawiki --language ar --language en",
            "Copy those in Arabic and in English from an installed MediaWiki.",
        ),
    ),
)
@click.argument("place", metavar="URL|FOLDER", type=TEXT)
@click.option(
    "--language",
    "languages",
    metavar="CODE",
    multiple=True,
    type=TEXT,
    callback=_checked,
    help="Language to get. Can be repeated. Defaults to the wiki's language and those whose texts"
    " stand in for missing ones, English included.",
)
@click.option(
    "--to",
    "folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to store the messages in. Defaults to the one beside the SQLite database.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0.01, 100),
    default=1,
    show_default=True,
    help="Maximum number of requests per second. They are sent one at a time.",
)
@click.option(
    "--contact",
    type=TEXT,
    default="",
    help="Your mail or web address, for the operators of the wiki. Wikimedia asks for one.",
)
@configured
def command(
    config: Config,
    place: str,
    languages: tuple[str, ...],
    folder: Path | None,
    rate: float,
    contact: str,
) -> None:
    """Get the messages of the interface, which wikiapi itself has in English only.

    They come from the API of the live wiki at URL, with what its administrators have changed, or
    from FOLDER: an installed MediaWiki with its extensions, or files XX.json. They are stored
    beside the database, where `wikiapi serve` finds them. An interrupted run resumes when the same
    command is run again.
    """
    from wikiapi.cli.work.fetch_messages import run

    run(config, place, languages, folder, rate, contact)
