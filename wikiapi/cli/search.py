"""``wikiapi search``: search the pages."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from wikiapi.cli.support.advice import Failure
from wikiapi.cli.support.options import TEXT, Command, configured, printable
from wikiapi.config import Config
from wikiapi.texts import counted

if TYPE_CHECKING:
    from wikiapi.search import Part, SearchResults
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
    """Find pages with WORDS, the best first.

    Pages that are called so come first, then those with the words in their titles. If no page has
    all of the words, other spellings or some of the words are enough. The exit status is 1 if
    there are no pages.
    """
    from wikiapi.factory import existing_site, with_read_right, without_debug_info
    from wikiapi.search import search

    with existing_site(without_debug_info(with_read_right(config)), read_only=True) as site:
        results = search(
            site,
            " ".join(words),
            namespaces_of(site, names),
            titles=titles,
            limit=limit,
        )
    (_print_json if as_json else _print_hits)(results)
    if not results.hits:
        sys.exit(1)


def namespaces_of(site: Site, names: Iterable[str]) -> list[int]:
    """Return the numbers of namespaces given by number or name, all for ``all`` or no names.

    Raises:
        Failure: there is no namespace with this name.
    """
    chosen = list(names)
    if not chosen or EVERY in chosen:
        return list(site.namespaces.ids())
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
        names = ", ".join(
            f"{entry.id} {entry.name or '(main)'}" for entry in site.namespaces if entry.id >= 0
        )
        raise Failure(f"there is no namespace {name!r}", f"The namespaces are {names}.")
    return namespace.id


def _print_json(results: SearchResults) -> None:
    data: dict[str, object] = {"total": results.total}
    if results.correction:
        data["correction"] = results.correction
    data["pages"] = [hit.as_json() for hit in results.hits]
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _print_hits(results: SearchResults) -> None:
    if results.correction:
        text = f"No page contains these words. Searched for: {results.correction}"
        click.echo(printable(text), err=True)
    elif results.is_partial:
        click.echo("No page contains all of these words. These come near:", err=True)
    for hit in results.hits:
        redirect = f" (redirect {hit.redirect})" if hit.redirect else ""
        click.echo(click.style(printable(hit.title), bold=True) + printable(redirect))
        click.echo(f"    {''.join(map(_styled, hit.snippet))}")
    if not results.hits:
        click.echo("No page contains these words.", err=True)
    elif results.total > len(results.hits):
        total = f"{'more than ' if results.has_more else ''}{counted(results.total, 'page')}"
        click.echo(f"{len(results.hits)} of {total}; --limit shows more.", err=True)


def _styled(part: Part) -> str:
    text = printable(part.text)
    return click.style(text, fg="green", bold=True) if part.match else text
