from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from wikiapi.store.database import Database
from wikiapi.store.queries import querycache


@pytest.fixture
def update(wikiapi: Callable[..., Result]) -> Callable[..., Result]:
    """Run the command on the store of a wiki with one page."""
    page = Path("pages", "main", "Tea.wikitext")
    page.parent.mkdir(parents=True)
    page.write_text("[[Cup]], [[Cup|cups]] and [[Pot]]")
    assert wikiapi("import", "pages").exit_code == 0
    return lambda *arguments: wikiapi("update-special-pages", *arguments)


@pytest.fixture
def db(update: Callable[..., Result]) -> Iterator[Database]:
    with closing(Database("sqlite:///wikiapi.sqlite")) as opened:
        yield opened


def test_all_lists(update: Callable[..., Result], db: Database) -> None:
    result = update()
    assert result.exit_code == 0, result.output
    assert "Wantedpages: 2 results.\n" in result.output
    assert [row.title for row in querycache.results(db, "Wantedpages", 5)] == ["Cup", "Pot"]
    assert querycache.updated(db, "Uncategorizedpages") is not None
    # An index serves this one at once.
    assert querycache.updated(db, "Longpages") is None


def test_one_list(update: Callable[..., Result], db: Database) -> None:
    assert update("--only", "Wantedpages").output == "Wantedpages: 2 results.\n"
    assert querycache.updated(db, "Uncategorizedpages") is None


def test_unknown_list(update: Callable[..., Result]) -> None:
    result = update("--only", "Longpages")
    assert result.exit_code == 2
    assert "'Longpages' is not one of Ancientpages" in result.output
