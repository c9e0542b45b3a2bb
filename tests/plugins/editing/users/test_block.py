"""``action=block`` and ``action=unblock``, and what blocks forbid."""

from __future__ import annotations

from typing import Any

import pytest

from tests.plugins.editing.users.acting import ADDRESS, Acting, writable_site
from wikiapi.site import Site
from wikiapi.testing import Clock


@pytest.fixture
def site(clock: Clock) -> Site:
    return writable_site({"Home": "x", "Project:Rules": "x", "User talk:Ada": "x"}, clock=clock)


def log(boss: Acting, kind: str = "block") -> list[dict[str, Any]]:
    query = boss.query(list="logevents", letype=kind, leprop="title|type|details|comment|user")
    return query["logevents"]


def test_block_is_answered_listed_and_logged(boss: Acting, ada: Acting) -> None:
    done = boss.do("block", user="Ada", expiry="1 day", reason="spam", nocreate="", autoblock="")
    assert done == {
        "user": "Ada",
        "userID": 2,
        "expiry": "2026-01-02T12:00:00Z",
        "id": 1,
        "reason": "spam",
        "anononly": False,
        "nocreate": True,
        "autoblock": True,
        "noemail": False,
        "hidename": False,
        "allowusertalk": False,
        "watchuser": False,
        "partial": False,
        "pagerestrictions": None,
        "namespacerestrictions": None,
        "actionrestrictions": None,
    }
    [entry] = log(boss)
    assert (entry["title"], entry["action"], entry["comment"]) == ("User:Ada", "block", "spam")
    params = entry["params"]
    assert params["flags"] == ["nocreate", "nousertalk"]
    assert (params["duration"], params["sitewide"], params["blockId"]) == ("1 day", True, 1)
    [change] = boss.query(list="recentchanges", rctype="log", rcprop="loginfo|title")[
        "recentchanges"
    ]
    assert (change["logtype"], change["title"]) == ("block", "User:Ada")
    [listed] = boss.query(list="blocks", bkusers="Ada")["blocks"]
    assert (listed["by"], listed["nocreate"]) == ("Boss", True)
    assert ada.query(meta="userinfo", uiprop="blockinfo")["userinfo"]["blockreason"] == "spam"


def test_a_block_is_a_reason_beside_others(boss: Acting, ada: Acting) -> None:
    boss.do("block", user="Ada")
    params = {"title": "MediaWiki:Notice", "text": "y", "errorformat": "none"}
    errors = ada.ask("edit", **params).data["errors"]
    assert [error["code"] for error in errors] == ["protectednamespace-interface", "blocked"]
    assert errors[1]["data"]["blockinfo"]["blockedby"] == "Boss"


def test_blocked_user_edits_nothing_until_the_block_ends(
    boss: Acting, ada: Acting, clock: Clock
) -> None:
    boss.do("block", user="Ada", expiry="1 day", allowusertalk="")
    answer = ada.ask("edit", title="Home", text="y")
    assert answer.codes == "blocked"
    info = answer.data["error"]["blockinfo"]
    assert (info["blockid"], info["blockedby"], info["blockpartial"]) == (1, "Boss", False)
    assert ada.edit("User talk:Ada") == ""
    clock.advance(days=2)
    assert ada.edit("Home") == ""
    assert boss.do("block", user="Ada")["expiry"] == "infinite"


def test_times_of_a_block_are_in_the_language_of_the_user(boss: Acting, ada: Acting) -> None:
    boss.do("block", user="Ada", expiry="1 day")
    error = ada.ask("edit", title="Home", text="y", uselang="de").data["error"]
    assert "1. Jan. 2026" in error["info"]
    assert error["blockinfo"]["blockedtimestampformatted"] == "12:00, 1. Jan. 2026"


def test_partial_block_forbids_its_pages_and_namespaces(boss: Acting, ada: Acting) -> None:
    done = boss.do(
        "block", user="Ada", partial="", pagerestrictions="Home", namespacerestrictions="4",
        allowusertalk="",
    )  # fmt: skip
    assert (done["pagerestrictions"], done["namespacerestrictions"]) == (["Home"], [4])
    assert ada.edit("Home") == ada.edit("Project:Rules") == "blocked"
    assert ada.edit("Elsewhere") == ada.edit("User talk:Ada") == ""
    params = log(boss)[0]["params"]
    assert params["sitewide"] is False
    assert params["restrictions"]["pages"] == [{"page_ns": 0, "page_title": "Home"}]
    assert params["restrictions"]["namespaces"] == [4]


