from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.site import Site
from wikiapi.testing import DeclaredUser, Edit, ask

LIMIT = 20_000


pytestmark = pytest.mark.wiki(
    {
        "Main Page": [Edit("one", comment="[[x]]", user="Ada"), Edit("two"), Edit("three")],
        "Other": "== a ==\nold\n== b ==\nkept",
    },
    config={"http": {"result_size_limit": LIMIT}},
    users=["Ada"],
)


def compare(site: Site, **params: str) -> Any:
    return ask(site, {"action": "compare", **params})


def comparison(site: Site, **params: str) -> Any:
    answer = compare(site, **params)
    assert answer.codes == ""
    return answer.data["compare"]


def test_two_revisions(site: Site) -> None:
    diff = comparison(site, fromrev="1", torev="2")
    body = diff.pop("body")
    assert ">one</del>" in body
    assert ">two</ins>" in body
    assert diff == {
        "fromid": 1,
        "fromrevid": 1,
        "fromns": 0,
        "fromtitle": "Main Page",
        "toid": 1,
        "torevid": 2,
        "tons": 0,
        "totitle": "Main Page",
    }


def test_every_fact(site: Site) -> None:
    props = "rel|user|comment|parsedcomment|size|timestamp|diffsize"
    diff = comparison(site, fromrev="1", torev="2", prop=props)
    size = diff.pop("diffsize")
    assert size > 300
    assert diff["fromuser"] == "Ada"
    assert diff["fromcomment"] == "[[x]]"
    assert "<a " in diff["fromparsedcomment"]
    assert diff["fromsize"] == 3
    assert diff["next"] == 3
    assert "prev" not in diff
    more = {"fromuserid", "fromtimestamp", "touser", "touserid", "tosize", "totimestamp"}
    assert more < set(diff)


@pytest.mark.parametrize(
    ("params", "ids"),
    [
        ({"fromrev": "2", "torelative": "prev"}, (1, 2)),
        ({"fromrev": "2", "torelative": "next"}, (2, 3)),
        ({"fromrev": "1", "torelative": "cur"}, (1, 3)),
        ({"fromtitle": "Main Page", "toid": "2"}, (3, 4)),
    ],
)
def test_sides(site: Site, params: dict[str, str], ids: tuple[int, int]) -> None:
    diff = comparison(site, prop="ids", **params)
    assert (diff["fromrevid"], diff["torevid"]) == ids


def test_the_first_revision_has_none_before_it(site: Site) -> None:
    answer = compare(site, fromrev="1", torelative="prev", prop="ids")
    assert answer.data["compare"] == {"toid": 1, "torevid": 1}
    assert answer.warned == ["apiwarn-compare-no-prev"]


def test_the_latest_revision_has_none_after_it(site: Site) -> None:
    answer = compare(site, fromrev="3", torelative="next", prop="diff|ids")
    assert answer.data["compare"] == {"fromid": 1, "fromrevid": 3, "body": ""}
    assert answer.warned == ["apiwarn-compare-no-next"]


def test_texts_of_the_request(site: Site) -> None:
    texts = {"fromslots": "main", "fromtext-main": "a b", "toslots": "main", "totext-main": "a c"}
    answer = compare(site, slots="*", prop="diff", **texts)
    assert list(answer.data["compare"]["bodies"]) == ["main"]
    assert answer.warned == ["apiwarn-compare-nocontentmodel"]
    assert compare(site, fromtext="a b", totext="a c", prop="diff").data["compare"] == {
        "body": answer.data["compare"]["bodies"]["main"]
    }


def test_a_text_is_compared_with_a_neighbour_of_the_revision_that_it_replaces(site: Site) -> None:
    slot = {"fromslots": "main", "fromtext-main": "x", "fromcontentmodel-main": "wikitext"}
    fact = comparison(site, fromrev="2", **slot, torelative="cur", prop="ids|rel")
    assert fact == {"toid": 1, "torevid": 3, "prev": 1}
    fact = comparison(site, fromrev="2", **slot, torelative="prev", prop="ids|rel")
    assert fact == {"fromid": 1, "fromrevid": 1, "next": 3}


def test_a_section_is_replaced(site: Site) -> None:
    diff = comparison(
        site, fromtitle="Other", totitle="Other", prop="diff", difftype="unified",
        **{"toslots": "main", "totext-main": "== a ==\nnew", "tosection-main": "1"},
    )  # fmt: skip
    assert diff["body"] == "@@ -1,4 +1,4 @@\n == a ==\n-old\n+new\n == b ==\n kept\n"


