"""The number of database queries of each module is fixed, however many pages there are."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases import cases
from wikiapi.site import Site
from wikiapi.testing import ask

FEW = "Alpha"
MANY = "Alpha|Beta|Gamma|Delta|Missing page|Help:Editing|Template:Infobox|Category:Letters"


def queries(site: Site, params: dict[str, str]) -> list[str]:
    assert not site.is_miser, "this is found out once for each wiki"
    with site.db.recording() as log:
        answer = ask(site, {"action": "query", **params})
    assert not answer.codes
    return [record.sql for record in log]


@pytest.mark.parametrize("case", cases("query/query_counts.json"))
def test_number_of_queries(case: dict[str, Any], query_site: Site) -> None:
    params = case["params"]
    assert len(queries(query_site, params | {"titles": MANY})) == case["queries"]
    assert len(queries(query_site, params | {"titles": FEW})) <= case["queries"]


@pytest.mark.parametrize(
    "module", ["alltransclusions", "alllinks", "allfileusages", "allredirects", "allpages"]
)
def test_lists_take_one_query(module: str, query_site: Site) -> None:
    assert len(queries(query_site, {"list": module})) == 1


@pytest.mark.parametrize(
    ("params", "number"),
    [
        ({"generator": "alltransclusions"}, 2),
        ({"generator": "allpages"}, 1),
        ({"generator": "links", "titles": MANY}, 3),
        ({"generator": "linkshere", "titles": MANY}, 3),
        ({"titles": "Gamma|Template:Old", "redirects": ""}, 3),
        ({"titles": "Gamma double", "redirects": ""}, 5),
        ({"titles": MANY, "export": ""}, 5),
        ({"prop": "revisions", "titles": "Alpha", "rvlimit": "5", "rvstartid": "3"}, 3),
    ],
)
def test_page_sets(params: dict[str, str], number: int, query_site: Site) -> None:
    assert len(queries(query_site, params)) == number
