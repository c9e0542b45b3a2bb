"""Feeds, and the description of the API for programs that look for one."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.store.models import Actor, RecentChanges
from wikiapi.testing import Edit
from wikiapi.testing.client import ApiClient

ATOM = "{http://www.w3.org/2005/Atom}"
CREATOR = "{http://purl.org/dc/elements/1.1/}creator"
RSD = "{http://archipelago.phrasewise.com/rsd}"


CHANGES = (
    ("20251201000000", "Ada", 1, 0, "mw.new"),
    ("20251215000000", "192.0.2.9", 2, 1, "mw.edit"),
)
"""When, who, the new and the old revision, and the source."""


def change(
    actors: dict[str, int], moment: str, who: str, new: int, old: int, source: str
) -> dict[str, object]:
    return {
        "rc_timestamp": moment,
        "rc_actor": actors[who],
        "rc_source": source,
        "rc_this_oldid": new,
        "rc_last_oldid": old,
        "rc_minor": int(old > 0),
        "rc_namespace": 0,
        "rc_title": "Page",
        "rc_cur_id": 1,
        "rc_comment_id": new,
    }


@pytest.fixture(scope="module")
def site(make_module_site: Callable[..., Site]) -> Site:
    made = make_module_site(
        {
            "Page": [
                Edit("one", user="Ada", comment="<b>", timestamp="20251201000000"),
                Edit("two <x>", user="192.0.2.9", timestamp="20251215000000", minor=True),
            ],
            "Talk:Page": Edit("[[Page]]", user="Ada", timestamp="20251220000000"),
        },
        users=["Ada"],
    )
    actors = dict(made.db.execute(Actor.select(Actor.actor_name, Actor.actor_id)))
    made.db.execute_write(RecentChanges.delete())
    made.db.execute_write(RecentChanges.insert_many([change(actors, *facts) for facts in CHANGES]))
    return made


@pytest.fixture(scope="module")
def client(site: Site) -> ApiClient:
    return ApiClient(make_app(site), defaults={})


def items(client: ApiClient, action: str, **params: str) -> list[ET.Element]:
    reply = client.reply("GET", action=action, **params)
    assert reply.headers["content-type"] == "application/xml; charset=utf-8"
    return list(ET.fromstring(reply.text).iter("item"))


def texts(entries: list[ET.Element], tag: str) -> list[str | None]:
    return [item.findtext(tag) for item in entries]


def test_recent_changes(client: ApiClient) -> None:
    entries = items(client, "feedrecentchanges", days="60")
    assert texts(entries, "title") == ["Page", "Page"]
    assert texts(entries, CREATOR) == ["192.0.2.9", "Ada"]
    assert texts(entries, "pubDate")[0] == "Mon, 15 Dec 2025 00:00:00 GMT"
    assert entries[0].findtext("link", "").endswith("/index.php?title=Page&diff=2&oldid=1")
    edited, made = (item.findtext("description", "") for item in entries)
    assert ">two &lt;x&gt;</ins>" in edited
    assert "<b>New page</b></p><div>one</div>" in made
    assert "&lt;b&gt;" in made


@pytest.mark.parametrize(
    ("params", "count"),
    [
        ({}, 0),
        ({"days": "20"}, 1),
        ({"days": "60", "limit": "1"}, 1),
        ({"days": "60", "hideminor": "1"}, 1),
        ({"days": "60", "hideanons": "1"}, 1),
        ({"days": "60", "hideliu": "1"}, 1),
        ({"days": "60", "namespace": "1"}, 0),
        ({"days": "60", "namespace": "1", "associated": "1"}, 2),
        ({"days": "60", "namespace": "1", "invert": "1"}, 2),
        ({"days": "60", "from": "20251210000000"}, 1),
        ({"days": "60", "tagfilter": "nope"}, 0),
        ({"days": "60", "target": "Talk:Page"}, 2),
        ({"days": "60", "target": "Talk:Page", "showlinkedto": "1"}, 0),
        ({"days": "60", "hidebots": "1", "hidepatrolled": "1", "hidecategorization": "1"}, 2),
    ],
)
def test_filters_of_recent_changes(client: ApiClient, params: dict[str, str], count: int) -> None:
    assert len(items(client, "feedrecentchanges", **params)) == count


def test_atom(client: ApiClient) -> None:
    reply = client.reply("GET", action="feedrecentchanges", feedformat="atom", days="60")
    root = ET.fromstring(reply.text)
    assert root.tag == f"{ATOM}feed"
    entries = root.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}updated") for entry in entries] == [
        "2025-12-15T00:00:00Z",
        "2025-12-01T00:00:00Z",
    ]


@pytest.mark.parametrize(
    ("params", "titles"),
    [
        ({}, ["Talk:Page", "Page"]),
        ({"namespace": "0"}, ["Page"]),
        ({"toponly": "1"}, ["Talk:Page"]),
        ({"newonly": "1"}, ["Talk:Page", "Page"]),
        ({"showsizediff": "1", "namespace": "0"}, ["Page (+3)"]),
        ({"year": "2024"}, []),
        ({"year": "2025", "month": "11"}, []),
        ({"year": "2025", "month": "12", "hideminor": "1"}, ["Talk:Page", "Page"]),
        ({"tagfilter": "mw-undo"}, []),
        ({"tagfilter": "nope"}, ["Talk:Page", "Page"]),  # no tag of the wiki, so no filter
    ],
)
def test_contributions(client: ApiClient, params: dict[str, str], titles: list[str]) -> None:
    entries = items(client, "feedcontributions", user="Ada", **params)
    assert texts(entries, "title") == titles


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"action": "feedcontributions"}, "missingparam"),
        ({"action": "feedcontributions", "user": "[x"}, "baduser"),
        ({"action": "feedcontributions", "user": "Ada", "deletedonly": "1"}, "permissiondenied"),
        ({"action": "feedrecentchanges", "target": "<"}, "invalidtitle"),
    ],
)
def test_errors(client: ApiClient, params: dict[str, str], code: str) -> None:
    assert client.reply("GET", params).headers["mediawiki-api-error"] == code


@pytest.mark.parametrize("user", ["other>A[b", "other>A\x0fb", "other>{{{#"])
def test_users_of_other_wikis_need_be_no_titles(client: ApiClient, user: str) -> None:
    assert items(client, "feedcontributions", user=user) == []


def test_rsd(client: ApiClient) -> None:
    reply = client.reply("GET", action="rsd", format="json")
    assert reply.headers["content-type"] == "application/rsd+xml; charset=utf-8"
    api = ET.fromstring(reply.text).find(f".//{RSD}api")
    assert api is not None
    assert api.get("name") == "MediaWiki"
    assert api.get("apiLink") == "http://127.0.0.1:8080/w/api.php"


def test_a_feed_of_recent_changes_is_kept_for_a_moment(client: ApiClient) -> None:
    usual = client.reply("GET", action="feedrecentchanges")
    assert usual.headers["cache-control"] == "max-age=15, s-maxage=15, public"
    asked = client.reply("GET", action="feedrecentchanges", smaxage="60", maxage="30")
    assert asked.headers["cache-control"] == "s-maxage=60, max-age=30, public"
