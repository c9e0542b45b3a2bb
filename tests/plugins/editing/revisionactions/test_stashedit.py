"""Texts that are stashed before they are saved."""

from __future__ import annotations

from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors

WIKITEXT = {"contentmodel": "wikitext", "contentformat": "text/x-wiki", "baserevid": 0}
X_HASH = "11f6ad8ec52a2984abaafd7c3b516503785c2072"


pytestmark = pytest.mark.wiki({"Alpha": "a\n== One ==\nb", "Template:Box": "[[Category:Boxes]]"})


def stash(wiki: Actors, title: str = "New", **params: Any) -> Any:
    return wiki.act("Ada", "stashedit", title=title, **{**WIKITEXT, **params})


def test_a_text_is_kept_for_five_minutes(wiki: Actors) -> None:
    done = {"status": "stashed", "texthash": X_HASH}
    assert stash(wiki, text="x \r\n").data["stashedit"] == done
    assert stash(wiki, stashedtexthash=X_HASH).data["stashedit"] == done
    assert stash(wiki, "Alpha", stashedtexthash=X_HASH).data["stashedit"] == done
    wiki.clock.advance(301)
    assert stash(wiki, stashedtexthash=X_HASH).codes == "missingtext"


def test_the_text_and_its_templates_are_read_before_they_are_saved(wiki: Actors) -> None:
    texts = {"section": "1", "text": "== One ==\n{{Box}} ~~~~"}
    stash(wiki, "Alpha", **texts)
    with wiki.site.db.recording() as prepared:
        stash(wiki, "Alpha", **texts)
    other = Actors({"Alpha": "a\n== One ==\nb", "Template:Box": "[[Category:Boxes]]"})
    with other.site.db.recording() as unprepared:
        stash(other, "Alpha", **texts)
    assert len(prepared) < len(unprepared)
    assert wiki.text("Alpha") == "a\n== One ==\nb"


def test_the_oldest_texts_go(wiki: Actors) -> None:
    hashes = [stash(wiki, text=str(n)).data["stashedit"]["texthash"] for n in range(52)]
    assert stash(wiki, stashedtexthash=hashes[0]).codes == "missingtext"
    assert stash(wiki, stashedtexthash=hashes[-1]).codes == ""


def test_a_text_that_is_one_too_many_is_not_kept() -> None:
    limited = Actors(config={"site": {"writable": True}, "editing": {"rate_limits": True}})
    answers = [
        limited.act("", "stashedit", title="New", text=str(n), **WIKITEXT).data["stashedit"]
        for n in range(31)
    ]
    assert {answer["status"] for answer in answers[:30]} == {"stashed"}
    assert answers[30]["status"] == "ratelimited"
    last = answers[30]["texthash"]
    assert limited.act("Admin", "stashedit", title="New", stashedtexthash=last, **WIKITEXT).codes


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({}, "missingparam"),
        ({"text": "x", "stashedtexthash": X_HASH}, "invalidparammix"),
        ({"stashedtexthash": X_HASH}, "missingtext"),
        ({"text": "x" * 2_097_153}, "maxbytes"),
        ({"text": "x", "title": "[["}, "invalidtitle"),
        ({"text": "x", "title": "Special:Version"}, "pagecannotexist"),
        ({"text": "x", "contentmodel": "json"}, "badmodelformat"),
        ({"text": "x", "title": "Alpha", "baserevid": 99}, "nosuchrevid"),
        ({"text": "x", "title": "Alpha", "baserevid": 2}, "nosuchrevid"),
        ({"text": "x", "baserevid": 99}, ""),
    ],
)
def test_what_is_refused(wiki: Actors, params: dict[str, Any], code: str) -> None:
    assert stash(wiki, **params).codes == code
