from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wikiapi.site import Site
from wikiapi.store.models import ChangeTagDef
from wikiapi.testing import ask


def tags(site: Site, **params: str) -> list[dict[str, Any]]:
    answer = ask(site, {"action": "query", "list": "tags", "tglimit": "max", **params})
    assert not answer.codes
    return answer.data["query"]["tags"]


def test_tags_of_the_software_and_of_users(history_site: Site) -> None:
    names = [tag["name"] for tag in tags(history_site)]
    assert names == sorted(names)
    assert {"good", "mw-undo", "mw-rollback"} <= set(names)
    facts = {
        tag["name"]: tag for tag in tags(history_site, tgprop="hitcount|source|defined|active")
    }
    assert facts["good"] == {
        "name": "good",
        "hitcount": 3,
        "defined": True,
        "source": ["manual"],
        "active": True,
    }
    assert facts["mw-undo"]["source"] == ["software", "extension"]
    assert facts["mw-undo"]["hitcount"] == 1


def test_walk(history_site: Site) -> None:
    names = [tag["name"] for tag in tags(history_site)]
    params = {"action": "query", "list": "tags", "tglimit": "1"}
    walked_names: list[str] = []
    position: dict[str, str] = {}
    while len(walked_names) < len(names):
        answer = ask(history_site, params | position).data
        walked_names += [tag["name"] for tag in answer["query"]["tags"]]
        position = answer.get("continue", {})
    assert walked_names == names
    assert not position


def test_any_text_is_a_position(history_site: Site) -> None:
    assert tags(history_site, tgcontinue="x' OR 1=1--") == []


def test_words_of_the_wiki(make_site: Callable[..., Site]) -> None:
    pages = {
        "MediaWiki:Tag-good": "'''Good''' [[Home]] <script>",
        "MediaWiki:Tag-good-description": "Of good quality",
        "MediaWiki:Tag-mw-undo": "-",
    }
    site = make_site(pages)
    names = ("ctd_name", "ctd_user_defined", "ctd_count")
    site.db.insert_many(ChangeTagDef, [("good", 1, 0), ("<b>", 1, 0)], names)
    by_name = {tag["name"]: tag for tag in tags(site, tgprop="displayname|description")}
    assert by_name["good"]["displayname"].startswith("<b>Good</b> <a ")
    assert "<script" not in by_name["good"]["displayname"]
    assert by_name["good"]["description"] == "Of good quality"
    assert by_name["<b>"]["displayname"] == "&lt;b&gt;"
    assert by_name["<b>"]["description"] == ""
    assert by_name["mw-undo"]["displayname"] is False
    link = '<a href="https://www.mediawiki.org/wiki/Special:MyLanguage/Help:ChangeContentModel">'
    assert by_name["mw-contentmodelchange"]["displayname"].startswith(link)
