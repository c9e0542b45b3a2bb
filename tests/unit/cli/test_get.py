from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from click.testing import Result


def test_answer_is_indented_json_of_version_2(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "action=query", "titles=Main Page")
    assert result.exit_code == 0
    pages = json.loads(result.output)["query"]["pages"]
    assert pages == [{"ns": 0, "title": "Main Page", "missing": True}]
    assert result.output.startswith('{\n  "')


def test_a_format_that_is_requested_is_left_alone(on_store: Callable[..., Result]) -> None:
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


def test_missing_database_is_not_created(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    result = wikiapi("get", "action=query")
    assert result.exit_code == 1
    assert "no database file" in result.output
    assert list(tmp_path.iterdir()) == []


def test_query_string_as_one_argument(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "action=query&titles=A%26B")
    assert json.loads(result.output)["query"]["pages"][0]["title"] == "A&B"


def test_address_as_one_argument(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "https://x.example/w/api.php?action=query&titles=A&format=json")
    assert "\n" not in result.output.strip()


def test_format_is_an_option_too(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "--format", "xml", "action=query", "titles=A")
    assert result.output.startswith('<?xml version="1.0"?><api')


def test_post_sends_a_form(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "--post", "action=login", "lgname=A", "lgpassword=b")
    assert "mustbeposted" not in result.output
    assert "mustbeposted" in on_store("get", "action=login", "lgname=A", "lgpassword=b").output


def test_headers_are_shown_when_requested(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "--include", "action=query", "titles=A")
    head, _, body = result.output.partition("\n\n")
    assert head.startswith("200\n")
    assert "content-type: application/json" in head
    assert json.loads(body)["batchcomplete"] is True


def test_value_from_a_file(on_store: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a & b", encoding="utf-8")
    result = on_store("get", "action=expandtemplates", "prop=wikitext", "text=@text")
    assert json.loads(result.output)["expandtemplates"]["wikitext"] == "a & b"


def test_value_that_begins_with_the_sign(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "action=expandtemplates", "prop=wikitext", "text=@@x")
    assert json.loads(result.output)["expandtemplates"]["wikitext"] == "@x"


def test_value_from_a_file_that_is_not_there(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "action=parse", "text=@none")
    assert result.exit_code == 2
    assert "text: cannot read none: No such file" in result.output


def test_explain_shows_statements_and_their_plans(
    on_store: Callable[..., Result],
) -> None:
    result = on_store("get", "--explain", "action=query&list=allpages&apfrom=It's")
    assert result.exit_code == 0
    first, sql, step, *_ = result.output.splitlines()
    assert re.fullmatch(r"1\. \d+\.\d{3} ms, list=allpages \(wikiapi_plugins\.\S+\)", first)
    assert "'It''s'" in sql
    assert "SEARCH" in step
    assert re.search(r"\nStatements: \d, \d+\.\d{3} ms\n\Z", result.output)


def test_explain_shows_an_error_too(on_store: Callable[..., Result]) -> None:
    result = on_store("get", "--explain", "action=nonsense")
    assert result.exit_code == 1
    assert "badvalue" in result.output
