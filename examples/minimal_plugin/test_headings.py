"""Tests of the plugin, including the conformance suite."""

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
    """Return the headings in answers, in order."""
    pages = [page for answer in answers for page in answer["query"]["pages"]]
    return [heading for page in pages for heading in page.get("headings", [])]


def test_it_answers(wiki: Wiki) -> None:
    """Missing pages and pages without headings have no headings in the answer."""
    assert listed([wiki.get(ASK)]) == ["A", "B", "C", "Hot"]
    assert listed([wiki.get(ASK, hddepth=1)]) == ["A"]


def test_it_continues(wiki: Wiki) -> None:
    """Continuation returns every heading once."""
    answers = list(wiki.walk(ASK, hdlimit=1))
    assert len(answers) == 4
    assert listed(answers) == ["A", "B", "C", "Hot"]


def test_it_is_described_and_documented(wiki: Wiki) -> None:
    """The help and ``paraminfo`` are derived from the declarations."""
    info = wiki.get(action="paraminfo", modules="query+headings", helpformat="wikitext")
    (module,) = info["paraminfo"]["modules"]
    assert (module["prefix"], module["group"]) == ("hd", "prop")
    assert [param["name"] for param in module["parameters"]] == ["depth", "limit", "continue"]
    page = wiki.reply("GET", action="help", modules="query+headings", format="json").text
    assert "List the headings of the pages." in page
    assert "Headings to this level." in page


def test_it_conforms(wiki: Wiki) -> None:
    """The conformance suite reports no problems."""
    modules = modules_of(wiki.site, plugin="headings")
    assert [problem for check in CHECKS for problem in check(wiki.site, modules)] == []
