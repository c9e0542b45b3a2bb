from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi.testing import ask


class Described:
    @hookimpl
    def register_extension_credits(self) -> list[ExtensionCredits]:
        return [ExtensionCredits(name="Ours", kind="api", url="https://x.example/", version="7")]


def extensions(site: Site) -> dict[str, dict[str, Any]]:
    answer = ask(site, {"action": "query", "meta": "siteinfo", "siprop": "extensions"})
    return {entry["name"]: entry for entry in answer.data["query"]["extensions"]}


def test_credits_are_shown_as_given(make_site: Callable[..., Site]) -> None:
    entries = extensions(make_site(plugins=[Described()]))
    assert entries["Ours"] == {
        "type": "api",
        "name": "Ours",
        "url": "https://x.example/",
        "version": "7",
    }
    assert entries["TextExtracts"]["license-name"] == "MIT"
    assert entries["TextExtracts"]["url"].endswith("Extension:TextExtracts")


class Nameless:
    """A plugin that registers nothing."""


def test_plugin_without_credits_is_shown_by_its_name(make_site: Callable[..., Site]) -> None:
    plugin = Nameless()
    site = make_site(plugins=[plugin])
    name = site.plugins.get_name(plugin)
    assert extensions(site)[name] == {"type": "other", "name": name}


def test_what_is_built_in_counts_as_extensions_too(make_site: Callable[..., Site]) -> None:
    entries = extensions(make_site())
    assert entries["Vector"]["type"] == "skin"
    assert entries["ParserFunctions"]["type"] == "parserhook"
    assert "builtin" not in entries


def test_switched_off_plugin_is_not_shown(make_site: Callable[..., Site]) -> None:
    config = {"plugins": {"disabled": ["textextracts"]}}
    assert "TextExtracts" not in extensions(make_site(config=config))


def test_plugins_without_an_extension_are_not_shown(make_site: Callable[..., Site]) -> None:
    assert {"reader", "explorer", "operations", "builtin"}.isdisjoint(extensions(make_site()))