def test_partial_block_forbids_actions(boss: Acting, ada: Acting) -> None:
    partial = {"user": "Ada", "partial": "", "allowusertalk": ""}
    answer = boss.ask("block", partial, actionrestrictions="create|move|sleep")
    assert answer.data["block"]["actionrestrictions"] == ["create", "move"]
    assert answer.warned == ["paramvalidator-unrecognizedvalues"]
    assert (ada.edit("New page"), ada.edit("Home")) == ("blocked", "")
    assert ada.refused("move", {"from": "Home", "to": "Elsewhere"}) == "blocked"
    assert log(boss)[0]["params"]["restrictions"] == {"actions": ["create", "move"]}
    assert boss.refused("block", partial, reblock="", actionrestrictions="sleep") == (
        "ipb-empty-block"
    )


@pytest.mark.parametrize("target", [ADDRESS, "192.0.2.0/24"])
def test_address_is_blocked_with_its_range(boss: Acting, site: Site, target: str) -> None:
    visitor, elsewhere = Acting(site), Acting(site, address="198.51.100.7")
    boss.do("block", user=target, anononly="")
    assert visitor.edit("Home") == "blocked"
    assert elsewhere.edit("Home") == Acting(site, "Ada").edit("Home", text="z") == ""
    boss.do("block", user=target, reblock="")
    assert Acting(site, "Ada").edit("Home") == "blocked"
    # Administrators are exempt from blocks of addresses.
    assert boss.edit("Home", text="by the boss") == ""
    boss.do("unblock", user=target)
    assert visitor.edit("Home", text="again") == ""


def test_range_is_spelled_by_its_first_address(boss: Acting, site: Site) -> None:
    assert boss.do("block", user="192.0.2.77/24")["user"] == "192.0.2.0/24"
    assert boss.refused("unblock", user="192.0.2.5") == "blockedasrange"
    assert boss.refused("unblock", user="192.0.0.0/8") == "cantunblock"
    [block] = boss.query(list="blocks", bkip="192.0.2.5")["blocks"]
    assert block["user"] == "192.0.2.0/24"


@pytest.mark.parametrize(
    ("target", "address"), [("10.1.0.0/16", "10.1.255.1"), ("2001::/19", "2001:1FFF::1")]
)
def test_widest_range_covers_its_last_addresses(
    boss: Acting, site: Site, target: str, address: str
) -> None:
    boss.do("block", user=target)
    assert Acting(site, address=address).edit("Home") == "blocked"
    assert len(boss.query(list="blocks", bkip=address)["blocks"]) == 1


def test_id_of_a_lifted_block_is_not_given_to_another_block(boss: Acting) -> None:
    first = boss.do("block", user="Ada")
    boss.do("unblock", id=str(first["id"]))
    assert boss.do("block", user="Bert")["id"] > first["id"]


def test_block_is_changed_only_when_that_is_asked_for(boss: Acting) -> None:
    boss.do("block", user="Ada", expiry="1 day")
    assert boss.refused("block", user="Ada", expiry="2 days") == "alreadyblocked"
    changed = boss.do("block", user="Ada", expiry="2 days", reblock="")
    assert (changed["id"], changed["expiry"]) == (1, "2026-01-03T12:00:00Z")
    assert boss.refused("block", user="Ada", expiry="2 days", reblock="") == "alreadyblocked"
    by_id = boss.do("block", id="1", expiry="never")
    assert (by_id["user"], by_id["expiry"]) == ("Ada", "infinite")
    assert [entry["action"] for entry in log(boss)] == ["reblock", "reblock", "block"]


def test_second_block_is_added_where_a_user_can_have_several(clock: Clock) -> None:
    site = writable_site(clock=clock, editing={"multiple_blocks": True})
    boss, ada = Acting(site, "Boss"), Acting(site, "Ada")
    partial = {"partial": "", "pagerestrictions": "Home", "allowusertalk": ""}
    assert boss.do("block", partial, user="Ada", newblock="")["id"] == 1
    assert boss.refused("block", partial, user="Ada", newblock="") == "alreadyblocked"
    second = boss.do("block", user="Ada", newblock="")
    assert second["id"] == 2
    assert boss.refused("block", user="Ada") == "alreadyblocked"
    assert boss.refused("block", user="Ada", reblock="", nocreate="") == "multiblocks-id-required"
    assert boss.refused("unblock", user="Ada") == "multiblocks-id-required"
    assert [entry["action"] for entry in log(boss)] == ["block", "block"]
    boss.do("block", id="2", nocreate="")
    boss.do("unblock", id="2")
    assert (ada.edit("Home"), ada.edit("New page")) == ("blocked", "")


