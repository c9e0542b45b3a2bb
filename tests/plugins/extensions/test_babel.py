from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.plugins.rendering import parsed
from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi.testing.conformance import CHECKS, modules_of

pytestmark = pytest.mark.wiki(
    {"Template:User art": "an ''artist''", "User:Ada": "{{#babel:en|zh-hant-2|xx-1}}"},
    writable=False,
)


def test_boxes_speak_their_language(site: Site) -> None:
    answer = parsed(site, "{{#babel:de-1|fr}}")
    assert answer["text"].count('<div class="mw-babel-box ') == 2
    assert '<td dir="ltr" lang="de">Dieser Benutzer' in answer["text"]
    assert ">français</a>" in answer["text"]
    keys = {one["category"]: one["sortkey"] for one in answer["categories"]}
    assert keys == {"De": "1", "De-1": "", "Fr": "N", "Fr-N": ""}


def test_other_words_are_templates(site: Site) -> None:
    html = parsed(site, "{{#babel:art|nothing}}")["text"]
    assert "an <i>artist</i>" in html
    assert "User nothing" in html


def test_alone(site: Site) -> None:
    assert "mw-babel-wrapper" not in parsed(site, "{{#babel:en-0|plain=1}}")["text"]
    assert "mw-babel-wrapper" in parsed(site, "{{#babel:en-0|plain=0}}")["text"]


def test_categories_can_be_named_or_left_out(make_site: Callable[..., Site]) -> None:
    settings = {"main_category": "User %code%", "level_category": ""}
    site = make_site(config={"extensions": {"babel": settings}})
    answer = parsed(site, "{{#babel:en-3}}")
    assert [one["category"] for one in answer["categories"]] == ["User_en"]
    assert "advanced knowledge of <a" in answer["text"]


@pytest.mark.parametrize("level", ["0", "1", "2", "3", "4", "5", "N"])
@pytest.mark.parametrize("code", ["en", "de", "fr", "es", "it", "nl", "pt", "zh-hant", "eo"])
def test_every_level_has_a_sentence(site: Site, code: str, level: str) -> None:
    html = parsed(site, f"{{{{#babel:{code}-{level}|plain=1}}}}")["text"]
    assert "$" not in html
    assert "⧼" not in html
    assert html.count("<a ") == 2


def test_languages_of_a_user(site: Site) -> None:
    query = {"action": "query", "meta": "babel"}
    assert ask(site, query | {"babuser": "Ada"}).data["query"]["babel"] == {
        "en": "N",
        "zh-hant": "2",
    }
    assert ask(site, query | {"babuser": "Nobody"}).data["query"]["babel"] == []


@pytest.mark.parametrize("check", CHECKS)
def test_conformance(site: Site, check: Any) -> None:
    assert list(check(site, modules_of(site, plugin="babel"))) == []
