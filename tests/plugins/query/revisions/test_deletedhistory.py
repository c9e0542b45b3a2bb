"""Three views of one store: ``alldeletedrevisions``, ``deletedrevs``, ``deletedrevisions``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.plugins.walking import walk
from wikiapi.site import Site
from wikiapi.testing import ask

VISITOR = {"adrprop": "ids", "drvprop": "ids", "adrlimit": "max"}


def revisions_by_title(site: Site, **params: str) -> dict[str, list[int]]:
    request = {"action": "query", "list": "alldeletedrevisions", **VISITOR, **params}
    answer = ask(site, request)
    assert not answer.codes
    pages = answer.data["query"]["alldeletedrevisions"]
    return {page["title"]: [r["revid"] for r in page["revisions"]] for page in pages}


def codes(site: Site, **params: str) -> str:
    return str(ask(site, {"action": "query", **params}).codes)


GONE, TOO, TALK = "Gone", "Gone too", "Talk:Gone"


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, {TALK: [15], TOO: [14, 13], GONE: [12, 11]}),
        ({"adrdir": "newer"}, {GONE: [11, 12], TOO: [13, 14], TALK: [15]}),
        ({"adrnamespace": "1"}, {TALK: [15]}),
        ({"adrnamespace": "0", "adrfrom": "gone_t", "adrdir": "newer"}, {TOO: [13, 14]}),
        ({"adrnamespace": "0", "adrto": "Gone too"}, {TOO: [14, 13]}),
        ({"adrprefix": "Gone "}, {TOO: [14, 13]}),
        ({"adrprefix": "G%"}, {}),
        ({"adruser": "Babbage"}, {GONE: [12]}),
        ({"adruser": "#1", "adrnamespace": "1"}, {TALK: [15]}),
        ({"adruser": "Ada", "adrend": "2025-01-01T00:12:00Z"}, {TALK: [15], TOO: [13]}),
        ({"adrexcludeuser": "Ada"}, {GONE: [12]}),
        ({"adrtag": "good"}, {GONE: [11]}),
        ({"adrnamespace": "999"}, {}),
    ],
    ids=str,
)
def test_filters(
    params: dict[str, str], expected: dict[str, list[int]], history_site: Site
) -> None:
    revisions = revisions_by_title(history_site, **params)
    assert revisions == expected
    assert list(revisions) == list(expected)


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"adruser": "Ada", "adrfrom": "A"}, "invalidparammix"),
        ({"adrstart": "now"}, "invalidparammix"),
        ({"adrprop": "comment"}, "permissiondenied"),
        ({"adrprop": "parsedcomment"}, "permissiondenied"),
        ({"adrprop": "content"}, "permissiondenied"),
        ({"adrprop": "parsetree"}, "permissiondenied"),
        ({"adrprop": "ids", "adrcontinue": "0|Gone|20250101000000"}, "badcontinue"),
        ({"adrprop": "ids", "adrcontinue": "x|Gone|20250101000000|1"}, "badcontinue"),
        ({"adrprop": "ids", "adruser": "Ada", "adrcontinue": "x|1"}, "badcontinue"),
        ({"adrprop": "ids", "adrfrom": "[["}, "invalidtitle"),
    ],
    ids=str,
)
def test_refusals(params: dict[str, str], code: str, history_site: Site) -> None:
    assert codes(history_site, list="alldeletedrevisions", **params) == code


def test_pages_of_a_set(history_site: Site) -> None:
    params = {"action": "query", "prop": "deletedrevisions", "titles": "Gone|Talk:Gone|Alpha"}
    pages = ask(history_site, params | VISITOR).data["query"]["pages"]
    revisions = {
        page["title"]: [r["revid"] for r in page.get("deletedrevisions", ())] for page in pages
    }
    assert revisions == {GONE: [12, 11], TALK: [15], "Alpha": []}
    assert codes(history_site, prop="deletedrevisions", titles=GONE) == "permissiondenied"
    assert codes(history_site, prop="deletedrevisions", titles=GONE, drvprop="content") == (
        "permissiondenied"
    )
    assert codes(history_site, prop="deletedrevisions", revids="1", drvprop="content") == ""


def test_walk_over_a_set(history_site: Site) -> None:
    base = {"action": "query", "prop": "deletedrevisions", "titles": f"{GONE}|{TOO}|{TALK}"}
    ids: list[int] = []
    position: Mapping[str, str] = {}
    for _ in range(5):
        answer = ask(history_site, base | VISITOR | {"drvlimit": "1"} | dict(position)).data
        ids += [
            revision["revid"]
            for page in answer["query"]["pages"]
            for revision in page.get("deletedrevisions", ())
        ]
        position = answer.get("continue", {})
    assert ids == [15, 14, 13, 12, 11]
    assert not position


@pytest.mark.parametrize("user", [{}, {"adruser": "Ada"}])
def test_walk_over_all(user: dict[str, str], history_site: Site) -> None:
    whole = [
        number for page in revisions_by_title(history_site, **user).values() for number in page
    ]
    base = {"action": "query", "list": "alldeletedrevisions", "adrprop": "ids", "adrlimit": "1"}
    ids: list[int] = []
    position: dict[str, str] = {}
    for _ in whole:
        answer = ask(history_site, base | user | position).data
        pages = answer["query"]["alldeletedrevisions"]
        ids += [revision["revid"] for page in pages for revision in page["revisions"]]
        position = answer.get("continue", {})
    assert ids == whole
    assert not position


@pytest.mark.parametrize("direction", ["newer", "older"])
def test_titles_are_generated(direction: str, history_site: Site) -> None:
    params = {"action": "query", "generator": "alldeletedrevisions", "gadrgeneratetitles": "1"}
    answer = ask(history_site, params | {"gadrdir": direction})
    assert {page["title"] for page in answer.data["query"]["pages"]} == {GONE, TOO, TALK}
    assert bool(answer.warned) is (direction == "older")
    titles: set[str] = set()
    position: dict[str, str] = {}
    # In this order each title is found once, in the other once for each revision.
    for _ in range(3 if direction == "newer" else 5):
        answer = ask(history_site, params | {"gadrdir": direction, "gadrlimit": "1"} | position)
        titles |= {page["title"] for page in answer.data["query"]["pages"]}
        position = answer.data.get("continue", {})
    assert titles == {GONE, TOO, TALK}
    assert not position


def test_deleted_revisions_are_no_revisions(history_site: Site) -> None:
    for generator in ("alldeletedrevisions", "deletedrevisions"):
        params = {"action": "query", "generator": generator, "titles": GONE}
        request = params if generator == "deletedrevisions" else {**params, "titles": ""}
        bad = ask(history_site, request).data["query"]["badrevids"]
        assert {"11", "12"} <= set(bad)


def test_contents_and_summaries_take_rights(open_history_site: Site) -> None:
    params = {"adrprop": "content|comment|ids", "adrslots": "*", "adrprefix": "Gone"}
    answer = ask(
        open_history_site,
        {"action": "query", "list": "alldeletedrevisions", "adrnamespace": "0", **params},
    )
    too, gone = answer.data["query"]["alldeletedrevisions"]
    assert [r["slots"]["main"]["content"] for r in gone["revisions"]] == ["gone two", "gone one"]
    assert gone["pageid"] == 0
    hidden = too["revisions"][0]
    assert hidden["commenthidden"]
    assert hidden["slots"]["main"]["texthidden"]
    assert "content" not in hidden["slots"]["main"]


def older(site: Site, **params: str) -> list[tuple[str, list[str]]]:
    answer = ask(site, {"action": "query", "list": "deletedrevs", **params})
    assert not answer.codes
    pages: list[dict[str, Any]] = answer.data["query"]["deletedrevs"]
    return [(page["title"], [r.get("user", "?") for r in page["revisions"]]) for page in pages]


def test_the_older_form_takes_a_right(history_site: Site) -> None:
    assert codes(history_site, list="deletedrevs") == "permissiondenied"


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, [(TOO, ["?", "Ada"]), (GONE, ["Babbage", "Ada"])]),
        ({"drdir": "newer", "drunique": "1"}, [(GONE, ["Ada"]), (TOO, ["Ada"])]),
        ({"drnamespace": "1"}, [(TALK, ["Ada"])]),
        ({"drprefix": "Gone "}, [(TOO, ["?", "Ada"])]),
        ({"druser": "Babbage"}, [(GONE, ["Babbage"])]),
        ({"drexcludeuser": "Ada"}, [(GONE, ["Babbage"])]),
        ({"titles": "Talk:Gone|Alpha"}, [(TALK, ["Ada"])]),
        ({"titles": "Gone", "drend": "2025-01-01T00:11:00Z"}, [(GONE, ["Babbage"])]),
        ({"drtag": "good"}, [(GONE, ["Ada"])]),
    ],
    ids=str,
)
def test_the_older_form(
    params: dict[str, str], expected: list[tuple[str, list[str]]], open_history_site: Site
) -> None:
    assert older(open_history_site, **params) == expected


@pytest.mark.parametrize("module", ["deletedrevs", "alldeletedrevisions"])
@pytest.mark.parametrize("size", ["1", "2", "3"])
def test_every_part_of_the_walk_is_reported_once(
    module: str, size: str, open_history_site: Site
) -> None:
    prefix = {"deletedrevs": "dr", "alldeletedrevisions": "adr"}[module]
    params = {"list": module, f"{prefix}prop": {"dr": "revid"}.get(prefix, "ids")}

    def revisions(limit: str) -> list[tuple[str, int]]:
        answers = walk(open_history_site, {**params, f"{prefix}limit": limit})
        pages = [page for answer in answers for page in answer["query"][module]]
        return [(page["title"], r["revid"]) for page in pages for r in page["revisions"]]

    assert len(revisions("max")) > 3
    assert revisions(size) == revisions("max")


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"drstart": "now"}, "badparams"),
        ({"druser": "Ada", "drprefix": "A"}, "badparams"),
        ({"druser": "Ada", "drexcludeuser": "Ada"}, "invalidparammix"),
        ({"drcontinue": "1|2"}, "badcontinue"),
    ],
    ids=str,
)
def test_refusals_of_the_older_form(
    params: dict[str, str], code: str, open_history_site: Site
) -> None:
    assert codes(open_history_site, list="deletedrevs", **params) == code


def test_the_data_of_the_older_form(open_history_site: Site) -> None:
    prop = "revid|parentid|user|userid|comment|parsedcomment|minor|len|sha1|content|tags"
    params = {"action": "query", "list": "deletedrevs", "titles": GONE, "drprop": prop}
    page = ask(open_history_site, params).data["query"]["deletedrevs"][0]
    assert page["revisions"][1] == {
        "timestamp": "2025-01-01T00:10:00Z",
        "revid": 11,
        "parentid": 0,
        "user": "Ada",
        "userid": 1,
        "comment": "first",
        "parsedcomment": "first",
        "minor": False,
        "len": 8,
        "sha1": "d02ab6221306aa4f367313551700b48f2dc402ea",
        "text": "gone one",
        "tags": ["good"],
    }


def deleted_revisions(site: Site, **params: str) -> Any:
    request = {"action": "query", "prop": "deletedrevisions", "drvprop": "ids", **params}
    answer = ask(site, request)
    assert not answer.codes
    return answer.data


@pytest.mark.parametrize(("direction", "order"), [("older", [12, 11]), ("newer", [11, 12])])
def test_deleted_revisions_by_id(direction: str, order: list[int], open_history_site: Site) -> None:
    query = deleted_revisions(open_history_site, revids="11|12|15|1|9999", drvdir=direction)[
        "query"
    ]
    assert [bad["revid"] for bad in query["badrevids"].values()] == [9999]
    revisions = {
        page["title"]: [r["revid"] for r in page.get("deletedrevisions", ())]
        for page in query["pages"]
    }
    assert revisions == {"Alpha": [], GONE: order, TALK: [15]}
    assert {page["title"] for page in query["pages"] if page.get("missing")} == {GONE, TALK}


def test_deleted_revisions_are_hidden_without_the_right(history_site: Site) -> None:
    query = deleted_revisions(history_site, revids="11|1")["query"]
    assert [bad["revid"] for bad in query["badrevids"].values()] == [11]
    assert [page["title"] for page in query["pages"]] == ["Alpha"]


def test_walk_over_deleted_revisions_by_id(open_history_site: Site) -> None:
    ids: list[int] = []
    position: dict[str, str] = {}
    for _ in range(3):
        answer = deleted_revisions(open_history_site, revids="11|12|15", drvlimit="1", **position)
        for page in answer["query"]["pages"]:
            ids += [revision["revid"] for revision in page.get("deletedrevisions", ())]
        position = answer.get("continue", {})
    assert ids == [15, 12, 11]
    assert not position


@pytest.mark.parametrize("position", ["x|1", "1", "1|x", "1|2|3|4"])
def test_positions_among_deleted_revisions_by_id(position: str, open_history_site: Site) -> None:
    params = {"revids": "11", "drvprop": "ids", "drvcontinue": position}
    assert codes(open_history_site, prop="deletedrevisions", **params) == "badcontinue"


def test_contents_of_deleted_revisions_by_id(open_history_site: Site) -> None:
    query = deleted_revisions(
        open_history_site, revids="11", drvprop="content|comment", drvslots="*"
    )
    (revision,) = query["query"]["pages"][0]["deletedrevisions"]
    assert revision["slots"]["main"]["content"] == "gone one"
    assert revision["comment"] == "first"
