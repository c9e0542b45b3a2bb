from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wikiapi.cli import main


def test_text_is_rendered_under_its_title(on_store: Callable[..., Result]) -> None:
    result = on_store("parse", "--title", "Tea", "{{PAGENAME}} is ''hot''")
    assert result.exit_code == 0
    assert "<p>Tea is <i>hot</i>" in result.output


def test_a_text_needs_no_store(wikiapi: Callable[..., Result]) -> None:
    result = wikiapi("parse", "--title", "Tea", "{{PAGENAME}} is [[hot]]")
    assert result.exit_code == 0
    assert (
        '<p>Tea is <a href="/w/index.php?title=Hot&amp;action=edit&amp;redlink=1"' in result.output
    )
    assert not list(Path().iterdir())


def test_settings_count_without_a_store(wikiapi: Callable[..., Result]) -> None:
    Path("wikiapi.toml").write_text('[site]\nname = "Teas"\n', encoding="utf-8")
    assert wikiapi("parse", "--stage", "expand", "{{SITENAME}}").output == "Teas\n"


@pytest.mark.parametrize(
    "arguments", [("--page", "Tea"), ("--database", "sqlite:///typo.sqlite", "text")]
)
def test_a_named_store_must_exist(
    wikiapi: Callable[..., Result], arguments: tuple[str, ...]
) -> None:
    result = wikiapi("parse", *arguments)
    assert result.exit_code == 1
    assert result.output.startswith("Error: no database file at ")


def test_expansion_leaves_wikitext(on_store: Callable[..., Result]) -> None:
    result = on_store("parse", "--stage", "expand", "--title", "Tea", "{{PAGENAME}} is ''hot''")
    assert result.output == "Tea is ''hot''\n"


def test_tree_shows_what_the_preprocessor_finds(on_store: Callable[..., Result]) -> None:
    result = on_store("parse", "--stage", "tree", "{{a|b}}")
    assert result.output == (
        '<root><template><title>a</title><part><name index="1"/><value>b</value></part>'
        "</template></root>\n"
    )


def test_text_is_read_from_standard_input(on_store: Callable[..., Result]) -> None:
    assert on_store("db", "check").exit_code == 0
    result = CliRunner().invoke(main, ["parse", "--stage", "expand"], input="a{{FULLPAGENAME}}")
    assert result.output == "aAPI\n"


def test_page_that_is_not_there_is_an_error(on_store: Callable[..., Result]) -> None:
    result = on_store("parse", "--page", "Nothing")
    assert result.exit_code == 1
    first, hint = result.output.splitlines()
    assert first == "Error: the store has no text of Nothing"
    assert "wikiapi search --titles 'Nothing'" in hint


def test_text_and_page_exclude_each_other(on_store: Callable[..., Result]) -> None:
    assert on_store("parse", "--page", "A", "text").exit_code == 2


def test_invalid_title_is_a_usage_error(on_store: Callable[..., Result]) -> None:
    result = on_store("parse", "--title", "<", "text")
    assert result.exit_code == 2
    assert "'<' is not a valid title: The requested page title contains" in result.output


def test_stages_are_listed(on_store: Callable[..., Result]) -> None:
    output = on_store("parse", "--stages").output
    assert "tree        the preprocessor's tree, as XML\n" in output
    assert "tidy        last, because it needs the whole page\n" in output


def test_unknown_stage_is_refused_with_those_there_are(on_store: Callable[..., Result]) -> None:
    result = on_store("parse", "--stage", "x", "text")
    assert result.exit_code == 2
    assert "'tree', 'expand', 'tags'" in result.output
