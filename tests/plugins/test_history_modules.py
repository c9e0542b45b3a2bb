"""What holds of every list of people and history: secrets, numbers of queries, indexes, walks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.plugins.historywiki import HIDDEN_USER, SECRET
from tests.plugins.walking import walk, walk_within
from wikiapi.site import Site
from wikiapi.store.recording import QueryRecord
from wikiapi.testing import ask
from wikiapi.testing.conformance.queries import steps_of, whole_scans

EVERYTHING: dict[str, dict[str, str]] = {
    "allrevisions": {
        "list": "allrevisions",
        "arvprop": "ids|flags|timestamp|user|userid|size|sha1|comment|parsedcomment|content|tags",
        "arvslots": "*",
        "arvlimit": "max",
    },
    "alldeletedrevisions": {
        "list": "alldeletedrevisions",
        "adrprop": "ids|flags|timestamp|user|userid|size|sha1|slotsha1|tags|roles",
        "adrslots": "*",
        "adrlimit": "max",
    },
    "deletedrevisions": {
        "prop": "deletedrevisions",
        "titles": "Gone|Gone too|Talk:Gone|Alpha",
        "drvprop": "ids|flags|timestamp|user|userid|size|sha1|slotsha1|tags|roles",
        "drvslots": "*",
        "drvlimit": "max",
    },
    "usercontribs": {
        "list": "usercontribs",
        "ucuserprefix": "",
        "ucprop": "ids|title|timestamp|comment|parsedcomment|size|sizediff|flags|tags",
        "uclimit": "max",
    },
    "logevents": {
        "list": "logevents",
        "leprop": "ids|title|type|user|userid|timestamp|comment|parsedcomment|details|tags",
        "lelimit": "max",
    },
    "recentchanges": {
        "list": "recentchanges",
        "rcprop": "user|userid|comment|parsedcomment|flags|timestamp|title|ids|sizes|redirect"
        "|loginfo|tags|sha1",
        "rclimit": "max",
    },
    "tags": {"list": "tags", "tgprop": "displayname|description|hitcount", "tglimit": "max"},
}
QUERIES = {
    "allrevisions": 5,
    "alldeletedrevisions": 4,
    "deletedrevisions": 4,
    "usercontribs": 4,
    "logevents": 3,
    "recentchanges": 3,
    "tags": 2,
}
"""How many queries an answer with everything takes, however long it is."""
OPEN: dict[str, dict[str, str]] = {
    "deletedrevs": {
        "list": "deletedrevs",
        "drprop": "revid|user|userid|comment|parsedcomment|sha1|content|tags",
        "drlimit": "max",
    },
    "alldeletedrevisions": {
        **EVERYTHING["alldeletedrevisions"],
        "adrprop": "user|userid|comment|parsedcomment|content|sha1|slotsha1",
    },
    "recentchanges": EVERYTHING["recentchanges"],
    "logevents": EVERYTHING["logevents"],
}


@pytest.mark.parametrize("module", EVERYTHING)
def test_what_is_suppressed_is_never_shown(module: str, history_site: Site) -> None:
    answer = ask(history_site, {"action": "query", **EVERYTHING[module]})
    assert not answer.codes
    told = json.dumps(answer.data) + json.dumps(answer.version1)
    assert len(told) > 1000
    assert SECRET not in told
    assert HIDDEN_USER not in told


@pytest.mark.parametrize("module", OPEN)
def test_rights_for_deleted_data_do_not_include_suppressed_data(
    module: str, open_history_site: Site
) -> None:
    answer = ask(open_history_site, {"action": "query", **OPEN[module]})
    assert not answer.codes
    told = json.dumps(answer.data)
    assert "commenthidden" in told
    assert SECRET not in told
    assert HIDDEN_USER not in told


def recorded(site: Site, params: dict[str, str]) -> list[QueryRecord]:
    with site.db.recording() as log:
        assert not ask(site, {"action": "query", **params}).codes
    return log


@pytest.mark.parametrize("module", EVERYTHING)
def test_number_of_queries(module: str, history_site: Site) -> None:
    params = EVERYTHING[module]
    assert len(recorded(history_site, params)) == QUERIES[module]
    few = {name: "1" if value == "max" else value for name, value in params.items()}
    assert len(recorded(history_site, few)) <= QUERIES[module]


FILTERED = [
    {"list": "allrevisions", "arvuser": "Ada"},
    {"list": "allrevisions", "arvnamespace": "0", "arvcontinue": "20250101000000|1"},
    {"list": "alldeletedrevisions", "adrprop": "ids", "adruser": "Ada"},
    {"list": "alldeletedrevisions", "adrprop": "ids", "adrprefix": "G"},
    {"generator": "alldeletedrevisions", "gadrgeneratetitles": "1", "gadrdir": "newer"},
    {"list": "usercontribs", "ucuser": "Ada|Babbage"},
    {"list": "usercontribs", "ucuser": "Ada", "ucnamespace": "0", "ucshow": "top"},
    {"list": "usercontribs", "ucuserids": "1|2"},
    {"list": "usercontribs", "uciprange": "192.0.2.0/24"},
    {"list": "logevents", "letype": "block"},
    {"list": "logevents", "leaction": "move/move"},
    {"list": "logevents", "leuser": "Ada"},
    {"list": "logevents", "letitle": "Alpha"},
    {"list": "logevents", "lenamespace": "0"},
    {"list": "logevents", "letag": "good"},
    {"list": "recentchanges", "rcuser": "Ada"},
    {"list": "recentchanges", "rcnamespace": "0"},
    {"list": "recentchanges", "rcshow": "redirect"},
    {"list": "recentchanges", "rctoponly": "1"},
    {"list": "recentchanges", "rcslot": "main"},
    {"list": "recentchanges", "rctag": "good"},
]


@pytest.mark.parametrize("params", [*EVERYTHING.values(), *FILTERED], ids=str)
def test_every_query_uses_an_index(params: dict[str, str], history_site: Site) -> None:
    for record in recorded(history_site, params):
        assert not whole_scans(history_site.db, record), record.sql


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
    plan = steps_of(history_site.db, recorded(history_site, params)[0])
    assert not [step for step in plan if "TEMP B-TREE" in step], plan


STEPS = {
    "allrevisions": "arv",
    "logevents": "le",
    "recentchanges": "rc",
}


def items(answers: list[dict[str, Any]], module: str) -> list[Any]:
    """Return the items of a list; revisions one by one, each with the title of its page."""
    found = [item for answer in answers for item in answer["query"][module]]
    if module != "allrevisions":
        return found
    return [(page["title"], revision) for page in found for revision in page["revisions"]]


@pytest.mark.parametrize("module", STEPS)
@pytest.mark.parametrize("direction", ["newer", "older"])
def test_steps_of_one(module: str, direction: str, history_site: Site) -> None:
    prefix = STEPS[module]
    base = {"list": module, f"{prefix}dir": direction}
    whole = items(walk(history_site, base | {f"{prefix}limit": "max"}), module)
    steps = walk(history_site, base | {f"{prefix}limit": "1"})
    found = items(steps, module)
    assert len(steps) == len(found)
    if module == "allrevisions":
        found, whole = sorted(found, key=str), sorted(whole, key=str)
    assert found == whole
    assert len(found) > 5


@pytest.mark.parametrize("module", STEPS)
@pytest.mark.parametrize("size", [150, 250])
def test_a_full_answer_continues(module: str, size: int, history_site: Site) -> None:
    base = {"list": module, f"{STEPS[module]}limit": "max"}
    whole = items(walk(history_site, base), module)
    steps = walk_within(history_site, base, size)
    found = items(steps, module)
    if module == "allrevisions":
        found, whole = sorted(found, key=str), sorted(whole, key=str)
    assert len(steps) > 1
    assert found == whole


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


@pytest.mark.parametrize("module", STEPS)
@pytest.mark.parametrize(
    "position",
    ["", "x' OR 1=1--", "1|2|3", "20250101000000|1_0", "20250101000000|" + "9" * 5000, "٥|1", "|"],
)
def test_positions_that_no_answer_contained(module: str, position: str, history_site: Site) -> None:
    params = {"list": module, f"{STEPS[module]}continue": position}
    assert ask(history_site, {"action": "query", **params}).codes == "badcontinue"
