from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result


def test_the_whole_api_is_described(wikiapi: Callable[..., Result]) -> None:
    document = json.loads(wikiapi("openapi").output)
    assert document["openapi"].startswith("3.1")
    assert "/api.php#action=query&prop=info" in document["paths"]


def test_one_module_is_described(wikiapi: Callable[..., Result]) -> None:
    assert list(json.loads(wikiapi("openapi", "query+info").output)["paths"]) == ["/api.php"]


def test_the_rest_api_is_described(wikiapi: Callable[..., Result]) -> None:
    assert "/v1/page/{title}" in json.loads(wikiapi("openapi", "rest").output)["paths"]


def test_the_settings_are_heeded(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "wikiapi.toml").write_text("[site]\nname = 'Teapot'\n")
    assert json.loads(wikiapi("openapi", "parse").output)["info"]["title"] == "Teapot: Action API"


def test_an_unknown_module_is_named(wikiapi: Callable[..., Result]) -> None:
    result = wikiapi("openapi", "nosuch")
    assert result.exit_code == 1
    assert "'nosuch'" in result.output


def test_without_the_plugin_it_says_so(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "wikiapi.toml").write_text("[plugins]\ndisabled = ['openapi']\n")
    result = wikiapi("openapi")
    assert result.exit_code == 1
    assert "plugin openapi" in result.output
