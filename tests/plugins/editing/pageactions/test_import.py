"""Importing pages from files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.api import ApiRequest, UploadedFile, tokens
from wikiapi.store import sha1_base36
from wikiapi.testing import ask

_HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">'
_REVISION = """<revision><id>{id}</id><timestamp>2019-03-0{id}T05:06:07Z</timestamp><contributor>
{by}</contributor><comment>old</comment><model>wikitext</model><format>text/x-wiki</format>
<text>text {id} [[Alpha]]</text></revision>"""
OTHER = {"interwikiprefix": "o"}
_ACCOUNT = "<username>Ada</username><id>77</id>"
_ADDRESS = "<ip>192.0.2.7</ip>"
PAGE = (
    f"{_HEAD}<page><title>Imported</title><ns>0</ns><id>5</id>"
    f"{_REVISION.format(id=7, by=_ACCOUNT)}{_REVISION.format(id=8, by=_ADDRESS)}"
    "</page></mediawiki>"
)


pytestmark = pytest.mark.wiki(
    {"Alpha": "a"}, config={"site": {"writable": True}, "editing": {"import_sources": ["other"]}}
)


def upload(wiki: Actors, user: str, xml: str | None, **params: Any) -> Any:
    """The answer to the upload of a file."""
    wiki.clock.advance(1)
    fields = {"action": "import", "token": tokens.SUFFIX} | params
    files = {"xml": UploadedFile("dump.xml", xml.encode())} if xml is not None else {}
    request = ApiRequest("POST", params=fields, files=files)
    return ask(wiki.site, fields, user=wiki.users[user], request=request)


def test_a_page_is_imported_with_its_history(wiki: Actors) -> None:
    before = wiki.statistics()["pages"]
    answer = upload(wiki, "Admin", PAGE, interwikiprefix="other", summary="why").data["import"]
    assert answer == [{"ns": 0, "title": "Imported", "revisions": 2}]
    page = wiki.query(titles="Imported", prop="revisions|links", rvlimit=9)["pages"][0]
    history = [(one["user"], one["comment"], one["minor"]) for one in page["revisions"]]
    assert history == [
        ("Admin", "2 revisions imported: why", True),
        ("192.0.2.7", "old", False),
        ("other>Ada", "old", False),
    ]
    assert page["links"] == [{"ns": 0, "title": "Alpha"}]
    assert wiki.statistics()["pages"] == before + 1
    entry = wiki.log("import")[0]
    assert (entry["action"], entry["params"]) == ("upload", {"count": 2})
    assert entry["revid"] == page["revisions"][0]["revid"]


def revision_xml(day: int, text: str = "text", more: str = "") -> str:
    return (
        f"<revision><timestamp>2019-03-0{day}T05:06:07Z</timestamp><contributor>{_ADDRESS}"
        f"</contributor><text>{text}</text>{more}</revision>"
    )


def page_xml(title: str, *revisions: str, ns: int = 0) -> str:
    return (
        f"{_HEAD}<page><title>{title}</title><ns>{ns}</ns>{''.join(revisions)}</page></mediawiki>"
    )


def test_only_revisions_whose_hash_is_in_the_file_are_recognised(wiki: Actors) -> None:
    digest = sha1_base36(b"text")
    page = page_xml("P", revision_xml(1), revision_xml(2, more=f"<sha1>{digest}</sha1>"))
    assert upload(wiki, "Admin", page, interwikiprefix="o").data["import"][0]["revisions"] == 2
    assert upload(wiki, "Admin", page, interwikiprefix="o").data["import"][0]["revisions"] == 1
    page = page_xml("P", revision_xml(2, more=f"<sha1>{digest}</sha1>"))
    assert upload(wiki, "Admin", page, interwikiprefix="o").data["import"][0]["revisions"] == 0


def test_long_summaries_are_cut(wiki: Actors) -> None:
    long = revision_xml(1, more=f"<comment>{'x' * 600}</comment>")
    assert upload(wiki, "Admin", page_xml("Imported", long), interwikiprefix="o").codes == ""
    page = wiki.query(titles="Imported", prop="revisions", rvprop="comment", rvlimit=9)["pages"][0]
    assert page["revisions"][1]["comment"] == f"{'x' * 497}..."


def test_revisions_get_ids_and_parents_in_the_order_of_the_file(wiki: Actors) -> None:
    edits = wiki.statistics()["edits"]
    page = page_xml("P", revision_xml(3), revision_xml(1), revision_xml(2))
    upload(wiki, "Admin", page, interwikiprefix="o")
    rows = wiki.query(titles="P", prop="revisions", rvprop="ids", rvlimit=9)["pages"][0]
    noted, third, second, first = (one["revid"] for one in rows["revisions"])
    assert (first, second, noted) == (third + 1, third + 2, third + 3)
    assert [one["parentid"] for one in rows["revisions"]] == [third, 0, first, 0]
    assert wiki.statistics()["edits"] == edits + 1, "only the first became the latest"
    page = page_xml("Q", revision_xml(4), revision_xml(5), revision_xml(6, "other"))
    upload(wiki, "Admin", page, interwikiprefix="o")
    assert wiki.statistics()["edits"] == edits + 3, "the second did not change the text"


@pytest.mark.parametrize(
    ("title", "ns", "params", "imported"),
    [
        ("Talk:P", 0, {"namespace": "2"}, "User:Talk:P"),
        ("Talk:P", 1, {"namespace": "2"}, "User:P"),
        ("Talk:P", 0, {}, "Talk:P"),
        ("Diskussion:P", 1, {}, "Talk:P"),
        ("Portal:P", 100, {}, "Portal:P"),
        ("Talk:P", 100, {}, "Talk:P"),
        ("Talk:P", 1, {"rootpage": "User:Root/"}, "User:Root/Talk:P"),
        ("P", 0, {"rootpage": ""}, "P"),
        ("bad[", 0, {}, None),
        ("Special:P", -1, {}, None),
    ],
)
def test_titles(
    wiki: Actors, title: str, ns: int, params: dict[str, str], imported: str | None
) -> None:
    page = page_xml(title, revision_xml(1), ns=ns)
    pages = upload(wiki, "Admin", page, interwikiprefix="o", **params).data["import"]
    assert [page["title"] for page in pages] == ([imported] if imported else [])


def test_pages_that_cannot_be_edited_or_have_no_revisions_are_left_out(wiki: Actors) -> None:
    answer = upload(wiki, "Admin", page_xml("P"), interwikiprefix="o")
    assert answer.data["import"] == []
    wiki.users["Admin"] = replace(
        wiki.users["Admin"], rights=wiki.users["Admin"].rights - {"editinterface"}
    )
    page = page_xml("MediaWiki:P", revision_xml(1), ns=8)
    assert upload(wiki, "Admin", page, interwikiprefix="o").data["import"] == []
    assert wiki.text("MediaWiki:P") is None


def test_a_file_of_any_format_is_read(wiki: Actors) -> None:
    page = "<mediawiki><page><title>P</title><revision><text>x</text></revision></page></mediawiki>"
    item = {"ns": 0, "title": "P", "revisions": 1}
    assert upload(wiki, "Admin", page, interwikiprefix="o").data["import"] == [item]
    assert upload(wiki, "Admin", "<mediawiki/>", interwikiprefix="o").data["import"] == []
    (revision,) = wiki.query(titles="P", prop="revisions", rvprop="timestamp|user", rvlimit=9)[
        "pages"
    ][0]["revisions"][1:]
    assert revision["user"] == "o>Unknown user"
    assert revision["timestamp"][:4] != "1970"


def test_known_users_and_other_places(wiki: Actors) -> None:
    params = {"interwikiprefix": "other", "assignknownusers": "1", "rootpage": "User:Root"}
    answer = upload(wiki, "Admin", PAGE, **params).data["import"]
    assert answer[0]["title"] == "User:Root/Imported"
    page = wiki.query(titles="User:Root/Imported", prop="revisions", rvlimit=9)["pages"][0]
    assert page["revisions"][-1]["user"] == "Ada"
    answer = upload(wiki, "Admin", PAGE, interwikiprefix="other", namespace="4").data["import"]
    assert answer[0]["ns"] == 4


@pytest.mark.parametrize(
    ("user", "xml", "params", "code"),
    [
        ("Ada", PAGE, {"interwikiprefix": "o"}, "cantimport-upload"),
        ("Admin", None, {"interwikiprefix": "o"}, "nofile"),
        ("Admin", PAGE, {}, "nointerwikiprefix"),
        ("Admin", None, {"interwikiprefix": ""}, "nointerwikiprefix"),
        ("Admin", PAGE, {"interwikiprefix": "o", "rootpage": "["}, "import-rootpage-invalid"),
        (
            "Admin",
            PAGE,
            {"interwikiprefix": "o", "rootpage": "File:R"},
            "import-rootpage-nosubpage",
        ),
        ("Ada", PAGE, {"namespace": "0", "rootpage": "R"}, "invalidparammix"),
        ("Admin", "<broken", {"interwikiprefix": "o"}, "import-unknownerror"),
        ("Admin", None, {"interwikisource": "other"}, "nointerwikipage"),
        ("Admin", None, {"interwikisource": "other", "interwikipage": "X"}, "cantopenfile"),
        ("Ada", None, {"interwikisource": "other", "interwikipage": "X"}, "cantimport"),
        ("Admin", None, {"interwikisource": "bogus"}, "badvalue"),
    ],
)
def test_what_is_refused(
    wiki: Actors, user: str, xml: str | None, params: dict[str, str], code: str
) -> None:
    assert upload(wiki, user, xml, **params).codes == code
    assert wiki.text("Imported") is None


def test_an_import_does_not_change_the_number_of_articles(wiki: Actors) -> None:
    def articles() -> int:
        return wiki.statistics()["articles"]

    upload(wiki, "Admin", page_xml("P", revision_xml(1), revision_xml(2, "[[A]]")), **OTHER)
    assert articles() == 0
    wiki.act("Ada", "edit", title="P", text="without links")
    assert articles() == 0, "what was not counted is not taken away"
    wiki.act("Ada", "edit", title="P", text="[[A]] again")
    assert articles() == 1
    late = revision_xml(1, "without links").replace("2019", "2090")
    upload(wiki, "Admin", page_xml("P", late), **OTHER)
    assert articles() == 1
    wiki.act("Ada", "edit", title="P", text="[[A]] [[B]]")
    assert articles() == 2


@pytest.mark.parametrize("model", ["bogus", ""])
def test_an_import_ends_before_a_revision_with_an_unknown_content_model(
    wiki: Actors, model: str
) -> None:
    pages = [
        page_xml("First", revision_xml(1)),
        page_xml("P", revision_xml(1, "a"), revision_xml(2, "b", f"<model>{model}</model>")),
        page_xml("Last", revision_xml(1)),
    ]
    inner = "".join(page.removeprefix(_HEAD).removesuffix("</mediawiki>") for page in pages)
    answer = upload(wiki, "Admin", f"{_HEAD}{inner}</mediawiki>", **OTHER)
    assert answer.codes == "import-unknownerror"
    assert "import" not in answer.data
    assert [wiki.text(title) for title in ("First", "P", "Last")] == ["text", "a", None]
    assert [entry["title"] for entry in wiki.log("import")] == ["First"]
    revisions = wiki.query(titles="P", prop="revisions", rvlimit=9)["pages"][0]["revisions"]
    assert len(revisions) == 1, "without one that records the import"


@pytest.mark.parametrize("text", ["{", ""])
def test_nothing_is_imported_if_a_text_is_not_valid(wiki: Actors, text: str) -> None:
    texts = [revision_xml(1, "{}"), revision_xml(2, text)]
    answer = upload(wiki, "Admin", page_xml("User:Admin/a.json", *texts, ns=2), **OTHER)
    assert answer.codes == "import-unknownerror"
    assert wiki.text("User:Admin/a.json") is None


def test_the_content_model_is_that_of_the_title_if_the_file_has_none(wiki: Actors) -> None:
    upload(wiki, "Admin", page_xml("User:Admin/a.css", revision_xml(1), ns=2), **OTHER)
    params = {"prop": "info|revisions", "rvprop": "contentmodel", "rvslots": "main"}
    (page,) = wiki.query(titles="User:Admin/a.css", **params)["pages"]
    models = {revision["slots"]["main"]["contentmodel"] for revision in page["revisions"]}
    assert (page["contentmodel"], models) == ("css", {"css"})
