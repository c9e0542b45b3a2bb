"""Importing pages from files."""

from __future__ import annotations

from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.api import ApiRequest, UploadedFile, tokens
from wikiapi.testing import ask

_HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">'
_REVISION = """<revision><id>{id}</id><timestamp>2019-03-0{id}T05:06:07Z</timestamp><contributor>
{by}</contributor><comment>old</comment><model>wikitext</model><format>text/x-wiki</format>
<text>text {id} [[Alpha]]</text></revision>"""
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
    given = {"action": "import", "token": tokens.SUFFIX} | params
    files = {"xml": UploadedFile("dump.xml", xml.encode())} if xml is not None else {}
    request = ApiRequest("POST", params=given, files=files)
    return ask(wiki.site, given, user=wiki.users[user], request=request)


def test_a_page_is_imported_with_its_history(wiki: Actors) -> None:
    before = wiki.statistics()["pages"]
    answer = upload(wiki, "Admin", PAGE, interwikiprefix="other", summary="why").data["import"]
    assert answer == [{"ns": 0, "title": "Imported", "revisions": 2}]
    page = wiki.query(titles="Imported", prop="revisions|links", rvlimit=9)["pages"][0]
    shown = [(one["user"], one["comment"], one["minor"]) for one in page["revisions"]]
    assert shown == [
        ("Admin", "2 revisions imported: why", True),
        ("192.0.2.7", "old", False),
        ("other>Ada", "old", False),
    ]
    assert page["links"] == [{"ns": 0, "title": "Alpha"}]
    assert wiki.statistics()["pages"] == before + 1
    entry = wiki.log("import")[0]
    assert (entry["action"], entry["params"]) == ("upload", {"count": 2})
    assert entry["revid"] == page["revisions"][0]["revid"]
    again = upload(wiki, "Admin", PAGE, interwikiprefix="other").data["import"]
    assert again == [{"ns": 0, "title": "Imported", "revisions": 0}]


def test_known_users_and_other_places(wiki: Actors) -> None:
    params = {"interwikiprefix": "other", "assignknownusers": "1", "rootpage": "Root"}
    answer = upload(wiki, "Admin", PAGE, **params).data["import"]
    assert answer[0]["title"] == "Root/Imported"
    page = wiki.query(titles="Root/Imported", prop="revisions", rvlimit=9)["pages"][0]
    assert page["revisions"][-1]["user"] == "Ada"
    answer = upload(wiki, "Admin", PAGE, interwikiprefix="other", namespace="4").data["import"]
    assert answer[0]["ns"] == 4


@pytest.mark.parametrize(
    ("user", "xml", "params", "code"),
    [
        ("Ada", PAGE, {"interwikiprefix": "o"}, "cantimport-upload"),
        ("Admin", None, {"interwikiprefix": "o"}, "nofile"),
        ("Admin", PAGE, {}, "missingparam"),
        ("Admin", "<broken", {"interwikiprefix": "o"}, "import-unknownerror"),
        ("Admin", None, {"interwikisource": "other"}, "missingparam"),
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