def test_a_text_is_transformed_as_saving_would(site: Site) -> None:
    diff = comparison(
        site, fromtitle="Other", topst="1", difftype="unified", prop="diff",
        **{"toslots": "main", "totext-main": "{{subst:PAGENAME}}"},
    )  # fmt: skip
    assert "+Other\n" in diff["body"]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({}, "missingparam"),
        ({"fromrev": "1"}, "missingparam"),
        ({"fromrev": "99", "torev": "1"}, "nosuchrevid"),
        ({"fromrev": "99999999999999999", "torev": "1"}, "nosuchrevid"),
        ({"fromid": "99", "torev": "1"}, "nosuchpageid"),
        ({"fromid": "-1", "torev": "1"}, "nosuchpageid"),
        ({"fromtitle": "<", "torev": "1"}, "invalidtitle"),
        ({"fromtitle": "Nope", "torev": "1"}, "missingtitle"),
        ({"fromslots": "main", "torev": "1"}, "compare-maintextrequired"),
        ({"fromtext": "x", "torelative": "prev"}, "compare-relative-to-nothing"),
        (
            {"fromtitle": "Nope", "fromtext": "x", "torelative": "cur"},
            "compare-relative-to-nothing",
        ),
        ({"fromrev": "1", "fromsection": "7", "torev": "2"}, "nosuchsection"),
    ],
)
def test_errors(site: Site, params: dict[str, str], code: str) -> None:
    assert compare(site, **params).codes == code


def test_what_does_not_fit_is_left_out_with_a_warning(site: Site) -> None:
    lines = {side: "\n".join(f"{side} {n}" for n in range(3_000)) for side in "ab"}
    answer = compare(site, fromtext=lines["a"], totext=lines["b"], prop="diff|ids")
    assert answer.codes == ""
    assert answer.data["compare"] == {}
    assert "apiwarn-truncatedresult" in answer.warned


def test_inline(site: Site) -> None:
    body = comparison(site, fromrev="1", torev="2", prop="diff", difftype="inline")["body"]
    assert '<div class="mw-diff-inline-changed"><del>one</del><ins>two</ins></div>' in body


@pytest.fixture
def deleted() -> Iterator[Actors]:
    """A wiki with a page of two revisions, 1 and 2, that was deleted."""
    users = (DeclaredUser("Eve", ("sysop", "suppress")),)
    wiki = Actors({"Gone": [Edit("one"), Edit("two")], "Here": "here"}, users=users)
    wiki.act("Admin", "delete", title="Gone")
    yield wiki
    wiki.site.db.close()


def test_revisions_of_deleted_pages(deleted: Actors) -> None:
    params = {"fromrev": "1", "torev": "3", "prop": "ids|title|diff"}
    assert deleted.act("Ada", "compare", **params).codes == "nosuchrevid"
    fact = deleted.act("Admin", "compare", **params).data["compare"]
    assert (fact["fromid"], fact["fromrevid"], fact["fromtitle"]) == (0, 1, "Gone")
    assert fact["fromarchive"] is True
    assert "toarchive" not in fact
    assert "<del" in fact["body"]


@pytest.mark.parametrize(
    ("user", "relative", "code"),
    [
        ("Admin", "prev", "compare-relative-to-deleted"),
        ("Admin", "next", "compare-relative-to-deleted"),
        ("Admin", "cur", "nosuchrevid"),
        ("Ada", "next", "nosuchrevid"),
    ],
)
def test_nothing_is_relative_to_a_deleted_revision(
    deleted: Actors, user: str, relative: str, code: str
) -> None:
    assert deleted.act(user, "compare", fromrev=2, torelative=relative).codes == code


def test_a_deleted_revision_and_the_page_that_has_its_title_now(deleted: Actors) -> None:
    saved = deleted.act("Ada", "edit", title="Gone", text="again").data["edit"]
    fact = deleted.act("Admin", "compare", fromrev=2, torelative="cur", prop="ids").data["compare"]
    assert fact == {
        "fromid": saved["pageid"],
        "fromrevid": 2,
        "fromarchive": True,
        "toid": saved["pageid"],
        "torevid": saved["newrevid"],
    }


def test_a_hidden_text_is_never_compared_and_what_is_hidden_is_always_told(deleted: Actors) -> None:
    deleted.act("Admin", "undelete", title="Gone")
    everything = {"type_": "revision", "ids": 1, "hide": "content|comment|user"}
    deleted.act("Eve", "revisiondelete", **everything)
    params = {"fromrev": 2, "torelative": "prev", "prop": "size"}
    assert deleted.act("Ada", "compare", **params).codes == "missingcontent"
    fact = deleted.act("Admin", "compare", **params).data["compare"]
    hidden = {"fromtexthidden": True, "fromuserhidden": True, "fromcommenthidden": True}
    assert fact == {"fromsize": 3, "tosize": 3} | hidden
