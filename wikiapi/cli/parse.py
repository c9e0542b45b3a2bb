"""``wikiapi parse``: render a text or a page, or show the result of one stage."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import click

from wikiapi.cli.support.advice import Failure
from wikiapi.cli.support.options import TEXT, Command, configured
from wikiapi.cli.support.sites import empty_site, existing_site, has_store
from wikiapi.config import Config
from wikiapi.errors import InvalidTitle
from wikiapi.site import Site
from wikiapi.store.queries import texts
from wikiapi.title.title import Title
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.pipeline import FINISH, HALF
from wikiapi.wikitext.preprocess.xml import tree_xml

Show = Callable[[Site, str, Title], str]


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A stage, and the function that shows it for a site, a text and its title."""

    name: str
    meaning: str
    show: Show


def _tree(site: Site, text: str, _: Title) -> str:
    return tree_xml(site.parser.preprocessor.tree(text))


def _expanded(site: Site, text: str, title: Title) -> str:
    return site.parser.expand(text, title, ParserOptions(target=Target.WIKITEXT))


def _after(name: str) -> Show:
    """Return a function that shows the text after a stage, with ``␡`` around strip markers."""

    def show(site: Site, text: str, title: Title) -> str:
        seen: dict[str, str] = {}
        site.parser.parse(text, title, ParserOptions(on_stage=seen.__setitem__))
        return seen[name].replace("\x7f", "␡")

    return show


def _html(site: Site, text: str, title: Title) -> str:
    return site.parser.parse(text, title, ParserOptions()).html


def _links(site: Site, text: str, title: Title) -> str:
    output = site.parser.links_of(text, title)

    def names(keys: Any) -> list[str]:
        return sorted(site.titles.make(*key).prefixed_text for key in keys)

    found = {
        "links": names(output.links),
        "templates": names(output.templates),
        "files": sorted(output.images),
        "categories": sorted(output.categories),
        "external": sorted(output.external_links),
        "interwiki": [":".join(link) for link in output.interwiki_links],
        "redirect": output.redirect.prefixed_text if output.redirect else None,
        "properties": dict(sorted(output.properties.items())),
    }
    return json.dumps(found, ensure_ascii=False, indent=2)


STAGES: tuple[ShownStage, ...] = (
    ShownStage("tree", "the preprocessor's tree, as XML", _tree),
    ShownStage("expand", "wikitext with templates and parser functions expanded", _expanded),
    *(ShownStage(stage.name, stage.reason, _after(stage.name)) for stage in (*HALF, *FINISH)),
    ShownStage("html", "the whole page, as action=parse returns it", _html),
    ShownStage("outgoing", "links, templates, categories and properties, as JSON", _links),
)
"""Stages of the pipeline have its names and, as their meaning, the reason for their position."""


_SHOWS = {stage.name: stage.show for stage in STAGES}
_WIDTH = max(map(len, _SHOWS))


def _help() -> Iterator[str]:
    yield "Render TEXT, standard input, or a page of the store to HTML.\n"
    yield "A text needs no store: without one, it is rendered as on a wiki without pages.\n"
    yield "With --stage, show the result of one stage of rendering. The stages, in order:\n"
    yield "\b"  # keeps click from wrapping the lines of this paragraph
    yield from (f"{stage.name:{_WIDTH}}  {stage.meaning}" for stage in STAGES)


@click.command(
    "parse",
    cls=Command,
    help="\n".join(_help()),
    short_help="Render a text or a page, or show one stage of rendering.",
    examples=(
        ("wikiapi parse \"'''Tea''' is [[hot]].\"", "Render a text to HTML."),
        ("wikiapi parse --page 'Main Page'", "Render a page of the store."),
        ("echo '{{PAGENAME}}' | wikiapi parse --stage expand --title Tea", "Expand templates."),
        ("wikiapi parse --stage tree '{{a|b}}'", "Show the preprocessor's tree."),
        ("wikiapi parse --stage outgoing --page 'Main Page'", "Show a page's links."),
    ),
)
@configured
@click.option("--page", type=TEXT, help="Render this page of the store.")
@click.option(
    "--title",
    "title_text",
    type=TEXT,
    default="API",
    show_default=True,
    help="Title under which a text is rendered.",
)
@click.option(
    "--stage",
    type=click.Choice(list(_SHOWS)),
    default="html",
    metavar="NAME",
    show_default=True,
    help="The stage to show.",
)
@click.argument("text", type=TEXT, required=False)
def command(
    config: Config, page: str | None, title_text: str, stage: str, text: str | None
) -> None:
    """Render a text or a page. The help text is generated from the stages."""
    if page is not None and text is not None:
        raise click.UsageError("give a text or --page, not both")
    # A text needs no store. If there is one, its pages serve as templates and link targets.
    opened = existing_site if page is not None or has_store(config) else empty_site
    with opened(config) as site:
        title = _title(site, page if page is not None else title_text)
        source = _source(site, title, text, from_store=page is not None)
        click.echo(_SHOWS[stage](site, source, title))


def _title(site: Site, text: str) -> Title:
    try:
        return site.titles.parse(text)
    except InvalidTitle as error:
        reason = site.messages.text(error.message, "en")
        raise click.UsageError(f"{text!r} is not a valid title: {reason}") from error


def _source(site: Site, title: Title, text: str | None, *, from_store: bool) -> str:
    if not from_store:
        return sys.stdin.read() if text is None else text
    found = texts.current(site.db, [title.key]).get(title.key)
    if found is None or found.text is None:
        raise Failure(
            f"the store has no text of {title.prefixed_text}",
            f"`wikiapi search --titles {title.text!r}` looks for titles like it.",
        )
    return found.text
