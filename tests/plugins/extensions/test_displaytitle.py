from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.plugins.rendering import html_of, words_of
from wikiapi.site import Site
from wikiapi.store.models import PageProps

PAGES = {
    "Delta": "{{DISPLAYTITLE:''Delta''}}",
    "D": "#REDIRECT [[Delta]]",
    "Plain": "x",
}


@pytest.fixture
def make(make_site: Callable[..., Site]) -> Callable[..., Site]:
    def made(**settings: Any) -> Site:
        return make_site(PAGES, config={"extensions": {"displaytitle": settings}})

    return made


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("[[Delta]]", "<i>Delta</i>"),
        ("[[Delta| Delta ]]", "<i>Delta</i>"),
        ("[[delta]]", "delta"),
        ("[[Delta|own]]", "own"),
        ("[[Delta#part]]", "<i>Delta</i>"),
        ("[[Delta#two words]]", "<i>Delta</i>"),
        ("[[Delta#part|own#part]]", "own"),
        ("[[Delta#part|own]]", "own"),
        ("[[Plain#part]]", "Plain"),
        ("[[Plain#part|<b>Plain</b>]]", "<b>Plain</b>"),
        ("[[Delta]]s", "Deltas"),
        ("[[D]]", "<i>Delta</i>"),
        ("[[Plain]]", "Plain"),
        ("[[Missing]]", "Missing"),
    ],
)
def test_links(make: Callable[..., Site], text: str, label: str) -> None:
    assert html_of(make(), text).partition("<a ")[2].partition(">")[2] == f"{label}</a>\n</p>"


def test_redirects_may_be_left_alone(make: Callable[..., Site]) -> None:
    assert ">D</a>" in html_of(make(follow_redirects=False), "[[D]]")


def test_stored_titles_are_sanitised(make: Callable[..., Site]) -> None:
    site = make()
    of_page = PageProps.pp_value == "<i>Delta</i>"
    update = PageProps.update(pp_value="<script>x</script>").where(of_page)
    site.db.execute_write(update)
    assert "<script>" not in html_of(site, "[[Delta]]")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#getdisplaytitle:Delta}}{{getdisplaytitle:D}}", "<i>Delta</i><i>Delta</i>"),
        ("{{#getdisplaytitle:plain}} {{#getdisplaytitle:Missing}}", "Plain Missing"),
        ("{{#getdisplaytitle:[}}", "["),
    ],
)
def test_function(make: Callable[..., Site], text: str, expected: str) -> None:
    assert words_of(make(), text) == expected


def test_off_by_default(make_site: Callable[..., Site]) -> None:
    site = make_site(PAGES)
    assert ">Delta</a>" in html_of(site, "[[Delta]]")
    assert words_of(site, "{{#getdisplaytitle:Delta}}") == "{{#getdisplaytitle:Delta}}"
