"""Hostile numbers, positions, patterns and hidden data, for lists of links and users."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.plugins.linkwiki import HIDDEN_USER, SECRET
from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi_plugins.query.search import QUERY_PAGES

PAGES = [page.name for page in QUERY_PAGES]


def query(site: Site, params: dict[str, str]) -> Any:
    return ask(site, {"action": "query", **params})


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


@pytest.mark.parametrize("position", ["x' OR 1=1--", "9" * 20, "1|2", "٥", "1_0", "|", "1\n"])
@pytest.mark.parametrize(("module", "prefix"), [("search", "sr"), ("prefixsearch", "ps")])
def test_places_in_results_are_numbers(
    module: str, prefix: str, position: str, link_site: Site
) -> None:
    params = {"list": module, f"{prefix}search": "A", f"{prefix}offset": position}
    assert query(link_site, params).codes == "badinteger"


@pytest.mark.parametrize("text", ["%", "_", "A%", "[[", "\x00", "\ud800", ":", "Talk:|", "*"])
def test_prefixes_hold_no_wildcards(text: str, link_site: Site) -> None:
    answer = query(link_site, {"list": "prefixsearch", "pssearch": text})
    assert answer.data["query"]["prefixsearch"] == []


@pytest.mark.parametrize("pattern", ["%", "_", "example%", "*.%", "*.exa_ple.org"])
def test_patterns_of_addresses_hold_no_other_wildcards(pattern: str, link_site: Site) -> None:
    answer = query(link_site, {"list": "exturlusage", "euquery": pattern})
    assert answer.data["query"]["exturlusage"] == []


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
