"""Content models, languages and histories of pages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.testing import DeclaredUser, Edit

PAGES = {
    "Alpha": '{"a": [1]}',
    "Prose": "no JSON [[Alpha]]",
    "Module:M": "return {}",
    "Template:S/styles.css": Edit(".a{color:red}", model="sanitized-css"),
    "Old": [
        Edit("1", user="Ada", timestamp="20250101000000"),
        Edit("2", user="Bob", timestamp="20250201000000"),
    ],
    "New": Edit("3", user="Ada", timestamp="20250601000000"),
}
CONFIG: dict[str, Any] = {
    "namespaces": [{"id": 828, "name": "Module"}, {"id": 829, "name": "Module talk"}],
    "editing": {"page_languages": True},
    "permissions": {"groups": {"translator": ["pagelang"], "small": []}},
    "limits": {"article_size": 1000},
}


pytestmark = pytest.mark.wiki(
    PAGES,
    users=[DeclaredUser("Trans", ("translator",))],
    config={"site": {"writable": True}, **CONFIG},
)


def test_a_page_changes_its_content_model(wiki: Actors) -> None:
    done = wiki.act("Admin", "changecontentmodel", title="Alpha", model="json", summary="data")
    data = done.data["changecontentmodel"]
    assert data["result"] == "Success"
    assert data["contentmodel"] == "json"
    assert wiki.text("Alpha") == '{\n\t"a": [\n\t\t1\n\t]\n}'
    entry = wiki.log("contentmodel")[0]
    assert (entry["logid"], entry["comment"]) == (data["logid"], "data")
    assert entry["params"] == {"oldmodel": "wikitext", "newmodel": "json"}
    page = wiki.query(titles="Alpha", prop="info|revisions", rvprop="tags|comment")["pages"][0]
    assert page["contentmodel"] == "json"
    revision = page["revisions"][0]
    assert revision["tags"] == ["mw-contentmodelchange"]
    assert revision["comment"] == (
        'Admin changed the content model of the page [[Alpha]] from "wikitext" to "JSON": data'
    )


def test_substitutions_are_expanded_in_the_new_content_model(wiki: Actors) -> None:
    wiki.act("Admin", "changecontentmodel", title="Alpha", model="text")
    wiki.act("Ada", "edit", title="Alpha", text="{{subst:PAGENAME}}")
    wiki.act("Admin", "changecontentmodel", title="Alpha", model="css")
    assert wiki.text("Alpha") == "Alpha"


def test_reason_of_a_content_model_is_the_summary_of_the_user(wiki: Actors) -> None:
    for title, summary in (("User:Admin/a", ""), ("User:Admin/b", "why")):
        params = {"title": title, "contentmodel": "text", "text": "x", "summary": summary}
        assert wiki.act("Admin", "edit", **params).codes == ""
    assert [entry["comment"] for entry in wiki.log("contentmodel")[:2]] == ["why", ""]


@pytest.mark.parametrize(
    ("user", "params", "code"),
    [
        ("Ada", {"title": "Alpha", "model": "json"}, "permissiondenied"),
        ("Admin", {"title": "Alpha", "model": "wikitext"}, "nochanges"),
        ("Ada", {"title": "Alpha", "model": "wikitext"}, "permissiondenied"),
        ("Admin", {"title": "Prose", "model": "json"}, "invalid-json-data"),
        ("Admin", {"title": "None", "model": "json"}, "changecontentmodel-missingtitle"),
        ("Admin", {"title": "Alpha", "model": "nonsense"}, "badvalue"),
    ],
)
def test_models_that_cannot_be_changed(
    wiki: Actors, user: str, params: dict[str, str], code: str
) -> None:
    assert wiki.act(user, "changecontentmodel", **params).codes == code


def test_an_edit_changes_the_model_even_of_the_same_text(wiki: Actors) -> None:
    params = {"title": "Prose", "text": PAGES["Prose"], "contentmodel": "text"}
    assert "nochange" not in wiki.act("Admin", "edit", **params).data["edit"]
    assert wiki.log("contentmodel")[0]["params"] == {"oldmodel": "wikitext", "newmodel": "text"}


@pytest.mark.parametrize(
    ("title", "text", "code"),
    [
        ("Module:M", "return {{{", "scribunto-lua-error-location"),
        ("Module:M", "local x = 1", ""),
        ("Module:M", "error('only when it runs')", ""),
        ("Module:M/doc", "{{{", ""),
        (
            "Template:S/styles.css",
            ".a{color:expression(1)}",
            "templatestyles-error-bad-value-for-property",
        ),
        ("Template:S/styles.css", ".a{colour:red}", "templatestyles-error-unrecognized-property"),
        ("Template:S/styles.css", "@import 'x';", "templatestyles-error-unrecognized-rule"),
        ("Template:S/styles.css", ".a{color:green}", ""),
        ("User:Admin/x.json", "{'a'}", "invalid-json-data"),
        ("User:Admin/x.json", "NaN", "invalid-json-data"),
        ("User:Admin/x.json", "{}", ""),
        ("Prose", "x" * 1001, "contenttoobig"),
        ("Prose", "{{subst:Long}}" * 10, "contenttoobig"),
    ],
)
def test_texts_are_checked_before_they_are_saved(
    wiki: Actors, title: str, text: str, code: str
) -> None:
    wiki.act("Admin", "edit", title="Template:Long", text="long " * 40)
    assert wiki.act("Admin", "edit", title=title, text=text).codes == code


def test_an_edit_without_a_change_derives_the_links_again(wiki: Actors) -> None:
    before = wiki.query(titles="Prose", prop="info")["pages"][0]
    done = wiki.act("Ada", "edit", title="Prose", text=PAGES["Prose"]).data["edit"]
    assert done["nochange"] is True
    after = wiki.query(titles="Prose", prop="info")["pages"][0]
    assert after["touched"] > before["touched"]
    assert after["lastrevid"] == before["lastrevid"]


def test_a_page_gets_another_language(wiki: Actors) -> None:
    done = wiki.act("Trans", "setpagelanguage", title="Prose", lang="de", reason="r").data
    data = done["setpagelanguage"]
    assert (data["oldlanguage"], data["newlanguage"]) == ("en[def]", "de")
    assert wiki.query(titles="Prose", prop="info")["pages"][0]["pagelanguage"] == "de"
    entry = wiki.query(list="logevents", leids=data["logid"])["logevents"][0]
    assert entry["params"] == {"oldlanguage": "en[def]", "newlanguage": "de"}
    answer = wiki.act("Trans", "setpagelanguage", title="Prose", lang="de")
    assert answer.codes == "pagelang-unchanged-language"
    wiki.act("Trans", "setpagelanguage", title="Prose", lang="default")
    assert wiki.query(titles="Prose", prop="info")["pages"][0]["pagelanguage"] == "en"


def test_languages_that_cannot_be_changed(wiki: Actors) -> None:
    for page in ({"title": "Prose"}, {"title": "Missing"}, {"pageid": "99"}):
        answer = wiki.act("Admin", "setpagelanguage", lang="de", **page)
        assert answer.codes == "permissiondenied"
    assert wiki.act("Trans", "setpagelanguage", title="No", lang="de").codes == "missingtitle"
    other = Actors(PAGES)
    answer = other.act("Admin", "setpagelanguage", title="Prose", lang="de")
    assert answer.codes == "pagelang-disabled"


def test_histories_are_merged(wiki: Actors) -> None:
    params = {"from_": "Old", "to": "New", "reason": "same"}
    done = wiki.act("Admin", "mergehistory", **params).data["mergehistory"]
    assert done == {
        "from": "Old",
        "to": "New",
        "timestamp": done["timestamp"],
        "reason": "same",
    }
    page = wiki.query(titles="New", prop="revisions", rvprop="ids|user", rvlimit=9)["pages"][0]
    assert [revision["user"] for revision in page["revisions"]] == ["Ada", "Bob", "Ada"]
    own, _, oldest = page["revisions"]
    assert own["parentid"] == 0, "revisions keep their parents"
    assert [revision["parentid"] for revision in page["revisions"]] == [0, oldest["revid"], 0]
    assert wiki.text("Old") == "#REDIRECT [[New]]"
    assert [entry["action"] for entry in wiki.log("merge")] == ["merge-into", "merge"]


@pytest.mark.parametrize(
    ("user", "params", "code"),
    [
        ("Ada", {"from_": "Old", "to": "New"}, "permissiondenied"),
        ("Ada", {"from_": "New", "to": "Old"}, "mergehistory-fail-timestamps-overlap"),
        (
            "Admin",
            {"from_": "New", "to": "Old", "timestamp": "20240101000000"},
            "mergehistory-fail-no-change",
        ),
        (
            "Admin",
            {"from_": "None", "to": "Old"},
            "mergehistory-fail-bad-timestamp, mergehistory-fail-invalid-source",
        ),
        ("Admin", {"from_": "New", "to": "None"}, "mergehistory-fail-invalid-dest"),
        (
            "Admin",
            {"from_": "Old", "to": "Old"},
            "mergehistory-fail-self-merge, mergehistory-fail-timestamps-overlap",
        ),
        ("Admin", {"from_": "Old"}, "missingparam"),
    ],
)
def test_histories_that_cannot_be_merged(
    wiki: Actors, user: str, params: dict[str, str], code: str
) -> None:
    assert wiki.act(user, "mergehistory", **params).codes == code


def test_only_wikitext_with_links_is_an_article(wiki: Actors) -> None:
    before = wiki.statistics()["articles"]
    counts = []
    for model, text in [("css", "a [[A]]"), ("wikitext", "[[A]]"), ("css", "[[A]]"), ("css", "b")]:
        edit = {"title": "New", "text": text, "contentmodel": model}
        assert wiki.act("Admin", "edit", **edit).codes == ""
        counts.append(wiki.statistics()["articles"] - before)
    assert counts == [0, 1, 0, 0]


def test_the_summary_is_in_the_words_of_the_wiki() -> None:
    wiki = Actors({"Alpha": "1", "MediaWiki:Colon-separator": " :: "}, language="fr")
    wiki.act("Admin", "changecontentmodel", title="Alpha", model="json", summary="data")
    revision = wiki.query(titles="Alpha", prop="revisions", rvprop="comment")["pages"][0]
    assert revision["revisions"][0]["comment"].endswith(" :: data")
    wiki.site.db.close()
