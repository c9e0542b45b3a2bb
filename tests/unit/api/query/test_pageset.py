"""Page sets from titles, ids and revisions, as ``action=query`` shows them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import cases
from wikiapi.api.query.loader import PageSetLoader
from wikiapi.errors import InvalidTitle
from wikiapi.site import Site
from wikiapi.testing import ask

pytestmark = pytest.mark.wiki(
    {
        "Alpha": ["first", "second"],
        "Beta": "beta",
        "Old": "#REDIRECT [[Alpha]]",
        "Older": "#REDIRECT [[Old]]",
        "Section": "#REDIRECT [[Beta#Part one]]",
        "Loop A": "#REDIRECT [[Loop B]]",
        "Loop B": "#REDIRECT [[Loop A]]",
        "Narcissus": "#REDIRECT [[Narcissus]]",
        "Away": "#REDIRECT [[de:Ziel]]",
        "Broken": "#REDIRECT [[Nowhere]]",
    },
    files=["A.png"],
    interwiki={"de": "https://de.example/wiki/$1"},
)


@pytest.mark.parametrize("case", cases("api/pagesets.json"))
def test_page_set(site: Site, case: dict[str, Any]) -> None:
    # In this form a reason is its code, in the form bc a text.
    answer = ask(site, {"action": "query", "errorformat": "none"} | case["ask"])
    if "error" in case:
        assert answer.codes == case["error"]
        return
    if "pages" in case:
        reasons = {
            number: [page["title"], page["invalidreason"]["code"]]
            for number, page in answer.version1["query"]["pages"].items()
            if page["invalid"] == ""
        }
        assert reasons == case["pages"]
        return
    query = answer.data.get("query")
    for page in (query or {}).get("pages", []):
        if "invalid" in page:
            page["invalidreason"] = page["invalidreason"]["code"]
    assert query == case["query"]
    assert answer.data["batchcomplete"] is True
    assert [key for key in answer.warned if key != "apiwarn-badutf8"] == case.get("warned", [])


@pytest.mark.parametrize("case", cases("api/pagesets.json"))
def test_both_versions_tell_the_same_pages(site: Site, case: dict[str, Any]) -> None:
    answer = ask(site, {"action": "query"} | case["ask"])
    one = answer.version1.get("query", {}).get("pages", {})
    two = answer.data.get("query", {}).get("pages", [])
    titles = [(page.get("title"), page.get("pageid")) for page in two]
    assert [(one[k].get("title"), one[k].get("pageid")) for k in sorted(one, key=int)] == titles


@pytest.mark.parametrize(
    ("params", "count"),
    [
        ({}, 0),
        ({"titles": "<|Special:Version|de:Foo"}, 0),
        ({"titles": "Alpha"}, 1),
        ({"titles": "|".join(f"Page {n}" for n in range(50))}, 1),
        ({"titles": "Alpha|Beta|M1|Talk:M2|Old", "redirects": ""}, 2),
        ({"titles": "Older", "redirects": ""}, 5),
        ({"titles": "Loop A", "redirects": ""}, 4),
        ({"pageids": "1|2|3|999"}, 1),
        ({"pageids": "0|-1"}, 0),
        ({"revids": "1|2|3|999"}, 1),
    ],
)
def test_number_of_queries(site: Site, params: dict[str, str], count: int) -> None:
    with site.db.recording() as queries:
        ask(site, {"action": "query"} | params)
    assert len(queries) == count


@given(st.lists(st.text(), max_size=20))
def test_every_text_is_accounted_for(site: Site, texts: list[str]) -> None:
    page_set = PageSetLoader(site).load_texts(texts)
    invalid_texts = {page.text for page in page_set.invalid.values()}
    titles = [*page_set.titles.values(), *page_set.missing.values(), *page_set.special.values()]
    spelled = {title.prefixed_text for title in titles} | set(page_set.interwiki) | {""}
    for text in texts:
        assert text in invalid_texts or page_set.normalized.get(text, text) in spelled


@given(st.text())
def test_any_titles_parameter_is_answered(site: Site, titles: str) -> None:
    answer = ask(site, {"action": "query", "titles": titles})
    assert answer.codes in ("", "toomanyvalues")


def test_fake_ids_are_given_in_order(site: Site) -> None:
    page_set = PageSetLoader(site).load_texts(["<", "Special:Version", "M1", "Talk:M2", "M3"])
    assert list(page_set.invalid) == [-1]
    assert list(page_set.special) == [-2]
    assert {n: title.text for n, title in page_set.missing.items()} == {
        -3: "M1",
        -4: "M3",
        -5: "M2",
    }


def test_empty_and_requested_revisions(site: Site) -> None:
    assert PageSetLoader(site).load_texts(["de:X", "#x"]).is_empty
    assert not PageSetLoader(site).load_texts(["<"]).is_empty
    assert PageSetLoader(site).load_revisions([1]).wanted_revisions
    assert PageSetLoader(site).load_revisions([99]).wanted_revisions
    assert not PageSetLoader(site).load_ids([1]).wanted_revisions


def test_ids_by_key(site: Site) -> None:
    page_set = PageSetLoader(site).load_texts(["Alpha", "Talk:M2"])
    assert page_set.ids_by_key() == {(0, "Alpha"): 1, (1, "M2"): -1}


def test_redirect_without_a_row_stands_for_itself(make_site: Any) -> None:
    from wikiapi.store.models import Redirect

    site = make_site({"A": "#REDIRECT [[B]]"})
    site.db.execute_write(Redirect.delete())
    data = ask(site, {"action": "query", "titles": "A", "redirects": ""}).data
    assert data["query"] == {"pages": [{"pageid": 1, "ns": 0, "title": "A"}]}


def test_page_of_a_namespace_that_is_gone(make_site: Any) -> None:
    from wikiapi.store.models import Page

    site = make_site({"A": "a"})
    site.db.execute_write(Page.update(page_namespace=3000))
    (page,) = ask(site, {"action": "query", "pageids": "1"}).data["query"]["pages"]
    assert page == {"pageid": 1, "ns": 3000, "title": "Namespace 3000:A"}


def test_reason_is_a_text_in_the_form_bc(site: Site) -> None:
    (page,) = ask(site, {"action": "query", "titles": "<"}).data["query"]["pages"]
    with pytest.raises(InvalidTitle) as caught:
        site.titles.parse("<")
    assert page["invalidreason"] == site.messages.text(caught.value.message, "en")
