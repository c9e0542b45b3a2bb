"""``wikiapi parse``: render a text or a page, or show the result of one stage."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from wikiapi.cli.support.advice import Failure
from wikiapi.config import Config, DatabaseConfig
from wikiapi.errors import InvalidTitle
from wikiapi.factory import empty_site, existing_site
from wikiapi.site import Site
from wikiapi.store.queries import texts
from wikiapi.title.title import Title
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.pipeline import FRAGMENT_STAGES, PAGE_STAGES
from wikiapi.wikitext.preprocess.xml import tree_xml

Show = Callable[[Site, str, Title], str]


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A stage, its description, and the function that returns its result as text.

    The function is called with a site, a wikitext and its title.
    """

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
    *(
        ShownStage(stage.name, stage.reason, _after(stage.name))
        for stage in (*FRAGMENT_STAGES, *PAGE_STAGES)
    ),
    ShownStage("html", "the whole page, as action=parse returns it", _html),
    ShownStage("outgoing", "links, templates, categories and properties, as JSON", _links),
)
"""The stages that can be shown. Those of the pipeline have its names, and the reason for their
position as description."""


SHOWS = {stage.name: stage.show for stage in STAGES}
"""The functions that show the stages, by their names."""


def print_stages() -> None:
    """Print the names and descriptions of the stages."""
    width = max(map(len, SHOWS))
    for stage in STAGES:
        click.echo(f"{stage.name:{width}}  {stage.meaning}")


def run(config: Config, page: str | None, title_text: str, stage: str, text: str | None) -> None:
    """Print the result of a stage for a text or a page."""
    if page is not None and text is not None:
        raise click.UsageError("give a text or --page, not both")
    # A text needs no store. If there is one, its pages serve as templates and link targets.
    opened = existing_site if page is not None or _has_store(config) else empty_site
    with opened(config) as site:
        title = _title(site, page if page is not None else title_text)
        source = _source(site, title, text, from_store=page is not None)
        click.echo(SHOWS[stage](site, source, title))


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


def _source(site: Site, title: Title, text: str | None, *, from_store: bool) -> str:
    if not from_store:
        return sys.stdin.read() if text is None else text
    found = texts.current(site.db, [title.key]).get(title.key)
    if found is None or found.text is None:
        raise Failure(
            f"the store has no text of {title.prefixed_text}",
            f"`wikiapi search --titles {title.text!r}` looks for similar titles.",
        )
    return found.text
