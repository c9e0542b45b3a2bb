from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import Result


def listing(output: str) -> dict[str, dict[str, str]]:
    """What each plugin registers, by heading."""
    plugins: dict[str, dict[str, str]] = {}
    plugin = ""
    for line in output.splitlines():
        if line.startswith("  "):
            heading, _, labels = line.strip().partition(": ")
            plugins[plugin][heading] = labels
        else:
            plugin = line
            plugins[plugin] = {}
    return plugins


def test_built_in_plugin_is_listed_with_what_it_registers(wikiapi: Callable[..., Result]) -> None:
    listed = listing(wikiapi("plugins").output)["builtin (wikiapi-server 0.1.0)"]
    assert {"checktoken", "parse", "query"} <= set(listed["actions"].split(", "))
    assert {"prop=info", "list=alltransclusions"} <= set(listed["query modules"].split(", "))
    assert "json" in listed["formats"].split(", ")
    assert {"sr", "zh"} <= set(listed["languages with variants"].split(", "))


def test_extension_is_a_plugin_of_its_own(wikiapi: Callable[..., Result]) -> None:
    listed = listing(wikiapi("plugins").output)["textextracts (wikiapi-server 0.1.0)"]
    assert listed["query modules"] == "prop=extracts"
    assert listed["shown as extensions"] == "TextExtracts"


def test_plugins_say_what_they_are(wikiapi: Callable[..., Result]) -> None:
    listed = listing(wikiapi("plugins").output)
    assert listed["poem (wikiapi-server 0.1.0)"]["about"].startswith("Poem: ``<poem>``")
    assert [name for name, headings in listed.items() if "about" not in headings] == []


def test_no_database_is_needed(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    assert wikiapi("plugins").exit_code == 0
    assert list(tmp_path.iterdir()) == []


def test_disabled_plugin_is_listed_as_such(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "wikiapi.toml").write_text('[plugins]\ndisabled = ["builtin"]\n', encoding="utf-8")
    assert wikiapi("plugins").output.splitlines()[0] == "builtin (wikiapi-server 0.1.0): disabled"
