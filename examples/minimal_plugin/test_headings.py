"""The plugin does its work, and what every module must do."""

from __future__ import annotations

import headings
import pytest

from wikiapi.testing import Wiki
from wikiapi.testing.conformance import CHECKS, modules_of

pytestmark = pytest.mark.wiki(
    {"Main Page": "= A =\n== B ==\ntext\n== C ==", "Tea": "== Hot ==", "Water": "No heading"},
    plugins=[headings],
)
ASK = {"action": "query", "prop": "headings", "titles": "Main Page|Tea|Water|Nothing"}


def listed(answers: list[dict]) -> list[str]:  # type: ignore[type-arg]
    """The headings in answers, one after another."""
    pages = [page for answer in answers for page in answer["query"]["pages"]]
    return [heading for page in pages for heading in page.get("headings", [])]


def test_it_answers(wiki: Wiki) -> None:
    """Missing pages and those without any have none."""
    assert listed([wiki.get(ASK)]) == ["A", "B", "C", "Hot"]
    assert listed([wiki.get(ASK, hddepth=1)]) == ["A"]


def test_it_continues(wiki: Wiki) -> None:
    """Nothing is lost on the way."""
    answers = list(wiki.walk(ASK, hdlimit=1))
    assert len(answers) == 4
    assert listed(answers) == ["A", "B", "C", "Hot"]


def test_it_is_described_and_documented(wiki: Wiki) -> None:
    """From the declarations alone."""
    info = wiki.get(action="paraminfo", modules="query+headings", helpformat="wikitext")
    (module,) = info["paraminfo"]["modules"]
    assert (module["prefix"], module["group"]) == ("hd", "prop")
    assert [param["name"] for param in module["parameters"]] == ["depth", "limit", "continue"]
    page = wiki.reply("GET", action="help", modules="query+headings", format="json").text
    assert "List the headings of the pages." in page
    assert "Headings to this level." in page


def test_it_does_what_every_module_must_do(wiki: Wiki) -> None:
    """The conformance suite finds nothing wrong."""
    modules = modules_of(wiki.site, plugin="headings")
    assert [problem for check in CHECKS for problem in check(wiki.site, modules)] == []
