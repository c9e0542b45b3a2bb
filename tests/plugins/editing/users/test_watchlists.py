"""Watch lists: changing them, reading them, and what they say of changes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.plugins.editing.users.acting import Acting, writable_site
from wikiapi.site import Site
from wikiapi.testing import Clock
from wikiapi_plugins.query.changes.watchlists import watchlist_token


@pytest.fixture
def site(clock: Clock) -> Site:
    return writable_site(clock=clock, editing={"watchlist_expiry": True})


def titles(who: Acting, **params: str) -> list[str]:
    items = who.ask("query", list="watchlistraw", **params).data["watchlistraw"]
    return [item["title"] for item in items]


def info(who: Acting, title: str) -> dict[str, Any]:
    [page] = who.query(titles=title, prop="info", inprop="watched|notificationtimestamp")["pages"]
    return page


def test_pages_are_watched_with_their_talk_pages(ada: Acting) -> None:
    answer = ada.ask("watch", titles="Home|Nowhere|Special:Version|bad[")
    assert answer.data["batchcomplete"] is True
    bad, special, missing, home = answer.data["watch"]
    assert (bad["invalid"], special["special"]) == (True, True)
    assert missing == {"title": "Nowhere", "ns": 0, "watched": True, "missing": True}
    assert home == {"title": "Home", "ns": 0, "watched": True}
    assert titles(ada) == ["Home", "Nowhere", "Talk:Home", "Talk:Nowhere"]
    assert ada.do("watch", titles="Home", unwatch="") == [
        {"title": "Home", "ns": 0, "unwatched": True}
    ]
    assert titles(ada) == ["Nowhere", "Talk:Nowhere"]


def test_watching_ends(ada: Acting, clock: Clock) -> None:
    done = ada.do("watch", title="Home", expiry="1 week")
    assert done == {"title": "Home", "ns": 0, "expiry": "2026-01-08T12:00:00Z", "watched": True}
    assert info(ada, "Home")["watchlistexpiry"] == "2026-01-08T12:00:00Z"
    clock.advance(days=8)
    assert titles(ada) == []
    assert info(ada, "Home")["watched"] is False
    ada.do("options", change="watchdefault=0")
    ada.edit("Home", watchlist="preferences")
    assert titles(ada) == []
    assert ada.refused("watch", title="Home", expiry="some day") == "badexpiry"
    for past in ("2001-01-01T00:00:00Z", "2001-01-01", "yesterday"):
        assert ada.refused("watch", title="Home", expiry=past) == "badexpiry-past"


@pytest.mark.parametrize("params", [{"action": "watch", "titles": "Home", "expiry": "3 years"}, {
    "action": "edit", "title": "Home", "text": "y", "watchlist": "watch",
    "watchlistexpiry": "2030-01-01T00:00:00Z"}])  # fmt: skip
def test_longest_time_takes_the_place_of_a_longer_one(ada: Acting, params: dict[str, str]) -> None:
    answer = ada.ask(params["action"], params)
    assert answer.warned == ["paramvalidator-badexpiry-duration-max"]
    assert info(ada, "Home")["watchlistexpiry"] == "2027-01-01T12:00:00Z"


@pytest.mark.parametrize("expiry", ["1 year", "infinite", "2027-01-01T12:00:00Z"])
def test_other_times_are_kept(ada: Acting, expiry: str) -> None:
    assert ada.ask("watch", titles="Home", expiry=expiry).warned == []


def test_titles_that_are_no_pages_come_first(ada: Acting) -> None:
    answer = ada.ask("watch", titles="Special:Version|de:Foo|Media:X.png|Special:X|home")
    assert answer.data["watch"] == [
        {"ns": -2, "title": "Media:X.png", "special": True, "missing": True},
        {"ns": -1, "title": "Special:X", "special": True, "missing": True},
        {"ns": -1, "title": "Special:Version", "special": True},
        {"title": "de:Foo", "iw": "de"},
        {"title": "Home", "ns": 0, "watched": True},
    ]
    assert answer.data.keys() == {"watch", "batchcomplete"}


def test_expiry_is_no_parameter_where_watching_does_not_end() -> None:
    ada = Acting(writable_site(), "Ada")
    answer = ada.ask("watch", titles="Home", expiry="1 week")
    assert answer.warned == ["apierror-unrecognizedparams"]


def test_a_watch_list_tells_what_is_suppressed(ada: Acting, boss: Acting) -> None:
    ada.do("watch", titles="Home")
    revision = boss.do("edit", title="Home", text="new")["newrevid"]
    hidden = {"type": "revision", "ids": str(revision), "hide": "user"}
    for suppress, tells in (("no", False), ("yes", True)):
        boss.do("revisiondelete", hidden, suppress=suppress)
        changes = ada.query(list="watchlist", wlprop="ids|user", wlallrev="")["watchlist"]
        [change] = [change for change in changes if change["revid"] == revision]
        assert change["userhidden"]
        assert ("suppressed" in change) is tells


def test_edit_tells_watchers_but_not_its_author(ada: Acting, site: Site, clock: Clock) -> None:
    bert = Acting(site, "Bert")
    for who in (ada, bert):
        who.do("watch", titles="Home")
    clock.advance(minutes=5)
    bert.edit("Home", text="new", summary="done")
    assert info(ada, "Home")["notificationtimestamp"] == "2026-01-01T12:05:00Z"
    assert info(bert, "Home")["notificationtimestamp"] == ""
    assert ada.query(meta="userinfo", uiprop="unreadcount")["userinfo"]["unreadcount"] == 1
    [item] = ada.query(
        list="watchlist", wlprop="ids|title|user|comment|sizes|notificationtimestamp|flags"
    )["watchlist"]
    assert (item["title"], item["user"], item["comment"]) == ("Home", "Bert", "done")
    assert (item["type"], item["anon"], item["temp"]) == ("edit", False, False)
    assert item["notificationtimestamp"] == "2026-01-01T12:05:00Z"
    assert ada.query(list="watchlist", wlshow="!unread")["watchlist"] == []
    done = ada.do("setnotificationtimestamp", titles="Home|Other")
    assert done == [
        {"ns": 0, "title": "Home", "notificationtimestamp": ""},
        {"ns": 0, "title": "Other", "notwatched": True},
    ]
    assert ada.query(list="watchlist", wlshow="unread")["watchlist"] == []


def test_moment_of_a_revision_is_set(ada: Acting, clock: Clock) -> None:
    ada.do("watch", titles="Home")
    clock.advance(minutes=1)
    ada.edit("Home", text="new")
    [item] = ada.do("setnotificationtimestamp", titles="Home", newerthanrevid="1")
    assert item["notificationtimestamp"] == "2026-01-01T12:01:00Z"
    done = ada.do("setnotificationtimestamp", entirewatchlist="")
    assert done == {"notificationtimestamp": ""}
    assert info(ada, "Home")["notificationtimestamp"] == ""
    refused = ada.refused("setnotificationtimestamp", titles="Home|Other", torevid="1")
    assert refused == "multpages"
    assert ada.do("setnotificationtimestamp", titles="Home|Nothing", torevid="1")
    refused = ada.refused("setnotificationtimestamp", entirewatchlist="", torevid="1")
    assert refused == "multpages"
    refused = ada.refused("setnotificationtimestamp", entirewatchlist="", titles="Home")
    assert refused == "multisource"
    mixed = ada.refused("setnotificationtimestamp", titles="Home", torevid="1", timestamp="now")
    assert mixed == "invalidparammix"


def test_list_is_its_owners(ada: Acting, site: Site) -> None:
    ada.do("watch", titles="Home")
    assert Acting(site).refused("query", list="watchlist") == "notloggedin"
    assert Acting(site).refused("watch", titles="Home") == "notloggedin"
    assert Acting(site).refused("setnotificationtimestamp", titles="Home") == "notloggedin"
    bert = Acting(site, "Bert")
    assert titles(bert) == []
    ada.do("options", optionname="watchlisttoken", optionvalue="a secret")
    assert watchlist_token(site, ada.user_id) == "a secret"
    assert "Home" in titles(bert, wrowner="Ada", wrtoken="a secret")
    for owner, token, code in (("Ada", "guess", "bad_wltoken"), ("Nobody", "x", "bad_wlowner")):
        assert bert.refused("query", list="watchlist", wlowner=owner, wltoken=token) == code


def test_list_walks_by_namespace_and_title(ada: Acting) -> None:
    ada.do("watch", titles="Home|Other")
    answer = ada.ask("query", list="watchlistraw", wrlimit="1").data
    assert [item["title"] for item in answer["watchlistraw"]] == ["Home"]
    rest = titles(ada, wrcontinue=answer["continue"]["wrcontinue"])
    assert rest == ["Other", "Talk:Home", "Talk:Other"]
    assert titles(ada, wrdir="descending", wrnamespace="0") == ["Other", "Home"]
    assert titles(ada, wrfromtitle="Other", wrnamespace="0") == ["Other"]


def test_talk_page_of_a_user_is_announced(ada: Acting, site: Site) -> None:
    def has_messages() -> bool:
        userinfo = ada.query(meta="userinfo", uiprop="hasmsg")["userinfo"]
        return bool(userinfo["messages"])

    ada.edit("User talk:Ada", text="to myself")
    assert not has_messages()
    Acting(site, "Bert").edit("User talk:Ada", text="hello")
    assert has_messages()
    assert ada.do("clearhasmsg") == "success"
    assert not has_messages()


def test_minor_edit_of_a_bot_is_not_announced(ada: Acting, site: Site) -> None:
    ada.edit("User talk:Ada", text="mine")
    Acting(site, "Robot").edit("User talk:Ada", text="minor", minor="")
    assert ada.query(meta="userinfo", uiprop="hasmsg")["userinfo"]["messages"] is False


def test_visitor_is_told_of_the_talk_page_of_the_address(site: Site) -> None:
    visitor = Acting(site)
    Acting(site, "Ada").edit("User talk:192.0.2.9", text="hello")
    assert visitor.query(meta="userinfo", uiprop="hasmsg")["userinfo"]["messages"] is True
    visitor.do("clearhasmsg")
    assert visitor.query(meta="userinfo", uiprop="hasmsg")["userinfo"]["messages"] is False


def test_edit_watches_for_a_limited_time(ada: Acting) -> None:
    answer = ada.ask("edit", title="Home", text="y", watchlist="watch", watchlistexpiry="1 day")
    assert answer.data["edit"]["watchlistexpiry"] == "2026-01-02T12:00:00Z"
    assert info(ada, "Home")["watchlistexpiry"] == "2026-01-02T12:00:00Z"


WEEK = "2026-01-08T12:00:00Z"


@pytest.fixture
def watched_for_a_week(ada: Acting) -> Acting:
    ada.do("watch", titles="Home", expiry="1 week")
    return ada


@pytest.mark.parametrize(
    ("action", "params"),
    [
        ("edit", {"title": "Home", "text": "y"}),
        ("edit", {"title": "Home", "text": "y", "watchlist": "watch"}),
        ("edit", {"title": "Home", "text": "y", "watchlist": "nochange"}),
        ("edit", {"title": "Home", "text": "y", "watch": "1"}),
        ("watch", {"titles": "Home"}),
        ("watch", {"title": "Home"}),
        ("protect", {"title": "Home", "protections": "edit=sysop", "watchlist": "watch"}),
        ("delete", {"title": "Home", "watchlist": "watch"}),
        ("move", {"from": "Home", "to": "Away", "watchlist": "watch"}),
    ],
)
def test_an_expiry_is_kept_where_none_is_given(
    site: Site, clock: Clock, action: str, params: dict[str, str]
) -> None:
    boss = Acting(site, "Boss")
    boss.do("watch", titles="Home", expiry="1 week")
    clock.advance(days=1)
    boss.do(action, params)
    for title in ("Home", "Talk:Home"):
        assert info(boss, title)["watchlistexpiry"] == WEEK


def test_an_edit_tells_the_expiry_that_is_kept(watched_for_a_week: Acting) -> None:
    done = watched_for_a_week.do("edit", title="Home", text="y", watchlist="watch")
    assert done["watched"] is True
    assert done["watchlistexpiry"] == WEEK


@pytest.mark.parametrize("action", ["edit", "watch"])
def test_an_expiry_is_removed_by_one_without_end(watched_for_a_week: Acting, action: str) -> None:
    ada = watched_for_a_week
    if action == "edit":
        ada.do("edit", title="Home", text="y", watchlist="watch", watchlistexpiry="infinite")
    else:
        [done] = ada.do("watch", titles="Home", expiry="infinite")
        assert done["expiry"] == "infinity"
    page = info(ada, "Home")
    assert page["watched"] is True
    assert "watchlistexpiry" not in page


def test_a_page_is_watched_anew_after_the_expiry(watched_for_a_week: Acting, clock: Clock) -> None:
    clock.advance(days=8)
    watched_for_a_week.do("watch", titles="Home")
    page = info(watched_for_a_week, "Home")
    assert page["watched"] is True
    assert "watchlistexpiry" not in page


def test_bots_keep_the_pages_that_they_watch(site: Site) -> None:
    robot = Acting(site, "Robot")
    robot.do("watch", titles="Home", expiry="1 week")
    assert robot.do("edit", title="Home", text="y")["watched"] is True
    assert info(robot, "Home")["watchlistexpiry"] == WEEK


def test_a_moved_page_is_watched_as_before(watched_for_a_week: Acting, site: Site) -> None:
    ada, bert, boss = watched_for_a_week, Acting(site, "Bert"), Acting(site, "Boss")
    bert.do("watch", titles="Home")
    # An entry for the new title becomes a copy of that for the old one.
    bert.do("watch", titles="Away", expiry="1 day")
    boss.do("edit", title="Home", text="news")
    boss.do("move", {"from": "Home", "to": "Away"})
    for title in ("Home", "Away", "Talk:Away"):
        assert info(ada, title)["watchlistexpiry"] == WEEK
        assert info(bert, title)["watched"] is True
        assert "watchlistexpiry" not in info(bert, title)
    assert info(ada, "Away")["notificationtimestamp"] == "2026-01-01T12:00:00Z"
    assert info(ada, "Talk:Away")["notificationtimestamp"] == ""
