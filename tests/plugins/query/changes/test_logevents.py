from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.cases import cases
from tests.plugins.historywiki import SECRET
from wikiapi.accounts.user import User
from wikiapi.site import Site
from wikiapi.store.models import Logging
from wikiapi.testing import ask

COLUMNS = (
    "log_type", "log_action", "log_timestamp", "log_actor", "log_namespace", "log_title",
    "log_comment_id", "log_params", "log_deleted",
)  # fmt: skip


def events(site: Site, **params: str) -> list[dict[str, Any]]:
    answer = ask(site, {"action": "query", "list": "logevents", **params})
    assert not answer.codes
    return answer.data["query"]["logevents"]


def actions(site: Site, **params: str) -> list[str]:
    return [f"{e['type']}/{e.get('action', '?')}" for e in events(site, **params)]


@pytest.fixture(scope="module")
def params_site(make_module_site: Callable[..., Site]) -> Site:
    """Yield a wiki whose log holds nothing yet; each case adds its own event."""
    return make_module_site({"Page": "text"})


@pytest.mark.parametrize("case", cases("logs/params.json"))
def test_params(case: dict[str, Any], params_site: Site) -> None:
    row = (*case["kind"], "20250201000000", 1, 0, "Page", 1, case["raw"], 0)
    params_site.db.insert_many(Logging, [row], COLUMNS)
    event = events(params_site, leprop="details|ids", lelimit="1")[0]
    assert event["params"] == case["params"]
    assert event.get("revid") == case.get("revision")


def test_what_is_false_is_left_out_of_the_first_version(history_site: Site) -> None:
    params = {"action": "query", "list": "logevents", "leaction": "block/block"}
    block = ask(history_site, params).version1["query"]["logevents"][0]["params"]
    assert block["flags"] == ["nocreate", "noemail"]
    answer = ask(history_site, params | {"leaction": "move/move"}).version1
    assert answer["query"]["logevents"][0]["params"]["suppressredirect"] == ""


def test_an_event(history_site: Site) -> None:
    event = events(history_site, leaction="move/move", leprop="ids|title|type|user|userid|comment")[
        0
    ]
    assert event == {
        "logid": 2,
        "ns": 0,
        "title": "Beta",
        "pageid": 2,
        "logpage": 1,
        "type": "move",
        "action": "move",
        "user": "Babbage",
        "userid": 2,
        "comment": "name of [[Alpha]]",
    }
    assert events(history_site, leids="2", leprop="parsedcomment|tags|timestamp") == [
        {
            "timestamp": "2025-02-01T00:00:01Z",
            "parsedcomment": 'name of <a href="/wiki/Alpha" title="Alpha">Alpha</a>',
            "tags": ["good"],
        }
    ]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"letype": "block"}, ["block/block"]),
        ({"leuser": "Ada"}, ["delete/?", "block/block", "create/create"]),
        ({"leuser": "#2"}, ["move/move"]),
        ({"letitle": "Beta"}, ["move/move"]),
        ({"lenamespace": "2"}, ["block/block"]),
        ({"leprefix": "Al"}, ["delete/restore", "create/create"]),
        ({"letag": "good"}, ["move/move"]),
        ({"letag": "no such"}, []),
        ({"leids": "1|2|999"}, ["move/move", "create/create"]),
        ({"lestart": "2025-02-01T00:00:01Z"}, ["move/move", "create/create"]),
        ({"leend": "2025-02-01T00:00:05Z"}, ["delete/?"]),
        ({"ledir": "newer", "leend": "2025-02-01T00:00:01Z"}, ["create/create", "move/move"]),
    ],
    ids=str,
)
def test_filters(params: Mapping[str, str], expected: list[str], history_site: Site) -> None:
    names = actions(history_site, **params)
    assert [name.replace("delete/delete", "delete/?") for name in names] == expected


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"leaction": "nonsense"}, "unknown_leaction"),
        ({"leaction": "block/nonsense"}, "unknown_leaction"),
        ({"letype": "nonsense"}, "badvalue"),
        ({"letitle": "[["}, "invalidtitle"),
        ({"leprefix": "[["}, "invalidtitle"),
        ({"letitle": "A", "lenamespace": "0"}, "invalidparammix"),
        ({"letitle": "A", "leprefix": "A"}, "invalidparammix"),
        ({"lecontinue": "x' OR 1=1--"}, "badcontinue"),
        ({"lecontinue": "20250201000000|" + "9" * 20}, "badcontinue"),
        ({"lecontinue": "20250201000000"}, "badcontinue"),
        ({"leids": "9" * 20}, "badinteger"),
    ],
    ids=str,
)
def test_refusals(params: dict[str, str], code: str, history_site: Site) -> None:
    assert ask(history_site, {"action": "query", "list": "logevents", **params}).codes == code


def test_prefixes_hold_no_wildcards(history_site: Site) -> None:
    assert actions(history_site, leprefix="%") == []
    assert actions(history_site, leprefix="A_pha") == []


def test_hidden_entries_are_never_found(history_site: Site) -> None:
    assert actions(history_site, letype="suppress") == []
    assert actions(history_site, letitle=SECRET) == []
    assert actions(history_site, leprefix=SECRET[:5]) == []
    hidden = events(history_site, leids="6")[0]
    assert hidden["actionhidden"]
    assert hidden["commenthidden"]
    assert {"title", "params", "pageid", "comment"}.isdisjoint(hidden)
    by_nobody = events(history_site, leids="5", leprop="user|userid|title")[0]
    assert by_nobody == {"ns": 0, "title": "Alpha", "userhidden": True}


def test_users_who_see_every_log_are_answered(history_site: Site) -> None:
    """No condition is left where nothing is filtered and no log is closed."""
    user = User("Ada", frozenset({"read", "suppressionlog"}), id=1)
    answer = ask(history_site, {"action": "query", "list": "logevents"}, user=user)
    assert not answer.codes
    assert answer.data["query"]["logevents"]
