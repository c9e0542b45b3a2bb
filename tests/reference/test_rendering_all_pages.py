"""Real content: every page of the reference wiki's dump and of the demo wiki renders.

``alike_pages.json`` lists the pages that were as MediaWiki renders them when this was last counted:
they have to stay so. A page that has been recorded since may differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from examples import demo_store
from tests.reference import material
from tests.reference.imported import imported
from wikiapi.factory import open_site
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.testing import Answer, ask

pytestmark = pytest.mark.slow

FACTS = "text|langlinks|categories|links|templates|images|externallinks|sections|iwlinks|properties"
ALIKE = frozenset(
    json.loads((Path(__file__).parent / "alike_pages.json").read_text(encoding="utf-8"))
)
SHARE = 0.9
"""So many of the recorded pages are the same, even though a dump holds neither files nor users."""


def page_ids(db: Database) -> list[int]:
    return [number for (number,) in db.execute_sql("SELECT page_id FROM page ORDER BY page_id")]


def rendered(site: Site, **params: str) -> Answer:
    return ask(site, {"action": "parse", "disablelimitreport": "1", "prop": FACTS, **params})


def errors(site: Site) -> dict[int, str]:
    """Return the errors by page."""
    answers = {number: rendered(site, pageid=str(number)) for number in page_ids(site.db)}
    return {number: answer.codes for number, answer in answers.items() if answer.codes}


@pytest.fixture(scope="module")
def imported_wiki() -> Iterator[Site]:
    if not material.available():
        pytest.skip(material.MISSING)
    with imported() as site:
        yield site


@pytest.fixture(scope="module")
def answers(imported_wiki: Site) -> dict[int, Answer]:
    return {
        number: rendered(imported_wiki, pageid=str(number)) for number in page_ids(imported_wiki.db)
    }


def test_no_page_of_the_dump_has_an_internal_error(answers: dict[int, Answer]) -> None:
    assert len(answers) > 400
    assert {number: answer.codes for number, answer in answers.items() if answer.codes} == {}


def test_pages_stay_as_recorded(
    imported_wiki: Site, answers: dict[int, Answer], record_property: Callable[[str, object], None]
) -> None:
    check = material.load_check()
    differing: dict[str, list[str]] = {}
    count = 0
    for _, case in check.cases("pages", str(material.RECORDED)):
        if case["params"].get("formatversion") == "2":
            continue
        want: dict[str, Any] = case["steps"][0]["json"]["parse"]
        got = answers[want["pageid"]].version1["parse"]
        count += 1
        fields = [
            name for name in got if list(check.differences(want[name], got[name], f"parse.{name}"))
        ]
        if fields:
            differing[want["title"]] = fields
    record_property("differing", differing)
    assert {title: fields for title, fields in differing.items() if title in ALIKE} == {}
    assert len(differing) <= (1 - SHARE) * count


def test_no_page_of_the_demo_wiki_has_an_internal_error(tmp_path: Path) -> None:
    config = demo_store.configure(tmp_path, "http://127.0.0.1:8080")
    with closing(Database(config.database.url, read_only=True)) as db:
        site = open_site(config, database=db)
        assert len(page_ids(db)) > 10
        assert errors(site) == {}