def test_second_block_is_refused_elsewhere(boss: Acting) -> None:
    assert boss.do("block", user="Ada", newblock="")["id"] == 1
    assert boss.refused("block", user="Ada", newblock="", nocreate="") == "alreadyblocked"
    assert len(boss.query(list="blocks", bkusers="Ada")["blocks"]) == 1


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"user": "Nobody here"}, "nosuchuser"),
        ({"userid": "99"}, "nosuchuserid"),
        ({"user": "#99"}, "nosuchuser"),
        ({"id": "5"}, "nosuchblockid"),
        ({}, "missingparam"),
        ({"user": "Ada", "id": "5"}, "invalidparammix"),
        ({"id": "5", "reblock": ""}, "invalidparammix-cannotusewith"),
        ({"id": "0", "newblock": ""}, "invalidparammix-cannotusewith"),
        ({"user": "Ada", "newblock": "", "reblock": ""}, "invalidparammix-cannotusewith"),
        ({"user": "192.0.0.0/8"}, "ip_range_toolarge"),
        ({"user": "Ada", "expiry": "gibberish"}, "invalidexpiry"),
        ({"user": "Ada", "expiry": "2020-01-01T00:00:00Z"}, "ipb_expiry_old"),
        ({"user": "Ada", "expiry": "yesterday"}, "ipb_expiry_old"),
        ({"user": "Ada", "partial": ""}, "ipb-prevent-user-talk-edit"),
        ({"user": "Ada", "partial": "", "expiry": "yesterday"}, "ipb-prevent-user-talk-edit"),
        ({"user": "Ada", "partial": "", "allowusertalk": ""}, "ipb-empty-block"),
        ({"user": "Ada", "hidename": "", "expiry": "1 day"}, "ipb_expiry_temp"),
        ({"user": "192.0.2.1", "hidename": ""}, "ipb_hide_invalid"),
    ],
)
def test_block_that_cannot_be_made(boss: Acting, params: dict[str, str], code: str) -> None:
    assert boss.refused("block", params) == code


def test_hidden_name_is_logged_in_private(boss: Acting) -> None:
    assert boss.do("block", user="Ada", hidename="")["hidename"] is True
    assert log(boss) == []
    assert boss.query(list="recentchanges", rctype="log")["recentchanges"] == []


def test_a_long_reason_is_cut(boss: Acting) -> None:
    reason = f" {'x' * 600}"
    assert boss.do("block", user="Ada", reason=reason)["reason"] == reason
    [block] = boss.query(list="blocks", bkprop="reason")["blocks"]
    assert block["reason"] == f" {'x' * 496}..."
    assert log(boss)[0]["comment"] == f"{'x' * 497}..."
    assert boss.refused("block", user="Ada", reason=reason, reblock="") == "alreadyblocked"


def test_pages_of_a_block_must_exist(boss: Acting, ada: Acting) -> None:
    """Even if the block is not partial, and before all other checks."""
    missing = {"user": "Nobody here", "pagerestrictions": "Missing page", "expiry": "gibberish"}
    assert boss.refused("block", missing) == "missingtitle"
    assert ada.refused("block", missing) == "missingtitle"


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"user": "Nobody here"}, "cantunblock"),
        ({"user": "#99"}, "cantunblock"),
        ({"user": "#1"}, "cantunblock"),
        ({"userid": "99"}, "nosuchuserid"),
        ({"id": "99"}, "nosuchblockid"),
        ({"user": "192.0.2.1"}, "cantunblock"),
    ],
)
def test_blocks_that_are_not_there(boss: Acting, params: dict[str, str], code: str) -> None:
    assert boss.refused("unblock", params) == code


def test_names_are_hidden_by_few(site: Site, boss: Acting, ada: Acting) -> None:
    boss.do("userrights", user="Ada", add="sysop")
    assert Acting(site, "Ada").refused("block", user="Bert", hidename="") == "unblock-hideuser"
    boss.do("block", user="Robot", hidename="")
    assert Acting(site, "Ada").refused("unblock", id="1") == "unblock-hideuser"


