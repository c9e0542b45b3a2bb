from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result


def test_built_in_plugin_is_listed_with_what_it_registers(wikiapi: Callable[..., Result]) -> None:
    lines = wikiapi("plugins").output.splitlines()
    assert lines[0] == "builtin (wikiapi 0.1.0)"
    listed = dict(line.strip().split(": ", 1) for line in lines[1:])
    assert {"checktoken", "parse", "query"} <= set(listed["actions"].split(", "))
    assert {"prop=info", "list=alltransclusions"} <= set(listed["query modules"].split(", "))
    assert "json" in listed["formats"].split(", ")


def test_no_database_is_needed(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    assert wikiapi("plugins").exit_code == 0
    assert list(tmp_path.iterdir()) == []


def test_disabled_plugin_is_listed_as_such(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "wikiapi.toml").write_text('[plugins]\ndisabled = ["builtin"]\n', encoding="utf-8")
    assert wikiapi("plugins").output == "builtin (wikiapi 0.1.0): disabled\n"
