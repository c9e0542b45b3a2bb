"""The options of ``wikiapi search``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import TEXT, Command, configured
from wikiapi.config import Config


@click.command(
    "search",
    cls=Command,
    short_help="Search the pages.",
    examples=(
        ("wikiapi search template", "Find a word in titles and texts."),
        ("wikiapi search --titles main page", "Find pages with both words in the title."),
        (
            """wikiapi search '"page set" gener* -picture'""",
            "Combine a phrase, the beginning of a word, and an excluded word.",
        ),
        ("wikiapi search --namespace Help --json category", "Search one namespace, print JSON."),
    ),
)
@click.option("--titles", is_flag=True, help="Search only titles.")
@click.option(
    "--limit",
    type=click.IntRange(1, 500),
    default=10,
    show_default=True,
    help="Maximum number of pages to show.",
)
@click.option(
    "--namespace",
    "names",
    metavar="NAME",
    type=TEXT,
    multiple=True,
    help="Namespace to search, by name or number. Can be repeated. Defaults to all namespaces.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@configured
@click.argument("words", type=TEXT, nargs=-1, required=True)
def command(
    config: Config,
    titles: bool,
    limit: int,
    names: tuple[str, ...],
    as_json: bool,
    words: tuple[str, ...],
) -> None:
    """Find the pages that contain all WORDS, those with the words in the title first.

    The exit status is 1 if there are none.
    """
    from wikiapi.cli.work.search import run

    run(config, titles, limit, names, as_json, words)
