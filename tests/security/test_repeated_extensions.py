"""Row 76 of the hostile inputs: extensions that read pages or make much of little, repeated."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.budget import Allowance
from wikiapi.errors import BudgetExceeded
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient
from wikiapi.title import Title
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor

PAGES = {
    "Long": "<section begin=a />x<section end=a />" + "<nowiki>y</nowiki>" * 2000 + "\n== H ==\nz",
    "Template:Box": "<infobox><data source='a'><label>b</label></data></infobox>",
    **{f"Member {number}": f"[[Category:C]]== H ==\n{number}" for number in range(3)},
}


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    return make_site(PAGES)


def steps_of(site: Site, text: str) -> float:
    """Return the steps that parsing a text takes."""
    allowance = Allowance(steps=1_000_000)
    with site.budgets.begin(allowance) as budget:
        site.parser.parse(text, site.titles.parse("X"))
        return allowance.steps * (1 - budget.shares_left()["steps"])


@pytest.mark.parametrize("call", ["{{#section:Long|a}}", "{{#section-x:Long|a}}"])
def test_each_search_for_a_section_counts_the_nodes_of_the_page(site: Site, call: str) -> None:
    once, often = steps_of(site, call), steps_of(site, call * 101)
    assert (often - once) / 100 > 250


def test_each_search_for_a_heading_counts(site: Site) -> None:
    call = "{{#section-h:Long|H}}"
    short = "{{#section-h:Member 1|H}}"
    assert steps_of(site, call * 101) - steps_of(site, short * 101) > 500


def test_each_part_that_a_list_includes_counts_the_length_of_the_page(
    make_site: Callable[..., Site],
) -> None:
    counts = []
    for length in (0, 200_000):
        site = make_site({"A": "[[Category:C]]" + "x" * length})
        counts.append(steps_of(site, "{{#dpl:category=C|include=#a,#b,#c,#d}}"))
    assert counts[1] - counts[0] > 4 * 190


def test_the_data_of_boxes_is_encoded_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []
    real = json.dumps

    def dumps(value: Any, **options: Any) -> str:
        text = real(value, **options)
        encoded.append(len(text))
        return text

    monkeypatch.setattr("wikiapi_plugins.extensions.portableinfobox.tag.json.dumps", dumps)
    output = site.parser.parse("{{Box|a=1}}" * 50, site.titles.parse("X"))
    assert len(json.loads(output.properties["infoboxes"])) == 50
    assert sum(encoded) < 2 * len(output.properties["infoboxes"])


def test_a_page_that_is_refused_is_not_expanded_again(
    make_site: Callable[..., Site],
) -> None:
    site = make_site({"Heavy": "{{Lots}}" * 3, "Template:Lots": "==a==\n" * 3000},
                     config={"limits": {"request_bytes": 2_000_000}})  # fmt: skip
    client = ApiClient(make_app(site))
    expanded: list[Title] = []
    parse = site.parser.parse

    def noting(text: str, title: Title, *args: Any) -> Any:
        expanded.append(title)
        return parse(text, title, *args)

    site.parser.__dict__["parse"] = noting
    for _ in range(3):
        error = client.get(action="parse", page="Heavy")["error"]
        assert error["code"] == "internal_api_error_BudgetExceeded"
    assert len(expanded) == 1


def test_a_result_that_is_too_large_to_be_inserted_is_not_parsed(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, lengths = Preprocessor.read, []

    def watched(preprocessor: Preprocessor, text: str, *, inclusion: bool = False) -> Any:
        lengths.append(len(text))
        return read(preprocessor, text, inclusion=inclusion)

    monkeypatch.setattr(Preprocessor, "read", watched)
    before = "[[x]]" * 150_000
    output = site.parser.parse(f"{{{{#dpl:category=C|format=,{before},,}}}}", site.main_page)
    assert "Pages where template include size is exceeded" in " ".join(output.categories).replace(
        "_", " "
    )
    assert max(lengths) <= site.config.limits.article_size


def test_what_a_list_repeats_for_each_page_is_charged(site: Site) -> None:
    text = f"{{{{#dpl:category=C|itemattr={'x' * 100_000}}}}}"
    with (
        site.budgets.begin(Allowance(kept_bytes=250_000)),
        pytest.raises(BudgetExceeded),
    ):
        site.parser.parse(text, site.titles.parse("X"))
