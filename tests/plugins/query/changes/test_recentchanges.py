from __future__ import annotations

from typing import Any

import pytest

from tests.plugins.historywiki import revision_ids
from wikiapi.site import Site
from wikiapi.testing import ask


def changes(site: Site, **params: str) -> list[dict[str, Any]]:
    answer = ask(site, {"action": "query", "list": "recentchanges", "rclimit": "max", **params})
    assert not answer.codes
    return answer.data["query"]["recentchanges"]


def titles(site: Site, **params: str) -> list[str]:
    return [change.get("title", "?") for change in changes(site, **params)]


def test_an_edit(history_site: Site) -> None:
    prop = "user|userid|comment|parsedcomment|flags|timestamp|title|ids|sizes|redirect|tags|sha1"
    first = changes(history_site, rcdir="newer", rclimit="1", rcprop=prop)[0]
    assert first == {
        "type": "new",
        "ns": 0,
        "title": "Alpha",
        "pageid": 1,
        "revid": 1,
        "old_revid": 0,
        "rcid": 1,
        "user": "Ada",
        "userid": 1,
        "bot": False,
        "new": True,
        "minor": True,
        "oldlen": 0,
        "newlen": 3,
        "timestamp": "2025-01-01T00:00:00Z",
        "comment": "begin",
        "parsedcomment": "begin",
        "redirect": False,
        "tags": ["good"],
        "sha1": "fe05bcdcdc4928012781a5f1a2a77cbb5398e106",
    }


def test_an_event_of_the_log(history_site: Site) -> None:
    change = changes(history_site, rctitle="Beta", rctype="log", rcprop="loginfo|userid")[0]
    assert change == {
        "type": "log",
        "userid": 2,
        "logid": 2,
        "logtype": "move",
        "logaction": "move",
        "logparams": {"target_ns": 0, "target_title": "Omega", "suppressredirect": True},
    }


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"rctype": "new", "rcnamespace": "1"}, ["Talk:Alpha"]),
        ({"rcuser": "Babbage"}, ["Beta", "Talk:Alpha", "Alpha"]),
        ({"rcuser": "#2", "rctype": "edit"}, ["Alpha"]),
        ({"rcuser": "192.0.2.7"}, ["Gone", "Alpha"]),
        ({"rcexcludeuser": "Ada", "rctype": "log"}, ["Gone", "Beta"]),
        ({"rcshow": "anon"}, ["Gone", "Alpha"]),
        ({"rcshow": "minor"}, ["Alpha"]),
        ({"rcshow": "redirect"}, ["Gamma"]),
        ({"rcshow": "bot"}, []),
        ({"rctag": "good"}, ["Alpha"]),
        ({"rctag": "no such"}, []),
        ({"rctitle": "Talk:Alpha"}, ["Talk:Alpha"]),
        ({"rctoponly": "1", "rctype": "edit"}, ["Suppressed", "Beta", "Alpha"]),
        ({"rcslot": "main", "rctype": "new|log", "rcnamespace": "1"}, ["Talk:Alpha"]),
        ({"rcslot": "main", "rctype": "log"}, []),
        (
            {"rcend": "2025-02-01T00:00:02Z", "rctype": "log"},
            ["?", "Alpha", "Gone", "User:Babbage"],
        ),
    ],
    ids=str,
)
def test_filters(params: dict[str, str], expected: list[str], history_site: Site) -> None:
    assert titles(history_site, **params) == expected


def test_external_changes_are_not_looked_for(history_site: Site) -> None:
    everything = titles(history_site)
    assert titles(history_site, rctype="external") == everything
    assert titles(history_site, rctype="edit|external") == titles(history_site, rctype="edit")


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"rcshow": "minor|!minor"}, "show"),
        ({"rcshow": "patrolled|unpatrolled"}, "show"),
        ({"rcshow": "patrolled"}, "permissiondenied"),
        ({"rcprop": "patrolled"}, "permissiondenied"),
        ({"rcuser": "Ada", "rcexcludeuser": "Ada"}, "invalidparammix"),
        ({"rctitle": "[["}, "invalidtitle"),
        ({"rcslot": "other"}, "badvalue"),
        ({"rccontinue": "1|2|3"}, "badcontinue"),
        ({"rccontinue": "20250101000000|1_0"}, "badcontinue"),
        ({"rccontinue": "20250101000000|" + "9" * 30}, "badcontinue"),
    ],
    ids=str,
)
def test_refusals(params: dict[str, str], code: str, history_site: Site) -> None:
    assert ask(history_site, {"action": "query", "list": "recentchanges", **params}).codes == code


def test_marks_of_patrol(open_history_site: Site) -> None:
    marked = changes(open_history_site, rctitle="Alpha", rctype="edit|new", rcprop="patrolled")
    assert [change["patrolled"] for change in marked] == [True, True, False]
    assert marked[-1] == {
        "type": "new",
        "patrolled": False,
        "unpatrolled": True,
        "autopatrolled": False,
    }
    edits = changes(open_history_site, rctitle="Alpha", rcshow="autopatrolled", rctype="edit")
    assert [change["revid"] for change in edits] == [3]


def test_what_is_hidden(history_site: Site) -> None:
    prop = "user|userid|comment|parsedcomment|title|ids|loginfo|sha1"
    text, comment, user = revision_ids(history_site, "Suppressed")
    by_revision = {c.get("revid"): c for c in changes(history_site, rcprop=prop, rctype="edit|new")}
    assert by_revision[text]["sha1hidden"]
    assert by_revision[comment]["commenthidden"]
    assert by_revision[user]["userhidden"]
    assert {"user", "userid"}.isdisjoint(by_revision[user])
    event = next(c for c in changes(history_site, rcprop=prop) if "actionhidden" in c)
    assert {"title", "pageid", "revid", "logid", "logparams", "comment"}.isdisjoint(event)
    assert event["rcid"]


def test_generated_pages_and_revisions(history_site: Site) -> None:
    params = {"action": "query", "generator": "recentchanges", "grclimit": "max"}
    pages = ask(history_site, params).data["query"]["pages"]
    assert {"Alpha", "User:Babbage", "Gone"} <= {page["title"] for page in pages}
    edits = ask(history_site, params | {"grcgeneraterevisions": "1"}).data["query"]["pages"]
    assert {page["title"] for page in edits} == {
        "Alpha", "Beta", "Gamma", "Talk:Alpha", "Suppressed",
    }  # fmt: skip


def test_a_batch_keeps_its_beginning_while_it_is_listed(history_site: Site) -> None:
    params = {"action": "query", "generator": "recentchanges", "grclimit": "5", "grctype": "new"}
    answer = ask(
        history_site, params | {"prop": "linkshere|redirects|revisions|links", "rvlimit": "1"}
    )
    assert answer.codes == "invalidparammix"
    position = ask(history_site, params | {"prop": "links", "pllimit": "1"}).data.get(
        "continue", {}
    )
    first = changes(history_site, rctype="new", rclimit="1")[0]
    moment = first["timestamp"].translate({ord(c): None for c in "-:TZ"})
    assert position == {} or position["grccontinue"].startswith(moment)
