"""Hostile titles, values, numbers, positions and patterns in queries, and hidden data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.plugins.linkwiki import HIDDEN_USER, SECRET
from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi_plugins.query.search import QUERY_PAGES

PAGES = [page.name for page in QUERY_PAGES]

BAD_TITLES = {
    "%00": "title-invalid-characters",
    "\x00": "title-invalid-utf8",
    "\udcff\udcfe": "title-invalid-utf8",
    "a" * 300: "title-invalid-too-long",
    "<": "title-invalid-characters",
    "Talk:": "title-invalid-empty",
    "../x": "title-invalid-relative",
    ":": "title-invalid-empty",
    "~~~~": "title-invalid-magic-tilde",
}
BAD_INTEGERS = ["9" * 20, "9" * 5000, "1_0", "٥", "1\n", " 7", "0x1", str(2**63), "", "1.0", "+-1"]
BAD_POSITIONS = [
    "x' OR 1=1--",
    "1|" + "9" * 20,
    "9" * 20 + "|1",
    "1|2|3|4|5",
    "٥|1",
    "1_0|1",
    "|",
    "0|Alpha|" + "9" * 5000,
    "20240101000000|1\n",
]


# Where a title stands in the position, any text may.
def query(site: Site, **params: str) -> Any:
    return ask(site, {"action": "query", **params})


@pytest.mark.parametrize("title", BAD_TITLES)
def test_titles(title: str, query_site: Site) -> None:
    answer = query(query_site, titles=title)
    assert not answer.codes
    page = answer.data["query"]["pages"][0]
    assert page["invalid"] is True
    reason = query_site.messages.catalog.template(BAD_TITLES[title], "en")
    assert reason is not None
    assert page["invalidreason"].startswith(reason.partition("$")[0])


def test_too_many_values(query_site: Site) -> None:
    answer = query(query_site, titles="|".join(f"T{n}" for n in range(60)))
    assert answer.codes == "toomanyvalues"


def test_values_that_hold_the_separator(query_site: Site) -> None:
    pages = query(query_site, titles="\x1fAlpha\x1fa|b").data["query"]["pages"]
    assert [page["title"] for page in pages] == ["a|b", "Alpha"]


@pytest.mark.parametrize("value", BAD_INTEGERS)
@pytest.mark.parametrize("name", ["pageids", "revids", "rvstartid", "apminsize"])
def test_integers(name: str, value: str, query_site: Site) -> None:
    more = {"rvstartid": {"prop": "revisions"}, "apminsize": {"list": "allpages"}}.get(name, {})
    answer = query(query_site, **{name: value}, **more)
    if value == "" and name in ("pageids", "revids"):
        assert not answer.codes
    else:
        assert answer.codes == "badinteger"


@pytest.mark.parametrize("value", ["9223372036854775807", "-9223372036854775808"])
def test_the_largest_integers_are_harmless(value: str, query_site: Site) -> None:
    page = query(query_site, pageids=value).data["query"]["pages"][0]
    assert page == {"pageid": int(value), "missing": True}
    assert query(query_site, revids=value).data["query"]["badrevids"]


@pytest.mark.parametrize(("limit", "number"), [("-1", 1), ("0", 1), ("501", 11)])
def test_limits_are_clamped_with_a_warning(limit: str, number: int, query_site: Site) -> None:
    answer = query(query_site, list="alllinks", allimit=limit)
    assert len(answer.data["query"]["alllinks"]) == number
    assert answer.warned == ["paramvalidator-outofrange-minmax"]


@pytest.mark.parametrize("position", BAD_POSITIONS)
def test_bad_positions_of_pages(position: str, query_site: Site) -> None:
    answer = query(query_site, prop="info", titles="Alpha", incontinue=position)
    assert answer.codes == ("" if position == "1|" + "9" * 20 else "badcontinue")


@pytest.mark.parametrize("position", ["x' OR 1=1--", "%", "_", '"', "\\"])
def test_titles_as_positions_are_bound_values(position: str, query_site: Site) -> None:
    everything = query(query_site, list="allpages").data["query"]["allpages"]
    answer = query(query_site, list="allpages", apcontinue=position)
    assert not answer.codes
    titles = [page["title"] for page in answer.data["query"]["allpages"]]
    assert titles == [p["title"] for p in everything if p["title"].replace(" ", "_") >= position]


@pytest.mark.parametrize("prefix", ["%", "A_", "A%", "Al_ha"])
def test_prefixes_of_titles_hold_no_wildcards(prefix: str, query_site: Site) -> None:
    answer = query(query_site, list="allpages", apprefix=prefix)
    assert answer.data.get("query", {}).get("allpages", []) == []


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
    answer = query(link_site, list="search", srsearch=text, srwhat=what)
    assert answer.codes == ""
    assert isinstance(answer.data["query"]["search"], list)


@pytest.mark.parametrize("position", ["x' OR 1=1--", "9" * 20, "1|2", "٥", "1_0", "|", "1\n"])
@pytest.mark.parametrize(("module", "prefix"), [("search", "sr"), ("prefixsearch", "ps")])
def test_places_in_results_are_numbers(
    module: str, prefix: str, position: str, link_site: Site
) -> None:
    params = {"list": module, f"{prefix}search": "A", f"{prefix}offset": position}
    assert query(link_site, **params).codes == "badinteger"


@pytest.mark.parametrize("text", ["%", "_", "A%", "[[", "\x00", "\ud800", ":", "Talk:|", "*"])
def test_prefixes_hold_no_wildcards(text: str, link_site: Site) -> None:
    answer = query(link_site, list="prefixsearch", pssearch=text)
    assert answer.data["query"]["prefixsearch"] == []


@pytest.mark.parametrize("pattern", ["%", "_", "example%", "*.%", "*.exa_ple.org"])
def test_patterns_of_addresses_hold_no_other_wildcards(pattern: str, link_site: Site) -> None:
    answer = query(link_site, list="exturlusage", euquery=pattern)
    assert answer.data["query"]["exturlusage"] == []


@pytest.mark.parametrize("page", PAGES)
def test_special_pages_for_maintenance(page: str, link_site: Site) -> None:
    with link_site.db.recording() as log:
        answer = query(link_site, list="querypage", qppage=page)
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
    answer = query(link_site, **params)
    text = json.dumps(answer.data, ensure_ascii=False)
    assert answer.codes == ""
    assert SECRET not in text.lower()
    assert SECRET[1:] not in text
