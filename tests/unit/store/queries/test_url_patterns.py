from __future__ import annotations

from collections.abc import Iterator

import pytest

from wikiapi.store.database import Database
from wikiapi.store.models import ExternalLinks
from wikiapi.store.queries.externallinks import matching, split_url, url_of
from wikiapi.store.schema import migrate

WEB = ("http://", "https://")
URLS = (
    "https://example.org/",
    "http://example.org/a/b?c",
    "https://www.example.org/a",
    "https://example.org:8080/",
    "https://example.organic/",
    "mailto:ada@example.org",
    "mailto:bob@example.org",
)


@pytest.fixture(scope="module")
def db() -> Iterator[Database]:
    made = Database("sqlite:///:memory:")
    migrate.upgrade(made)
    columns = ("el_from", "el_to_domain_index", "el_to_path")
    made.insert_many(ExternalLinks, [(1, *split_url(url)) for url in URLS], columns)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("pattern", "protocols", "indexes"),
    [
        ("example.org", WEB, [0, 1]),
        ("EXAMPLE.org", WEB, [0, 1]),
        ("example.org", ("https://",), [0]),
        ("*.example.org", WEB, [0, 1, 2, 3]),
        ("example.org/a", WEB, [1]),
        ("example.org/a*", WEB, [1]),
        ("example.org:8080", WEB, [3]),
        ("*.org/a", WEB, [1, 2]),
        ("*", ("http://",), [1]),
        ("ada@example.org", ("mailto:",), [5]),
        ("%.org", WEB, []),
        ("_xample.org", WEB, []),
    ],
)
def test_matching(
    pattern: str, protocols: tuple[str, ...], indexes: list[int], db: Database
) -> None:
    condition = matching(pattern, protocols)
    query = ExternalLinks.select(ExternalLinks.el_to_domain_index, ExternalLinks.el_to_path)
    rows = db.execute(query.where(condition).order_by(ExternalLinks.el_id))
    assert [url_of(*row) for row in rows] == [URLS[index] for index in indexes]


@pytest.mark.parametrize("pattern", ["", "  ", "a*b.org", "example.org/a*b"])
def test_no_pattern(pattern: str) -> None:
    assert matching(pattern, WEB) is None