def test_a_hidden_user_is_known_to_few(site: Site, boss: Acting) -> None:
    boss.do("userrights", user="Ada", add="sysop")
    ada, user_id = Acting(site, "Ada"), boss.query(list="users", ususers="Bert")["users"][0]
    boss.do("block", user="Bert", hidename="")
    for named in ({"user": "Bert"}, {"userid": str(user_id["userid"])}):
        assert ada.refused("block", named, reblock="", reason="x") == "cant-see-hidden-user"
        assert ada.refused("block", named, newblock="") == "cant-see-hidden-user"
        assert ada.refused("unblock", named) == "unblock-hideuser"
    assert ada.refused("block", id="1", reason="x") == "cant-see-hidden-user"
    assert ada.refused("unblock", id="1") == "unblock-hideuser"
    assert ada.refused("userrights", user="Bert", add="bot") == "nosuchuser"
    assert ada.refused("userrights", userid=str(user_id["userid"])) == "invaliduser"
    assert boss.do("userrights", user="Bert")["user"] == "Bert"


def test_a_hidden_user_is_unblocked_by_name(boss: Acting) -> None:
    boss.do("block", user="Bert", hidename="")
    assert boss.do("unblock", user="Bert")["user"] == "Bert"
    assert [entry["action"] for entry in log(boss)] == ["unblock"]
    assert [entry["action"] for entry in log(boss, "suppress")] == ["block"]


def test_nothing_is_logged_in_public_of_a_name_that_stays_hidden(clock: Clock) -> None:
    site = writable_site(clock=clock, editing={"multiple_blocks": True})
    boss = Acting(site, "Boss")
    boss.do("block", user="Bert", hidename="")
    boss.do("block", user="Bert", newblock="", partial="", noemail="", allowusertalk="")
    boss.do("userrights", user="Bert", add="bot")
    boss.do("unblock", id="2")
    names = [entry["action"] for entry in log(boss, "suppress")]
    assert names == ["unblock", "block", "block"]
    seen = boss.query(list="logevents", leprop="title|user")["logevents"]
    assert {entry.get("title") for entry in seen} == {"User:Bert"}
    for entry in Acting(site, "Ada").query(list="logevents", leprop="title|user")["logevents"]:
        assert "title" not in entry
    logged = {"list": "recentchanges", "rctype": "log", "rcprop": "title"}
    changes = Acting(site, "Ada").query(logged)["recentchanges"]
    assert {change.get("title") for change in changes} == {None}


def test_a_name_is_shown_again_when_the_block_no_longer_hides_it(
    site: Site, boss: Acting, ada: Acting
) -> None:
    assert Acting(site, "Bert").edit("Home", "by Bert") == ""
    query = {"list": "usercontribs", "ucuser": "Bert"}
    assert len(ada.query(query)["usercontribs"]) == 1
    boss.do("block", user="Bert", hidename="")
    assert ada.query(query)["usercontribs"] == []
    boss.do("block", user="Bert", reblock="", reason="x")
    assert len(ada.query(query)["usercontribs"]) == 1
    assert ada.query(list="blocks")["blocks"][0]["user"] == "Bert"


def test_a_hidden_user_stays_logged_in_and_blocked(site: Site, boss: Acting) -> None:
    bert = Acting(site, "Bert")
    boss.do("block", user="Bert", hidename="")
    assert bert.edit("Home", "by Bert") == "blocked"
    assert bert.query(meta="userinfo", uiprop="editcount")["userinfo"]["name"] == "Bert"


def test_mail_can_be_blocked_where_there_is_mail(boss: Acting) -> None:
    assert boss.do("block", user="Ada", noemail="")["noemail"] is True
    without = Acting(writable_site(editing={"email": False}), "Boss")
    assert without.refused("block", user="Ada", noemail="") == "cantblock-email"


def test_users_without_the_right_block_nobody(ada: Acting) -> None:
    assert ada.refused("block", user="Bert") == "permissiondenied"
    assert ada.refused("unblock", user="Bert") == "permissiondenied"
    assert ada.refused("unblock") == "missingparam"


