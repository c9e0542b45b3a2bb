"""``wikiapi search``: find pages by their words."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from wikiapi.cli.asking import quiet, readable
from wikiapi.cli.examples import Command
from wikiapi.cli.options import configured
from wikiapi.cli.searching import EVERY, namespaces_of, search
from wikiapi.cli.sites import existing_site
from wikiapi.cli.terminal import harmless
from wikiapi.cli.text import TEXT

if TYPE_CHECKING:
    from wikiapi.cli.searching import Found, Hit, Part
    from wikiapi.config import Config


@click.command(
    "search",
    cls=Command,
    short_help="Find pages by their words.",
    examples=(
        ("wikiapi search template", "Pages with a word, in their title or text."),
        ("wikiapi search --titles main page", "Pages with two words in their title."),
        (
            """wikiapi search '"page set" gener* -picture'""",
            "A phrase, how a word begins, and what must not be there.",
        ),
        ("wikiapi search --namespace Help --json category", "For a program, in one namespace."),
    ),
)
@click.option("--titles", is_flag=True, help="Look at titles alone.")
@click.option(
    "--limit",
    type=click.IntRange(1, 500),
    default=10,
    show_default=True,
    help="How many pages to show.",
)
@click.option(
    "--namespace",
    "names",
    metavar="NAME",
    type=TEXT,
    multiple=True,
    default=(EVERY,),
    help="Look in this namespace, by name or number; may be repeated. All of them by default.",
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
    """Find the pages that hold all WORDS; those with them in the title come first.

    Status 1 when there are none.
    """
    with existing_site(quiet(readable(config)), read_only=True) as site:
        found = search(
            site,
            " ".join(words),
            titles=titles,
            limit=limit,
            namespaces=namespaces_of(site, names),
        )
    (_print_json if as_json else _print)(found)
    if not found.hits:
        sys.exit(1)


def _print_json(found: Found) -> None:
    data = {"total": found.total, "pages": [hit.as_json() for hit in found.hits]}
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _print(found: Found) -> None:
    for hit in found.hits:
        _print_hit(hit)
    if not found.hits:
        click.echo("No page has these words.", err=True)
    elif found.total > len(found.hits):
        click.echo(f"{len(found.hits)} of {found.total} pages; --limit shows more.", err=True)


def _print_hit(hit: Hit) -> None:
    click.secho(harmless(hit.title), bold=True)
    lines = "".join(map(_shown, hit.snippet)).strip().splitlines()
    for line in lines:
        click.echo(f"    {line}")


def _shown(part: Part) -> str:
    text = harmless(part.text)
    return click.style(text, fg="green", bold=True) if part.match else text
