"""``wikiapi parse``: render a text or a page, or show what one stage of it gives."""

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
from wikiapi.store import texts
from wikiapi.title.title import Title
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.pipeline import FINISH, HALF
from wikiapi.wikitext.preprocess.xml import tree_xml

Show = Callable[[Site, str, Title], str]


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A stage and what is shown of it, given the site, a text and its title."""

    name: str
    meaning: str
    show: Show


def _tree(site: Site, text: str, _: Title) -> str:
    return tree_xml(site.parser.preprocessor.tree(text))


def _expanded(site: Site, text: str, title: Title) -> str:
    return site.parser.expand(text, title, ParserOptions(target=Target.WIKITEXT))


def _after(name: str) -> Show:
    """The page's text after a stage of the pipeline; strip markers begin and end with ``␡``."""

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
    ShownStage("tree", "what the preprocessor finds, as XML", _tree),
    ShownStage("expand", "templates and parser functions replaced, still wikitext", _expanded),
    *(ShownStage(stage.name, stage.reason, _after(stage.name)) for stage in (*HALF, *FINISH)),
    ShownStage("html", "the whole page, as action=parse gives it", _html),
    ShownStage("outgoing", "what the page links to and belongs to, as JSON", _links),
)
"""Those of the pipeline go by its own names, each with the reason for its position."""


_SHOWS = {stage.name: stage.show for stage in STAGES}
_WIDTH = max(map(len, _SHOWS))


def _help() -> Iterator[str]:
    yield "Render TEXT, the standard input, or a page of the store to HTML.\n"
    yield "A text needs no store: without one it is rendered as on a wiki that has no pages.\n"
    yield "With --stage, show what one stage of rendering gives. The stages, in their order:\n"
    yield "\b"  # click leaves the lines of this paragraph as they are
    yield from (f"{stage.name:{_WIDTH}}  {stage.meaning}" for stage in STAGES)


@click.command(
    "parse",
    cls=Command,
    help="\n".join(_help()),
    short_help="Render a text or a page, or show one stage of it.",
    examples=(
        ("wikiapi parse \"'''Tea''' is [[hot]].\"", "A text, as HTML."),
        ("wikiapi parse --page 'Main Page'", "A page of the store."),
        ("echo '{{PAGENAME}}' | wikiapi parse --stage expand --title Tea", "Templates only."),
        ("wikiapi parse --stage tree '{{a|b}}'", "What the preprocessor finds in a text."),
        ("wikiapi parse --stage outgoing --page 'Main Page'", "What a page links to."),
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
    help="Title that a text is rendered under.",
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
    """Render a text or a page; the text shown as help is made from the stages."""
    if page is not None and text is not None:
        raise click.UsageError("give a text or --page, not both")
    # A text needs no pages; those that there are show as templates, and as links to what exists.
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
        raise click.UsageError(f"{text!r} is no title: {reason}") from error


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
