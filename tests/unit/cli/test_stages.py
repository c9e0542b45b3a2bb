"""What ``wikiapi parse --stage`` shows."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from wikiapi.cli.parse import stages
from wikiapi.site import Site
from wikiapi.wikitext.pipeline import FRAGMENT_STAGES, PAGE_STAGES

TEXT = "* {{T}} [[A|''b'']] <nowiki>''</nowiki>\n== H =="
SHOWS = {stage.name: stage.show for stage in stages()}


@pytest.fixture(scope="module")
def show(make_module_site: Callable[..., Site]) -> Callable[[str], str]:
    site = make_module_site({"Template:T": "'''t'''"})
    return lambda stage: SHOWS[stage](site, TEXT, site.titles.parse("Page"))


def test_names_are_those_of_the_pipeline_and_come_once() -> None:
    names = [stage.name for stage in stages()]
    assert [stage.name for stage in (*FRAGMENT_STAGES, *PAGE_STAGES)] == names[2:-2]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        ("tree", "<template><title>T</title></template>"),
        ("expand", "* '''t''' [[A|''b'']]"),
        ("tags", "␡'\"`UNIQ--nowiki-"),
        ("headings", "<h2"),
        ("links", "* '''t''' <!--LINK"),
        ("quotes", "* <b>t</b> <!--LINK"),
        ("blocks", "<ul><li>"),
        ("holders", '<a href="'),
        ("nowiki", "''</li>"),
        ("tidy", "</li></ul>"),
        ("html", '<div class="mw-content-ltr mw-parser-output"'),
    ],
)
def test_stage(show: Callable[[str], str], stage: str, words: str) -> None:
    assert words in show(stage)


@pytest.mark.parametrize("stage", [stage.name for stage in stages()])
def test_every_stage_shows_something(show: Callable[[str], str], stage: str) -> None:
    assert show(stage).strip()


def test_outgoing_links_are_json(show: Callable[[str], str]) -> None:
    outgoing = json.loads(show("outgoing"))
    assert outgoing["links"] == ["A"]
    assert outgoing["templates"] == ["Template:T"]
