"""The stages of rendering that ``wikiapi parse --stage`` can show, in their order."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.pipeline import FINISH, HALF
from wikiapi.wikitext.preprocess.xml import tree_xml

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.site import Site
    from wikiapi.title.title import Title

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
