"""Targets are found one by one, by walking along them and by their titles."""

from __future__ import annotations

import pytest

from wikiapi.store.database import Database
from wikiapi.store.models import LinkTarget, PageLinks
from wikiapi.store.queries import links
from wikiapi.store.queries.links import next_targets

MANY = 3000


@pytest.fixture
def linked(wiki: Database) -> Database:
    """Create targets of two namespaces alternately, with several links each or none."""
    targets = range(10_000, 10_000 + MANY)
    wiki.insert_many(LinkTarget, [(n, 20 + n % 2, f"T{n}") for n in targets])
    rows = [(page, n, 0) for n in targets if n % 5 for page in (1, 2, 3)]
    wiki.insert_many(PageLinks, rows)
    return wiki


@pytest.mark.parametrize(
    ("titles", "first", "expected"),
    [
        ((None, None), 0, [10_002, 10_004, 10_006]),
        ((None, None), 10_005, [10_006, 10_008, 10_012]),
        (("T10100", None), 0, [10_102, 10_104, 10_106]),
        (("T12000", None), 0, [12_002, 12_004, 12_006]),
        (("T12994", "T12997"), 0, [12_994, 12_996]),
        ((None, "T10003"), 0, [10_002]),
        (("U", None), 0, []),
    ],
)
def test_the_next_targets(
    linked: Database, titles: tuple[str | None, str | None], first: int, expected: list[int]
) -> None:
    assert next_targets(linked, links.PAGES, 20, titles, 3, first=first) == expected


def test_one_query_finds_near_targets(linked: Database) -> None:
    with linked.recording() as log:
        next_targets(linked, links.PAGES, 20, (None, None), 3, first=10_000)
    assert len(log) == 1


def test_distant_targets_are_found_by_title(linked: Database) -> None:
    with linked.recording() as log:
        next_targets(linked, links.PAGES, 21, ("T12990", None), 3)
    assert "EXISTS" in log[-1].sql
