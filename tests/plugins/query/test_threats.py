"""Hostile numbers, positions, patterns and hidden data, for lists of links and users."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.plugins.linkwiki import HIDDEN_USER, SECRET
from tests.plugins.query.walked import WALKED, Walked
from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi.testing.conformance.queries import steps_of, whole_scans
from wikiapi_plugins.query.search import QUERY_PAGES

BAD_POSITIONS = [
    "x' OR 1=1--",
    "1|" + "9" * 20,
    "9" * 20 + "|1",
    "1|2|3|4|5",
    "٥|1",
    "1_0|1",
    "|",
    "||||||||",
    "page|zz|1",
    "20240101000000|1\n",
    "20240101000000|" + "9" * 5000,
]
NAMED = {"allcategories", "pagepropnames", "trackingcategories", "exturlusage"}
"""Lists whose position is a name: any text may stand there."""
PLACES = {"iwbacklinks", "langbacklinks"}
"""Lists whose position begins with two texts."""
COUNTED = {"search": "sroffset", "prefixsearch": "psoffset"}
PAGES = [page.name for page in QUERY_PAGES]
QUERIES = [
    *(case.query() for case in WALKED if case.name != "search"),
    *({"prop": module, "titles": "Alpha|Beta|Category:Letters"} for module in (
        "categoryinfo", "contributors", "extlinks", "iwlinks", "langlinks", "pageprops",
    )),
    {"list": "exturlusage", "euquery": "*.example.org"},
    {"list": "random", "rnlimit": "5"},
    {"list": "users", "ususers": "Ada|Babbage", "usprop": "groups|blockinfo|gender|emailable"},
    {"list": "blocks", "bkip": "198.51.100.7"},
    {"list": "allusers", "auprop": "rights|blockinfo", "augroup": "sysop"},
    {"list": "search", "srsearch": "lorem", "srwhat": "text"},
]  # fmt: skip


def query(site: Site, params: dict[str, str]) -> Any:
    return ask(site, {"action": "query", **params})


@pytest.mark.parametrize("position", BAD_POSITIONS)
@pytest.mark.parametrize("case", WALKED, ids=lambda case: f"{case.name} {case.params}")
def test_bad_positions(case: Walked, position: str, link_site: Site) -> None:
    if case.name in COUNTED:
        answer = query(link_site, case.query() | {COUNTED[case.name]: position})
        assert answer.codes == "badinteger"
    elif case.name in NAMED:
        answer = query(link_site, case.query(**{"continue": position}))
        assert answer.codes in ("", "badcontinue")
    elif case.name != "allusers":
        answer = query(link_site, case.query(**{"continue": position}))
        harmless = case.name in PLACES and position == "page|zz|1"
        assert answer.codes == ("" if harmless else "badcontinue")


@pytest.mark.parametrize(
    "text",
    ['"', "a AND", "NEAR(", "NEAR/2", "a OR b", "*", "-a", "-", "a*b", "%" * 60_000, '"a', "col:a",
     "si_title:alpha", "^a", "{a}", "a\x00b", "(", ")", "a" * 60_000, "'" * 5000, "- -", '""',
     "intitle:Alpha", "all:", "Talk:", "\ud800", "' OR 1=1 --", "ÄÖ ß", "alpha -", "+alpha",
     " ".join(f"w{n}" for n in range(5000))],
    ids=lambda text: text[:20].encode("unicode_escape").decode(),
)  # fmt: skip
@pytest.mark.parametrize("what", ["title", "text", "nearmatch"])
def test_nothing_typed_is_an_error(what: str, text: str, link_site: Site) -> None:
    answer = query(link_site, {"list": "search", "srsearch": text, "srwhat": what})
    assert answer.codes == ""
    assert isinstance(answer.data["query"]["search"], list)


@pytest.mark.parametrize("text", ["%", "_", "A%", "[[", "\x00", "\ud800", ":", "Talk:|", "*"])
def test_prefixes_hold_no_wildcards(text: str, link_site: Site) -> None:
    answer = query(link_site, {"list": "prefixsearch", "pssearch": text})
    assert answer.data["query"]["prefixsearch"] == []


@pytest.mark.parametrize("pattern", ["%", "_", "example%", "*.%", "*.exa_ple.org"])
def test_patterns_of_addresses_hold_no_other_wildcards(pattern: str, link_site: Site) -> None:
    answer = query(link_site, {"list": "exturlusage", "euquery": pattern})
    assert answer.data["query"]["exturlusage"] == []


@pytest.mark.parametrize("params", QUERIES, ids=str)
def test_every_query_uses_an_index(params: dict[str, str], link_site: Site) -> None:
    assert link_site.db.full_text
    with link_site.db.recording() as log:
        assert not query(link_site, params).codes
    assert log
    for record in log:
        steps = steps_of(link_site.db, record)
        scans = whole_scans(link_site.db, record)
        # A table may be walked in the order of its key, which an index would not make shorter.
        is_sorted = any("TEMP B-TREE" in step for step in steps)
        assert not scans or (not is_sorted and "LIMIT" in record.sql), (steps, record.sql)


@pytest.mark.parametrize("page", PAGES)
def test_special_pages_for_maintenance(page: str, link_site: Site) -> None:
    with link_site.db.recording() as log:
        answer = query(link_site, {"list": "querypage", "qppage": page})
    if answer.codes:
        assert answer.codes == "specialpage-cantexecute"
        assert log == []
    else:
        assert answer.data["query"]["querypage"]["name"] == page
        # Whether the wiki is in miser mode, and what is listed.
        assert len(log) <= 2


@pytest.mark.parametrize("params", QUERIES, ids=str)
def test_what_is_hidden_is_not_shown(params: dict[str, str], link_site: Site) -> None:
    told = json.dumps(query(link_site, params).data, ensure_ascii=False)
    assert SECRET not in told
    assert HIDDEN_USER not in told


@pytest.mark.parametrize(
    "params",
    [
        {"list": "users", "ususerids": "4", "usprop": "blockinfo|groups"},
        {"list": "allusers", "aufrom": "Hid", "auto": "Hie", "auprop": "blockinfo"},
        {"list": "blocks", "bkusers": HIDDEN_USER},
        {"list": "blocks", "bkids": "4"},
        {"list": "protectedtitles", "ptprop": "user"},
        {"list": "filearchive", "fafrom": SECRET, "faprop": "sha1|user|size|archivename"},
        {"prop": "contributors", "titles": "Suppressed"},
        {"list": "search", "srsearch": "text", "srwhat": "text"},
    ],
    ids=str,
)
def test_who_is_hidden_is_found_by_nothing(params: dict[str, str], link_site: Site) -> None:
    answer = query(link_site, params)
    told = json.dumps(answer.data, ensure_ascii=False)
    assert answer.codes == ""
    assert SECRET not in told.lower()
    assert SECRET[1:] not in told
