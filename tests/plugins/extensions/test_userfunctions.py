from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.plugins.rendering import words_of
from wikiapi.accounts.user import User
from wikiapi.site import Site
from wikiapi.store.models import Block, BlockTarget, UserProperties
from wikiapi.store.models import User as UserRow
from wikiapi.store.queries.users import by_names
from wikiapi.testing import DeclaredUser, ask

HERE = {"extensions": {"userfunctions": {"namespaces": [0]}}}
USERS = ["Admin", "Plain", "Vandal"]
PERSONAL_DATA = {"extensions": {"userfunctions": {"namespaces": [0], "personal_data": True}}}


def site_with(make_site: Callable[..., Site], config: dict[str, Any]) -> Site:
    users = [DeclaredUser("Admin", ("sysop",)), "Plain", "Vandal"]
    site = make_site({"Page": "{{#ifanon:visitor|account}}"}, users=users, config=config)
    ids = {row.name: row.user_id for row in by_names(site.db, USERS).values()}
    personal = {"user_real_name": "Ad Minister</p>", "user_email": "a@example.org"}
    site.db.execute_write(UserRow.update(**personal).where(UserRow.user_id == ids["Admin"]))
    site.db.insert_many(
        UserProperties,
        [(ids["Admin"], "nickname", "Sig <b>")],
        ("up_user", "up_property", "up_value"),
    )
    block(site, ids["Vandal"])
    return site


def block(site: Site, user_id: int) -> None:
    site.db.insert_many(BlockTarget, [(1, user_id)], ("bt_id", "bt_user"))
    site.db.insert_many(
        Block,
        [(1, 1, 1, 1, "20240101000000", "infinity")],
        ("bl_id", "bl_target", "bl_by_actor", "bl_reason_id", "bl_timestamp", "bl_expiry"),
    )


def as_user(name: str) -> User | None:
    return User(name, frozenset({"read"}), USERS.index(name) + 1) if name else None


def paragraph_for(site: Site, user: str, text: str) -> str:
    params = {"action": "parse", "text": text, "contentmodel": "wikitext", "prop": "text"}
    answer = ask(site, {**params, "disablelimitreport": "1"}, user=as_user(user))
    html: str = answer.data["parse"]["text"]
    return html.partition("<p>")[2].partition("\n")[0]


@pytest.mark.parametrize(
    ("user", "text", "expected"),
    [
        ("", "{{#ifanon:a|b}}{{#ifsysop:a|b}}{{#ifblocked:a|b}}", "abb"),
        ("", "{{#ifingroup:sysop, user|a|b}}{{#ifingroup:*|a|b}}", "ba"),
        ("Admin", "{{#ifanon:a|b}}{{#ifsysop:a|b}}{{#ifblocked:a|b}}", "bab"),
        ("Admin", "{{#ifingroup:bot,SYSOP|a|b}}{{#ifingroup:user|a|b}}", "aa"),
        ("Plain", "{{#ifsysop:a|b}}{{#ifingroup:sysop|a|b}}", "bb"),
        ("Vandal", "{{#ifblocked:a|b}}", "a"),
    ],
)
def test_tests(make_site: Callable[..., Site], user: str, text: str, expected: str) -> None:
    assert paragraph_for(site_with(make_site, HERE), user, text) == expected


@pytest.mark.parametrize(
    ("user", "text", "expected"),
    [
        (
            "Admin",
            "{{#username:x}} {{#nickname:x}} ({{#realname:x}}{{#useremail:x}})",
            "Admin Sig &lt;b&gt; (Ad Minister&lt;/p&gt;a@example.org)",
        ),
        ("", "{{#username:x}}{{#nickname:x}}{{#realname:x}}{{#useremail:x}}{{#ip:x}}", "xxxxx"),
        ("", "{{#username:}} {{#ip:}} {{#nickname:}}", "127.0.0.1 127.0.0.1 127.0.0.1"),
        ("", "({{#realname:}}{{#useremail:}})", "()"),
    ],
)
def test_personal_data(make_site: Callable[..., Site], user: str, text: str, expected: str) -> None:
    assert paragraph_for(site_with(make_site, PERSONAL_DATA), user, text) == expected


def test_personal_data_is_off_by_default(make_site: Callable[..., Site]) -> None:
    site = site_with(make_site, HERE)
    text = "{{#username:}}{{#useremail:}}"
    assert paragraph_for(site, "Admin", text) == text


def test_in_other_namespaces_they_are_no_functions(make_site: Callable[..., Site]) -> None:
    site = make_site({})
    assert words_of(site, "{{#ifanon:a|b}}") == "{{#ifanon:a|b}}"
    assert words_of(site, "{{#ifanon:a|b}}", title="MediaWiki:X") == "a"


def test_no_user_sees_what_was_rendered_for_another(make_site: Callable[..., Site]) -> None:
    site = site_with(make_site, HERE)
    request = {"action": "parse", "page": "Page", "prop": "text"}
    for user, word in (("", "visitor"), ("Admin", "account"), ("", "visitor")):
        assert word in ask(site, request, user=as_user(user)).data["parse"]["text"]


def test_expanded_wikitext(make_site: Callable[..., Site]) -> None:
    site = site_with(make_site, HERE)
    request = {"action": "expandtemplates", "text": "{{#ifanon:a|b}}", "prop": "wikitext"}
    answer = ask(site, request, user=as_user("Plain"))
    assert answer.data["expandtemplates"]["wikitext"] == "b"
