from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.plugins.rendering import words_of
from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi_plugins.extensions.randomselection import Option, options

PAGES = {"Template:Box": "[{{{1}}}]", "Cached": "<choose><option>a</option></choose>"}


pytestmark = pytest.mark.wiki(PAGES, writable=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<choose><option>''a''</option></choose>", "<i>a</i>"),
        ("<choose><option weight=0>a</option><option weight='2'>b</option></choose>", "b"),
        ("<choose before='(' after=')'><option>a</option></choose>", "(a)"),
        ("<choose><choicetemplate>Box</choicetemplate><option>a</option></choose>", "[a]"),
        ("<choose><option weight=0>a</option></choose><choose/>", ""),
        ("{{#choose:a}}{{#choose:b|b}}", "ab"),
    ],
)
def test_choices(site: Site, text: str, expected: str) -> None:
    assert words_of(site, text) == expected


def test_every_option_is_chosen_sometimes(site: Site) -> None:
    tag = "<choose><option>a</option><option>b</option></choose>"
    assert set(words_of(site, tag * 200)) == {"a", "b"}
    assert set(words_of(site, "{{#choose:a|b}}" * 200)) == {"a", "b"}


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<option>a</option> b <option weight=3>c</option>", [("a", 1), ("c", 3)]),
        ("<option>a<option weight=9>b</option></option>", [("a<option weight=9>b", 1)]),
        ("<option weight=-1>a</option><option>b", [("a", 1)]),
        ("", []),
    ],
)
def test_options(inner: str, expected: list[tuple[str, int]]) -> None:
    assert list(options(inner)) == [Option(*each) for each in expected]


def test_uncached(make_site: Callable[..., Site]) -> None:
    tag = "<choose uncached>" + "".join(f"<option>{n}</option>" for n in range(50)) + "</choose>"
    site = make_site({"Page": tag})
    request = {"action": "parse", "page": "Page", "prop": "text"}
    assert len({ask(site, request).data["parse"]["text"] for _ in range(40)}) > 1
