from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wikiapi.cli import main
from wikiapi.cli.search import namespaces_of
from wikiapi.cli.support.advice import Failure
from wikiapi.site import Site
from wikiapi.testing import make_site


@pytest.fixture
def searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    pages = {"Tea": "A hot drink\x1b[2J.", "Coffee": "Hot, too.", "Milk": "Cold."}
    make_site(pages, path=tmp_path / "wikiapi.sqlite").db.close()
    return lambda *words, **options: CliRunner().invoke(main, ["search", *words], **options)


def test_pages_with_their_lines(searched: Callable[..., Result]) -> None:
    result = searched("hot")
    assert result.exit_code == 0
    assert result.output == "Coffee\n    Hot, too.\nTea\n    A hot drink\ufffd[2J.\n"


def test_words_are_emphasised_on_a_terminal(searched: Callable[..., Result]) -> None:
    output = searched("hot", color=True).output
    assert "A \x1b[32m\x1b[1mhot\x1b[0m drink" in output
    assert "\x1b[2J" not in output


def test_no_color_is_honoured(searched: Callable[..., Result]) -> None:
    assert "\x1b" not in searched("hot", color=True, env={"NO_COLOR": "1"}).output


def test_more_are_announced(searched: Callable[..., Result]) -> None:
    result = searched("--limit", "1", "hot")
    assert result.stderr == "1 of 2 pages; --limit shows more.\n"


def test_pages_that_come_near_are_announced(searched: Callable[..., Result]) -> None:
    partial = searched("cold", "drink")
    assert partial.exit_code == 0
    assert partial.stderr == "No page contains all of these words. These come near:\n"
    corrected = searched("cofee")
    assert corrected.stdout.startswith("Coffee\n")
    assert corrected.stderr == "No page contains these words. Searched for: coffee\n"


def test_json(searched: Callable[..., Result]) -> None:
    answer = json.loads(searched("--json", "cold").stdout)
    assert answer["total"] == 1
    assert answer["pages"][0]["title"] == "Milk"


def test_status_reports_that_there_are_none(searched: Callable[..., Result]) -> None:
    result = searched("nothing")
    assert result.exit_code == 1
    assert result.output == "No page contains these words.\n"


def test_store_of_a_private_wiki_can_be_searched(searched: Callable[..., Result]) -> None:
    from pathlib import Path

    Path("wikiapi.toml").write_text("[permissions]\nanonymous_rights = []\n", encoding="utf-8")
    assert searched("cold").output.startswith("Milk\n")


ALL = list(range(16))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), ALL),
        (("all",), ALL),
        (("Help",), [12]),
        (("12", "main"), [12, 0]),
        (("help talk",), [13]),
    ],
)
def test_namespaces_by_name_or_number(
    make_site: Callable[..., Site], names: tuple[str, ...], expected: list[int]
) -> None:
    assert namespaces_of(make_site(), names) == expected


@pytest.mark.parametrize("name", ["Hlep", "999", "٣", "-"])
def test_a_namespace_that_is_not_there(make_site: Callable[..., Site], name: str) -> None:
    with pytest.raises(Failure) as raised:
        namespaces_of(make_site(), [name])
    assert "12 Help" in raised.value.advice
