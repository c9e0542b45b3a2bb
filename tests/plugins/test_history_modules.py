"""Deleted data, sorting and generators of history, besides what the conformance suite checks."""

from __future__ import annotations

import json

import pytest

from tests.plugins.historywiki import HIDDEN_USER, SECRET
from tests.plugins.walking import walk
from wikiapi.site import Site
from wikiapi.store.recording import QueryRecord
from wikiapi.testing import ask
from wikiapi.testing.conformance.queries import steps_of

OPEN: dict[str, dict[str, str]] = {
    "deletedrevs": {
        "list": "deletedrevs",
        "drprop": "revid|user|userid|comment|parsedcomment|sha1|content|tags",
        "drlimit": "max",
    },
    "alldeletedrevisions": {
        "list": "alldeletedrevisions",
        "adrprop": "user|userid|comment|parsedcomment|content|sha1|slotsha1",
        "adrslots": "*",
        "adrlimit": "max",
    },
    "recentchanges": {
        "list": "recentchanges",
        "rcprop": "user|userid|comment|parsedcomment|flags|timestamp|title|ids|sizes|redirect"
        "|loginfo|tags|sha1",
        "rclimit": "max",
    },
    "logevents": {
        "list": "logevents",
        "leprop": "ids|title|type|user|userid|timestamp|comment|parsedcomment|details|tags",
        "lelimit": "max",
    },
}


@pytest.mark.parametrize("module", OPEN)
def test_rights_for_deleted_data_do_not_include_suppressed_data(
    module: str, open_history_site: Site
) -> None:
    answer = ask(open_history_site, {"action": "query", **OPEN[module]})
    assert not answer.codes
    text = json.dumps(answer.data)
    assert "commenthidden" in text
    assert SECRET not in text
    assert HIDDEN_USER not in text


def queries_of(site: Site, params: dict[str, str]) -> list[QueryRecord]:
    with site.db.recording() as log:
        assert not ask(site, {"action": "query", **params}).codes
    return log


WALKED = [
    {"list": "allrevisions"},
    {"list": "allrevisions", "arvuser": "Ada", "arvdir": "newer"},
    {"list": "usercontribs", "ucuser": "Ada", "ucnamespace": "0", "ucshow": "top"},
    {"list": "logevents"},
    {"list": "logevents", "ledir": "newer"},
    {"list": "recentchanges"},
    {"list": "recentchanges", "rcdir": "newer"},
]


@pytest.mark.parametrize("params", WALKED, ids=str)
def test_walks_along_time_sort_nothing(params: dict[str, str], history_site: Site) -> None:
    plan = steps_of(history_site.db, queries_of(history_site, params)[0])
    assert not [step for step in plan if "TEMP B-TREE" in step], plan


STEPS = {
    "allrevisions": "arv",
    "logevents": "le",
    "recentchanges": "rc",
}


GENERATORS = {
    "allrevisions": {},
    "allrevisions of pages": {"garvgeneratetitles": "1"},
    "recentchanges": {"grctype": "new|edit"},
    "recentchanges as revisions": {"grcgeneraterevisions": "1"},
}


@pytest.mark.parametrize("name", GENERATORS)
def test_generators_find_all_pages(name: str, history_site: Site) -> None:
    module = name.split(" ")[0]
    prefix = f"g{STEPS[module]}"
    base = {"generator": module, "prop": "info", **GENERATORS[name]}
    small = walk(history_site, base | {f"{prefix}limit": "3"})
    titles = {p["title"] for answer in small for p in answer.get("query", {}).get("pages", ())}
    assert titles == {"Alpha", "Beta", "Gamma", "Talk:Alpha", "Suppressed"}
