"""The definition of gadgets."""

from __future__ import annotations

import pytest

from wikiapi_plugins.shared.resources.gadgets import Gadget, read_definitions

TEXT = """Words around it.
== looks and feel ==
* tint [ResourceLoader|default|type=styles|skins=vector, minerva] |tint.css
* Pop ups[ResourceLoader|rights=edit,delete|hidden]|pop ups.js|popups.css|popups.json
=== more ===
* old|old.js|old.css
* parcel[ResourceLoader|package|dependencies=a, b]|main.js|data.json
* everywhere[ResourceLoader|default|skins=*]|x.js
* here[ResourceLoader|default|namespaces=0,4|actions=view]|x.js
*no pages[ResourceLoader]
* 1st|x.js
* <b>|x.js
* tint[ResourceLoader]|again.css
"""


@pytest.fixture(scope="module")
def gadgets() -> dict[str, Gadget]:
    return {gadget.name: gadget for gadget in read_definitions(TEXT)}


def test_lines_declare_gadgets(gadgets: dict[str, Gadget]) -> None:
    assert list(gadgets) == ["tint", "Pop_ups", "old", "parcel", "everywhere", "here"]
    assert gadgets["tint"].pages == ("again.css",)
    assert gadgets["Pop_ups"].pages == ("pop_ups.js", "popups.css", "popups.json")
    assert [gadget.category for gadget in gadgets.values()][1:3] == ["looks and feel", "more"]


def test_pages_by_kind(gadgets: dict[str, Gadget]) -> None:
    assert gadgets["Pop_ups"].scripts == ("pop_ups.js",)
    assert gadgets["Pop_ups"].styles == ("popups.css",)
    assert gadgets["Pop_ups"].data == ()
    assert gadgets["parcel"].data == ("data.json",)
    assert gadgets["parcel"].values("dependencies") == ("a", "b")
    assert gadgets["old"].scripts == ()


def test_only_style_sheets(gadgets: dict[str, Gadget]) -> None:
    assert gadgets["tint"].is_styles_only
    assert gadgets["old"].is_styles_only
    assert not gadgets["Pop_ups"].is_styles_only


def test_conditions() -> None:
    (tint,) = read_definitions("* t[default|skins=vector, minerva]|t.css")
    assert tint.is_for_visitors("vector")
    assert not tint.is_for_visitors("monobook")
    (here,) = read_definitions("* h[default|namespaces=0,4]|t.css")
    assert here.is_for_visitors("vector", 4)
    assert not here.is_for_visitors("vector", 1)
    (everywhere,) = read_definitions("* e[default|skins=*]|t.css")
    assert everywhere.is_for_visitors("anything")
    for options in ("", "[default|rights=edit]", "[default|actions=edit]"):
        (gadget,) = read_definitions(f"* g{options}|t.css")
        assert not gadget.is_for_visitors("vector")
