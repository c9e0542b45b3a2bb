"""``wikiapi parse``: render a text or a page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from wikiapi.cli.options import configured
from wikiapi.cli.sites import existing_site
from wikiapi.errors import InvalidTitle
from wikiapi.store import texts
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.preprocess.xml import tree_xml

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.config import Config
    from wikiapi.site import Site
    from wikiapi.title.title import Title

STAGES: dict[str, Callable[[Site, str, Title], str]] = {
    "tree": lambda site, text, title: tree_xml(site.parser.preprocessor.tree(text)),
    "expand": lambda site, text, title: site.parser.expand(
        text, title, ParserOptions(target=Target.WIKITEXT)
    ),
    "html": lambda site, text, title: site.parser.parse(text, title, ParserOptions()).html,
}


@click.command("parse")
@configured
@click.option("--page", help="Render this page of the store.")
@click.option("--title", "title_text", default="API", help="Title that a text is rendered under.")
@click.option(
    "--stage",
    type=click.Choice(list(STAGES)),
    default="html",
    help="How far to go: tree shows what the preprocessor finds, expand replaces templates only.",
)
@click.argument("text", required=False)
def command(
    config: Config, page: str | None, title_text: str, stage: str, text: str | None
) -> None:
    """Render TEXT, the standard input, or a page to HTML."""
    if page is not None and text is not None:
        raise click.UsageError("give a text or --page, not both")
    with existing_site(config) as site:
        title = _title(site, page if page is not None else title_text)
        source = _source(site, title, text, from_store=page is not None)
        click.echo(STAGES[stage](site, source, title))


def _title(site: Site, text: str) -> Title:
    try:
        return site.titles.parse(text)
    except InvalidTitle as error:
        raise click.UsageError(f"{text!r} is no title: {error}") from error


def _source(site: Site, title: Title, text: str | None, *, from_store: bool) -> str:
    if not from_store:
        return sys.stdin.read() if text is None else text
    found = texts.current(site.db, [title.key]).get(title.key)
    if found is None or found.text is None:
        raise click.ClickException(f"the store has no text of {title.prefixed_text}")
    return found.text
