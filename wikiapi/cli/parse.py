"""``wikiapi parse``: render a text or a page, or show the result of one stage."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikiapi.cli.support.advice import Failure
from wikiapi.cli.support.options import TEXT, Choice, Command, configured
from wikiapi.config import Config, DatabaseConfig
from wikiapi.errors import InvalidTitle

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.title.title import Title

    Show = Callable[[Site, str, Title], str]


def _stage_names() -> list[str]:
    return [stage.name for stage in stages()]


@click.command(
    "parse",
    cls=Command,
    short_help="Render a text or a page, or show one stage of rendering.",
    examples=(
        ("wikiapi parse \"'''Tea''' is [[hot]].\"", "Render a text to HTML."),
        ("wikiapi parse --page 'Main Page'", "Render a page of the store."),
        ("echo '{{PAGENAME}}' | wikiapi parse --stage expand --title Tea", "Expand templates."),
        ("wikiapi parse --stage tree '{{a|b}}'", "Show the preprocessor's tree."),
        ("wikiapi parse --stages", "List the stages."),
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
    type=Choice(_stage_names),
    default="html",
    metavar="NAME",
    show_default=True,
    help="The stage to show.",
)
@click.option(
    "--stages", "list_stages", is_flag=True, help="List the stages in their order and exit."
)
@click.argument("text", type=TEXT, required=False)
def command(
    config: Config,
    page: str | None,
    title_text: str,
    stage: str,
    list_stages: bool,
    text: str | None,
) -> None:
    """Render TEXT, standard input, or a page of the store to HTML.

    A text needs no store: without one, it is rendered as on a wiki without pages. With --stage, the
    result of one stage of rendering is shown; --stages lists them.
    """
    from wikiapi.factory import empty_site, existing_site
    from wikiapi.store.queries import texts

    if list_stages:
        width = max(map(len, _stage_names()))
        for each in stages():
            click.echo(f"{each.name:{width}}  {each.meaning}")
        return
    if page is not None and text is not None:
        raise click.UsageError("give a text or --page, not both")
    show = next(each.show for each in stages() if each.name == stage)
    # A text needs no store. If there is one, its pages serve as templates and link targets.
    opened = existing_site if page is not None or _has_store(config) else empty_site
    with opened(config) as site:
        title = _title(site, page if page is not None else title_text)
        if page is None:
            source = sys.stdin.read() if text is None else text
        else:
            row = texts.current(site.db, [title.key]).get(title.key)
            if row is None or row.text is None:
                raise Failure(
                    f"the store has no text of {title.prefixed_text}",
                    f"`wikiapi search --titles {title.text!r}` looks for similar titles.",
                )
            source = row.text
        click.echo(show(site, source, title))


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A stage, its description, and the function that returns its result as text.

    The function is called with a site, a wikitext and its title.
    """

    name: str
    meaning: str
    show: Show


def _tree(site: Site, text: str, _: Title) -> str:
    from wikiapi.wikitext.preprocess.xml import tree_xml

    return tree_xml(site.parser.preprocessor.tree(text))


def _expanded(site: Site, text: str, title: Title) -> str:
    from wikiapi.wikitext.options import ParserOptions, Target

    return site.parser.expand(text, title, ParserOptions(target=Target.WIKITEXT))


def _after(name: str) -> Show:
    """Return a function that shows the text after a stage, with ``␡`` around strip markers."""
    from wikiapi.wikitext.options import ParserOptions

    def show(site: Site, text: str, title: Title) -> str:
        seen: dict[str, str] = {}
        site.parser.parse(text, title, ParserOptions(on_stage=seen.__setitem__))
        return seen[name].replace("\x7f", "␡")

    return show


def _html(site: Site, text: str, title: Title) -> str:
    from wikiapi.wikitext.options import ParserOptions

    return site.parser.parse(text, title, ParserOptions()).html


def _links(site: Site, text: str, title: Title) -> str:
    output = site.parser.links_of(text, title)

    def names(keys: Any) -> list[str]:
        return sorted(site.titles.make(*key).prefixed_text for key in keys)

    outgoing = {
        "links": names(output.links),
        "templates": names(output.templates),
        "files": sorted(output.images),
        "categories": sorted(output.categories),
        "external": sorted(output.external_links),
        "interwiki": [":".join(link) for link in output.interwiki_links],
        "redirect": output.redirect.prefixed_text if output.redirect else None,
        "properties": dict(sorted(output.properties.items())),
    }
    return json.dumps(outgoing, ensure_ascii=False, indent=2)


@cache
def stages() -> tuple[ShownStage, ...]:
    """Return the stages that can be shown.

    Those of the pipeline have its names, and the reason for their position as description.
    """
    from wikiapi.wikitext.pipeline import FRAGMENT_STAGES, PAGE_STAGES

    return (
        ShownStage("tree", "the preprocessor's tree, as XML", _tree),
        ShownStage("expand", "wikitext with templates and parser functions expanded", _expanded),
        *(
            ShownStage(stage.name, stage.reason, _after(stage.name))
            for stage in (*FRAGMENT_STAGES, *PAGE_STAGES)
        ),
        ShownStage("html", "the whole page, as action=parse returns it", _html),
        ShownStage("outgoing", "links, templates, categories and properties, as JSON", _links),
    )


def _has_store(config: Config) -> bool:
    """Return False only if the default database does not exist.

    A database that has been named explicitly must exist, and is checked when it is opened.
    """
    default = DatabaseConfig().url
    return config.database.url != default or Path(default.removeprefix("sqlite:///")).exists()


def _title(site: Site, text: str) -> Title:
    try:
        return site.titles.parse(text)
    except InvalidTitle as error:
        reason = site.messages.text(error.message, "en")
        raise click.UsageError(f"{text!r} is not a valid title: {reason}") from error
