"""``wikiapi search``: search the pages."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from wikiapi.cli.support.advice import Failure
from wikiapi.cli.support.options import printable
from wikiapi.config import Config
from wikiapi.factory import existing_site, with_read_right, without_debug_info
from wikiapi.plurals import counted
from wikiapi.searching import Found, Hit, Part, search
from wikiapi.site import Site
from wikiapi.title.namespaces import MAIN

EVERY = "all"
_MAIN_NAMES = frozenset({"", "main", "(main)"})


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
    if name.lower() in _MAIN_NAMES:
        return MAIN
    if name.isascii() and name.isdigit() and len(name) < 10:
        found = site.namespaces.get(int(name))
    else:
        found = site.namespaces.find(name)
    if found is None:
        known = ", ".join(f"{entry.id} {entry.name or '(main)'}" for entry in _searched(site))
        raise Failure(f"there is no namespace {name!r}", f"The namespaces are {known}.")
    return found.id


def _searched(site: Site) -> Iterator[Any]:
    return (entry for entry in site.namespaces if entry.id >= 0)


def run(
    config: Config,
    titles: bool,
    limit: int,
    names: tuple[str, ...],
    as_json: bool,
    words: tuple[str, ...],
) -> None:
    """Print the pages found, and exit with status 1 if there are none."""
    with existing_site(without_debug_info(with_read_right(config)), read_only=True) as site:
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
        click.echo("No page contains these words.", err=True)
    elif found.total > len(found.hits):
        click.echo(
            f"{len(found.hits)} of {counted(found.total, 'page')}; --limit shows more.", err=True
        )


def _print_hit(hit: Hit) -> None:
    click.secho(printable(hit.title), bold=True)
    lines = "".join(map(_shown, hit.snippet)).strip().splitlines()
    for line in lines:
        click.echo(f"    {line}")


def _shown(part: Part) -> str:
    text = printable(part.text)
    return click.style(text, fg="green", bold=True) if part.match else text
