from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.models import Page
from wikiapi.store.refining import refinable

if TYPE_CHECKING:
    from wikiapi.store.database import Database


def test_refining_leaves_the_beginning_as_it_was(db: Database) -> None:
    built = []

    @refinable
    def select() -> Any:
        built.append(1)
        return Page.select(Page.page_id)

    first = select(Page.page_title).where(Page.page_id == 1).order_by(Page.page_id).limit(1)
    joined = select().join(Page.alias(), on=(Page.page_id == Page.page_id))
    assert built == [1]
    plain = 'SELECT "t1"."page_id" FROM "page" AS "t1"'
    assert select().sql() == (plain, [])
    assert first.sql()[0].startswith('SELECT "t1"."page_id", "t1"."page_title"')
    assert "JOIN" in joined.sql()[0]
    assert [len(row) for row in db.rows(first)] in ([], [2])
