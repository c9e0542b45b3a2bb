"""What is suppressed cannot be told apart from anything else that might be suppressed in its place.

Two wikis differ only in what nobody may see: names, texts, comments, checksums. Every request gets
the same reply from both, also one that guesses the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.plugins.historywiki import history_wiki
from tests.plugins.linkwiki import link_wiki
from tests.plugins.querywiki import query_wiki
from tests.security.everyrequest import api_reply, api_requests, web_reply, web_requests
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess
from wikiapi.site import Site
from wikiapi.store.queries.visibility import COMMENT, TEXT
from wikiapi.testing.client import ELSEWHERE, ApiClient

SECRET = "idden-from-everybody"
"""Without its first letter, which is a capital in the names of users."""
OTHER = "idden-from-everybodz"
"""As long, and sorted to the same places."""
WIKIS = {"links": link_wiki, "history": history_wiki, "query": query_wiki}
TEXTS = ("Suppressed", "Hidden-from-everybody")
SEARCHED = ("hidden-from-everybody", "Special:Contributions/Hidden-from-everybody")
SHOWN = {("filearchive", "fa_name"), ("filearchive", "fa_archive_name")}
"""What is never suppressed."""
VISITOR: dict[str, Any] = {}
TRUSTED = {
    "permissions": {
        "anonymous_rights": ["read", "deletedhistory", "deletedtext", "undelete", "patrolmarks"]
    }
}
"""May see what is deleted, but not what is suppressed."""
CASES = [
    ("links", "visitor"),
    ("links", "trusted"),
    ("history", "visitor"),
    ("history", "trusted"),
    ("query", "visitor"),
]


def changed(site: Site) -> None:
    """Put other secrets in the place of the secrets, wherever they are stored."""
    for table, column in _text_columns(site):
        site.db.execute_sql(
            f'UPDATE "{table}" SET "{column}" = replace("{column}", ?, ?)'
            f' WHERE instr("{column}", ?)',
            (SECRET, OTHER, SECRET),
        )
    for table, name in (("revision", "rev"), ("archive", "ar"), ("filearchive", "fa")):
        sha1 = f"{name}_sha1"
        site.db.execute_sql(
            f"UPDATE {table} SET {sha1} = 'z' || substr({sha1}, 2) WHERE {name}_deleted & {TEXT}"
        )


def synchronised(site: Site) -> None:
    """Synchronise recent changes and comments with hidden revisions and files."""
    hidden = "SELECT rev_deleted FROM revision WHERE rev_id = rc_this_oldid"
    site.db.execute_sql(f"UPDATE recentchanges SET rc_deleted = ({hidden}) WHERE rc_this_oldid > 0")
    site.db.execute_sql(
        f"UPDATE filearchive SET fa_deleted = fa_deleted | {COMMENT} WHERE fa_deleted > 0"
    )


def restricted(site: Site) -> None:
    """Hide everything from administrators as well."""
    for table, column in (
        ("revision", "rev_deleted"),
        ("archive", "ar_deleted"),
        ("logging", "log_deleted"),
        ("recentchanges", "rc_deleted"),
        ("filearchive", "fa_deleted"),
    ):
        site.db.execute_sql(f"UPDATE {table} SET {column} = {column} | 8 WHERE {column} > 0")


def _text_columns(site: Site) -> Iterator[tuple[str, str]]:
    tables = site.db.execute_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    shadows = ("_content", "_segments", "_segdir", "_docsize", "_stat", "_data", "_idx", "_config")
    for table, _ in tables:
        if table.startswith("sqlite_") or table.endswith(shadows):
            continue
        for row in site.db.execute_sql(f'PRAGMA table_info("{table}")'):
            if (table, row[1]) not in SHOWN:
                yield table, row[1]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: "-".join(case))
def both(request: pytest.FixtureRequest) -> Iterator[tuple[Site, Site]]:
    name, rights = request.param
    make: Callable[[Any], Site] = WIKIS[name]
    config = {"http": {"secret_key": "k"}, **(TRUSTED if rights == "trusted" else VISITOR)}
    sites = make(config), make(config)
    for site in sites:
        synchronised(site)
    if rights == "trusted":
        for site in sites:
            restricted(site)
    changed(sites[1])
    yield sites
    for site in sites:
        site.db.close()


def test_no_request_tells_what_is_suppressed(both: tuple[Site, Site]) -> None:
    actual, expected = (ApiClient(make_app(site)) for site in both)
    differing = [
        params
        for params in api_requests(both[0], TEXTS)
        if api_reply(actual, params) != api_reply(expected, params)
    ]
    assert differing == []


def test_no_page_shows_what_is_suppressed(both: tuple[Site, Site]) -> None:
    actual, expected = (InProcess(make_app(site), ELSEWHERE) for site in both)
    differing = [
        asked
        for asked in web_requests((*TEXTS, *SEARCHED))
        if web_reply(actual, *asked) != web_reply(expected, *asked)
    ]
    assert differing == []


def test_the_same_requests_tell_what_is_not_suppressed() -> None:
    """Otherwise the others would prove nothing."""
    sites = history_wiki(), history_wiki()
    changed(sites[1])
    for site in sites:
        for table, name in (("revision", "rev"), ("logging", "log"), ("recentchanges", "rc")):
            site.db.execute_sql(f"UPDATE {table} SET {name}_deleted = 0")
    actual, expected = (ApiClient(make_app(site)) for site in sites)
    params = {
        "action": "query",
        "list": "allrevisions",
        "arvprop": "user|comment",
        "arvlimit": "99",
    }
    assert api_reply(actual, params) != api_reply(expected, params)
    params = {"action": "parse", "oldid": "8", "prop": "text"}
    assert api_reply(actual, params) != api_reply(expected, params)
    for site in sites:
        site.db.close()
