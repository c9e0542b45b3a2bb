from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result


def test_answer_is_indented_json_of_version_2(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "action=query", "titles=Main Page")
    assert result.exit_code == 0
    pages = json.loads(result.output)["query"]["pages"]
    assert pages == [{"ns": 0, "title": "Main Page", "missing": True}]
    assert result.output.startswith('{\n  "')


def test_a_format_that_is_asked_for_is_left_alone(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "action=query", "titles=A", "format=json")
    assert "\n" not in result.output.strip()
    assert list(json.loads(result.output)["query"]["pages"]) == ["-1"]


def test_error_sets_the_status(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "action=nonsense")
    assert result.exit_code == 1
    assert json.loads(result.output)["error"]["code"] == "badvalue"


def test_argument_without_a_value_is_a_usage_error(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "query")
    assert result.exit_code == 2
    assert "name=value" in result.output


def test_missing_database_is_not_made(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    result = wikiapi("get", "action=query")
    assert result.exit_code == 1
    assert "no database file" in result.output
    assert list(tmp_path.iterdir()) == []