def test_errors_name_the_missing_right_or_the_groups_that_have_it(ada: Acting) -> None:
    def error(action: str, **params: str) -> dict[str, Any]:
        [raw] = ada.ask(action, params, errorformat="raw").data["errors"]
        return {"code": raw["code"], "key": raw["key"], "params": raw["params"]}

    code = "permissiondenied"
    block, page = error("block", user="Bert"), error("delete", title="Home")
    assert (block["code"], block["key"]) == (code, "apierror-permissiondenied")
    assert (page["code"], page["key"], page["params"][1]) == (code, "badaccess-groups", 1)
    assert page["params"][0] == {"list": [{"plaintext": "sysop"}], "type": "comma"}


def test_blocked_administrator_unblocks_nobody_else(site: Site, boss: Acting) -> None:
    boss.do("userrights", user="Ada", add="sysop")
    boss.do("block", user="Bert")
    ada = Acting(site, "Ada")
    ada.do("block", user="Boss")
    assert boss.refused("unblock", user="Bert") == "ipbblocked"
    assert boss.refused("unblock", user="Nobody") == "ipbblocked"
    for name in ("Nobody", "192.0.2.0/4"):
        assert boss.refused("block", user=name) == "ipbblocked"
    assert boss.refused("unblock", id="77") == "nosuchblockid"
    error = boss.ask("unblock", user="Bert").data["error"]
    assert error["blockinfo"]["blockedby"] == "Ada"
    # As in MediaWiki, who may change all groups may do so even if blocked.
    boss.do("userrights", user="Ada", add="bot")
    boss.do("unblock", user="Boss")
    boss.do("unblock", user="Bert")


def test_autoblock_blocks_the_last_address(site: Site, boss: Acting, clock: Clock) -> None:
    ada, visitor = Acting(site, "Ada", "192.0.2.7"), Acting(site, "", "192.0.2.7")
    assert ada.edit("Home", "by Ada") == ""
    boss.do("block", user="Ada", autoblock="", reason="spam")
    assert visitor.edit("Home", "again") == "autoblocked"
    assert Acting(site, "Bert", "192.0.2.7").edit("Home", "again") == "autoblocked"
    assert Acting(site, "Boss", "192.0.2.7").edit("Home", "exempt") == ""
    assert Acting(site, "", "192.0.2.8").edit("Home", "elsewhere") == ""
    clock.advance(86_400)
    assert visitor.edit("Home", "a day later") == ""


def test_autoblock_follows_the_account(site: Site, boss: Acting, clock: Clock) -> None:
    boss.do("block", user="Ada", autoblock="", expiry="1 hour")
    assert Acting(site, "Ada", "192.0.2.7").edit("Home", "refused") == "blocked"
    visitor = Acting(site, "", "192.0.2.7")
    assert visitor.edit("Home", "refused") == "autoblocked"
    boss.do("block", user="Ada", reblock="")
    assert visitor.edit("Home", "no autoblocks any more") == ""
    boss.do("block", user="Ada", reblock="", autoblock="")
    assert Acting(site, "Ada", "192.0.2.7").edit("Home", "refused") == "blocked"
    boss.do("unblock", user="Ada")
    assert visitor.edit("Home", "no block any more") == ""
    tables = ("block", "block_target")
    assert [site.db.execute_sql(f"SELECT * FROM {table}") for table in tables] == [[], []]


@pytest.mark.parametrize(
    ("action", "params", "follows"),
    [
        ("edit", {"title": "Home", "text": "y"}, True),
        ("move", {"from": "Home", "to": "Elsewhere"}, True),
        ("purge", {"titles": "Home"}, False),
        ("changecontentmodel", {"title": "Home", "model": "text"}, False),
    ],
)
def test_autoblocks_follow_edits_and_moves(
    site: Site, boss: Acting, action: str, params: dict[str, str], follows: bool
) -> None:
    boss.do("userrights", user="Ada", add="sysop")
    boss.do("block", user="Ada", autoblock="")
    assert Acting(site, "Ada", "192.0.2.7").refused(action, params) == "blocked"
    visitor = Acting(site, "", "192.0.2.7")
    assert visitor.edit("Home", "again") == ("autoblocked" if follows else "")


def test_autoblocks_never_tell_the_address(site: Site, boss: Acting, ada: Acting) -> None:
    ada.edit("Home", "by Ada")
    boss.do("block", user="Ada", autoblock="")
    refused = Acting(site, "Bert").ask("edit", title="Home", text="x")
    listed = boss.query(list="blocks", bkprop="id|user|userid|reason|range|flags")["blocks"]
    [automatic] = [block for block in listed if block["automatic"]]
    assert refused.data["error"]["blockinfo"]["blockid"] == automatic["id"]
    lifted = boss.do("unblock", id=str(automatic["id"]))
    assert (lifted["user"], log(boss)[0]["title"]) == ("", f"User:#{automatic['id']}")
    assert ADDRESS not in str([listed, lifted, log(boss)])


