from __future__ import annotations

from typing import Any

import pytest

from tests.plugins.historywiki import HIDDEN_USER
from wikiapi.site import Site
from wikiapi.testing import ask


def edits(site: Site, **params: str) -> list[dict[str, Any]]:
    answer = ask(site, {"action": "query", "list": "usercontribs", "uclimit": "max", **params})
    assert not answer.codes
    return answer.data["query"]["usercontribs"]


def ids(site: Site, **params: str) -> list[int]:
    return [edit["revid"] for edit in edits(site, **params)]


def test_an_edit(history_site: Site) -> None:
    prop = "ids|title|timestamp|comment|parsedcomment|size|sizediff|flags|tags"
    assert edits(history_site, ucuser="Babbage", ucprop=prop, ucshow="!new") == [
        {
            "userid": 2,
            "user": "Babbage",
            "pageid": 1,
            "revid": 2,
            "parentid": 1,
            "ns": 0,
            "title": "Alpha",
            "timestamp": "2025-01-01T00:01:00Z",
            "new": False,
            "minor": False,
            "top": False,
            "comment": "more of [[Beta]]",
            "parsedcomment": 'more of <a href="/wiki/Beta" title="Beta">Beta</a>',
            "size": 7,
            "sizediff": 4,
            "tags": [],
        }
    ]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"ucuser": "192.0.2.7"}, [3]),
        ({"ucuser": "192.0.2.007"}, [3]),
        ({"ucuser": "babbage"}, [7, 2]),
        ({"ucuser": "Nobody"}, []),
        ({"ucuserids": "2"}, [7, 2]),
        ({"ucuserids": "1|2", "ucnamespace": "1"}, [7]),
        ({"uciprange": "192.0.2.0/24"}, [3]),
        ({"uciprange": "2001:db8::/32"}, []),
        ({"ucuserprefix": "192."}, [3]),
        ({"ucuser": "Ada|Babbage", "ucshow": "minor|!top"}, [1]),
        ({"ucuser": "Babbage", "ucdir": "newer"}, [2, 7]),
        ({"ucuser": "Ada", "uctag": "good"}, [1]),
        ({"ucuser": "Ada", "uctag": "no such"}, []),
        ({"ucuser": "Babbage", "ucend": "2025-01-01T00:02:00Z"}, [7]),
        ({"ucuser": "Babbage", "ucstart": "2025-01-01T00:02:00Z"}, [2]),
    ],
    ids=str,
)
def test_filters(params: dict[str, str], expected: list[int], history_site: Site) -> None:
    assert ids(history_site, **params) == expected


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({}, "missingparam"),
        ({"ucuser": "Ada", "ucuserids": "1"}, "invalidparammix"),
        ({"ucuser": "#"}, "baduser"),
        ({"ucuserids": ""}, "paramempty_ucuserids"),
        ({"ucuserids": "0"}, "invaliduserid"),
        ({"ucuserids": "9" * 20}, "badinteger"),
        ({"uciprange": "x"}, "invalidiprange"),
        ({"uciprange": "10.0.0.0/8"}, "cidrtoobroad"),
        ({"ucuser": "Ada", "ucshow": "top|!top"}, "show"),
        ({"ucuser": "Ada", "ucshow": "patrolled"}, "permissiondenied"),
        ({"ucuser": "Ada", "ucprop": "patrolled"}, "permissiondenied"),
        ({"ucuser": "Ada", "uccontinue": "name|Ada|20250101000000|1"}, "badcontinue"),
        ({"ucuser": "Ada", "uccontinue": "20250101000000|1\n"}, "badcontinue"),
        ({"ucuser": "Ada|Babbage", "uccontinue": "20250101000000|1"}, "badcontinue"),
        ({"ucuser": "Ada|Babbage", "uccontinue": "name|Ada|20250101000000|1"}, "badcontinue"),
        ({"ucuser": "Ada|Babbage", "uccontinue": "actor|x|20250101000000|1"}, "badcontinue"),
        ({"ucuserids": "1|2", "uccontinue": "id|1|x|1"}, "badcontinue"),
    ],
    ids=str,
)
def test_refusals(params: dict[str, str], code: str, history_site: Site) -> None:
    assert ask(history_site, {"action": "query", "list": "usercontribs", **params}).codes == code


def test_nothing_is_refused_where_there_are_no_edits(history_site: Site) -> None:
    assert edits(history_site, ucuser="Nobody", ucprop="patrolled") == []


@pytest.mark.parametrize(
    "params",
    [
        {"ucuser": "Ada"},
        {"ucuser": "Ada|Babbage|192.0.2.7"},
        {"ucuserids": "1|2"},
        {"ucuserprefix": ""},
        {"ucuser": "Ada|Babbage", "ucdir": "newer"},
        {"ucuserprefix": "", "ucdir": "newer"},
    ],
    ids=str,
)
def test_walks(params: dict[str, str], history_site: Site) -> None:
    whole = ids(history_site, **params)
    assert len(whole) > 2
    revids: list[int] = []
    position: dict[str, str] = {}
    base = {"action": "query", "list": "usercontribs", "uclimit": "1", **params}
    for _ in whole:
        answer = ask(history_site, base | position).data
        revids += [edit["revid"] for edit in answer["query"]["usercontribs"]]
        position = answer.get("continue", {})
    assert revids == whole
    assert not position


@pytest.mark.parametrize(
    "params", [{"ucuser": HIDDEN_USER}, {"ucuserids": "3"}, {"ucuserprefix": HIDDEN_USER[:4]}]
)
def test_hidden_users_have_no_edits(params: dict[str, str], history_site: Site) -> None:
    assert edits(history_site, **params) == []


def test_marks_of_patrol(open_history_site: Site) -> None:
    params = {"ucuser": "Babbage", "ucprop": "patrolled|ids"}
    marks = {edit["revid"]: edit["patrolled"] for edit in edits(open_history_site, **params)}
    assert marks == {2: True, 7: False}
    assert ids(open_history_site, **params, ucshow="patrolled") == [2]
