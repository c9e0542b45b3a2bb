from __future__ import annotations

import pytest

from tests.unit.attach.wikis import INSTALLED
from wikiapi.attach.extensions import constants, facts, folded, take_extensions, usual_names
from wikiapi.attach.takeover import Takeover
from wikiapi.plugins import installed


def test_options_are_of_plugins() -> None:
    assert {option.plugin for option in facts().options.values()} <= installed()


def test_every_namespace_has_one_name_and_constant() -> None:
    for entries in facts().namespaces.values():
        for number, name, _ in entries:
            assert name in str(usual_names(number))
    assert constants()["NS_MODULE"] == 828


@pytest.mark.parametrize("name", ["Header Tabs", "HeaderTabs", "header_tabs", "Header-Tabs"])
def test_names_are_folded(name: str) -> None:
    assert folded(name) == "headertabs"


def test_extensions_are_sorted() -> None:
    takeover = Takeover()
    names = dict.fromkeys(["Cite", "Display Title", "Abuse Filter", "Kartographer", "Foo"], "here")
    covering = take_extensions(takeover, names, INSTALLED, all_known=True)
    assert covering == {"cite", "displaytitle", "placeholders"}
    assert takeover.settings == {
        "extensions": {"displaytitle": {}},
        "plugins": {"disabled": ["parserfunctions", "scribunto"]},
    }
    assert [name for names in takeover.meaningless.values() for name in names] == ["Abuse Filter"]
    assert takeover.missing == [
        "extension Kartographer (here): words stand in place of <mapframe>",
        "extension Foo (here): no plugin",
    ]


def test_plugins_stay_on_if_not_all_extensions_are_known() -> None:
    takeover = Takeover()
    take_extensions(takeover, {}, INSTALLED, all_known=False)
    assert takeover.settings == {}