def test_exempt_addresses_are_not_autoblocked(site: Site, boss: Acting) -> None:
    boss.edit("MediaWiki:Block-autoblock-exemptionlist", "* 192.0.2.0/28")
    boss.do("block", user="Ada", autoblock="")
    assert Acting(site, "Ada", "192.0.2.7").edit("Home", "refused") == "blocked"
    assert Acting(site, "", "192.0.2.7").edit("Home", "exempt") == ""


def test_several_blocks_are_one(site: Site, boss: Acting, ada: Acting) -> None:
    boss.do("block", user="Ada", reason="spam", expiry="1 hour")
    boss.do("block", user=ADDRESS, reason="proxy", nocreate="", noemail="")
    refused = ada.ask("edit", title="Home", text="x").data["error"]
    info = refused["blockinfo"]
    assert refused["code"] == "blocked"
    values = [info[name] for name in ("blockid", "blockedby", "blockexpiry")]
    assert values == [None, "", "infinite"]
    assert (info["blocknocreate"], info["blockemail"], info["blockpartial"]) == (True, True, False)
    assert [part["blockreason"] for part in info["blockcomponents"]] == ["spam", "proxy"]
    of_user = ada.query(meta="userinfo", uiprop="blockinfo")["userinfo"]
    assert len(of_user["blockcomponents"]) == 2


def test_blocks_are_tested_with_actions(boss: Acting, ada: Acting) -> None:
    def tested(detail: str) -> dict[str, Any]:
        query = {"intestactions": "read|edit|undelete", "intestactionsdetail": detail}
        [page] = ada.query(titles="Home", prop="info", **query)["pages"]
        actions: dict[str, Any] = page["actions"]
        return actions

    assert tested("boolean") == {"read": True, "edit": True, "undelete": False}
    boss.do("block", user="Ada", reason="spam")
    assert tested("boolean") == {"read": True, "edit": False, "undelete": False}
    full = tested("full")
    codes = {action: [error["code"] for error in errors] for action, errors in full.items()}
    assert codes == {
        "read": [],
        "edit": ["blocked"],
        "undelete": ["permissiondenied", "undelete-cantedit", "blocked"],
    }
    assert full["edit"][0]["data"]["blockinfo"]["blockreason"] == "spam"
    assert tested("quick")["edit"] == []


def test_ranges_are_not_watched(boss: Acting) -> None:
    for name in ("Ada", "192.0.2.0/24"):
        assert boss.do("block", user=name, watchuser="")["watchuser"] is True
    watched = boss.ask("query", list="watchlistraw").data["watchlistraw"]
    assert {page["title"] for page in watched} == {"User:Ada", "User talk:Ada"}


def test_the_log_names_the_page_of_the_user(boss: Acting) -> None:
    boss.edit("User:Ada")
    boss.do("block", user="Ada")
    boss.do("block", user="Bert")
    events = boss.query(list="logevents", letype="block", leprop="ids|title")["logevents"]
    assert [entry["logpage"] > 0 for entry in events] == [False, True]


def test_unblock_is_answered_and_logged(boss: Acting) -> None:
    boss.do("block", user="Ada")
    done = boss.do("unblock", user="Ada", reason="sorry")
    assert done == {"id": 1, "user": "Ada", "userid": 2, "reason": "sorry", "watchuser": False}
    assert boss.query(list="blocks")["blocks"] == []
    assert [entry["action"] for entry in log(boss)] == ["unblock", "block"]
    assert log(boss)[0]["params"] == {"blockId": 1}
    assert boss.refused("unblock", user="Ada") == "cantunblock"
    assert boss.refused("unblock", id="1") == "nosuchblockid"


def test_user_page_is_watched_if_wanted(boss: Acting) -> None:
    boss.do("block", user="Ada", watchuser="")
    watched = boss.ask("query", list="watchlistraw").data["watchlistraw"]
    assert [item["title"] for item in watched] == ["User:Ada", "User talk:Ada"]


def test_nothing_is_stored_of_a_block_that_fails_late(boss: Acting, site: Site) -> None:
    boss.refused("block", user="Ada", partial="")
    assert boss.query(list="blocks")["blocks"] == []
    assert log(boss) == []
