"""``wikiapi search``: search the pages."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from wikiapi.cli.support.advice import Failure
from wikiapi.cli.support.options import TEXT, Command, configured, printable
from wikiapi.config import Config
from wikiapi.texts import counted

if TYPE_CHECKING:
    from wikiapi.searching import Hit, Part, SearchResults
    from wikiapi.site import Site


EVERY = "all"
_MAIN_NAMES = frozenset({"", "main", "(main)"})


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
    from wikiapi.factory import existing_site, with_read_right, without_debug_info
    from wikiapi.searching import search

    with existing_site(without_debug_info(with_read_right(config)), read_only=True) as site:
        results = search(
            site,
            " ".join(words),
            titles=titles,
            limit=limit,
            namespaces=namespaces_of(site, names),
        )
    (_print_json if as_json else _print_hits)(results)
    if not results.hits:
        sys.exit(1)


def namespaces_of(site: Site, names: Iterable[str]) -> list[int] | None:
    """Return the numbers of namespaces given by number or name, or None for ``all`` or no names.

    Raises:
        Failure: there is no namespace with this name.
    """
    chosen = list(names)
    if not chosen or EVERY in chosen:
        return None
    return [_namespace(site, name) for name in chosen]


def _namespace(site: Site, name: str) -> int:
    from wikiapi.title.namespaces import MAIN

    if name.lower() in _MAIN_NAMES:
        return MAIN
    if name.isascii() and name.isdigit() and len(name) < 10:
        namespace = site.namespaces.get(int(name))
    else:
        namespace = site.namespaces.find(name)
    if namespace is None:
        names = ", ".join(f"{entry.id} {entry.name or '(main)'}" for entry in _searched(site))
        raise Failure(f"there is no namespace {name!r}", f"The namespaces are {names}.")
    return namespace.id


def _searched(site: Site) -> Iterator[Any]:
    return (entry for entry in site.namespaces if entry.id >= 0)


def _print_json(results: SearchResults) -> None:
    data = {"total": results.total, "pages": [hit.as_json() for hit in results.hits]}
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _print_hits(results: SearchResults) -> None:
    for hit in results.hits:
        _print_hit(hit)
    if not results.hits:
        click.echo("No page contains these words.", err=True)
    elif results.total > len(results.hits):
        click.echo(
            f"{len(results.hits)} of {counted(results.total, 'page')}; --limit shows more.",
            err=True,
        )


def _print_hit(hit: Hit) -> None:
    click.secho(printable(hit.title), bold=True)
    lines = "".join(map(_styled, hit.snippet)).strip().splitlines()
    for line in lines:
        click.echo(f"    {line}")


def _styled(part: Part) -> str:
    text = printable(part.text)
    return click.style(text, fg="green", bold=True) if part.match else text
