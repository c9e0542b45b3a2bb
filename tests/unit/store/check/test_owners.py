from __future__ import annotations

from wikiapi.store.check import references
from wikiapi.store.database import Database


def test_pages_by_what_belongs_to_them(db: Database) -> None:
    assert references.pages(db, [1, 9]) == {1: (0, "Alpha")}
    assert references.of_revisions(db, [1, 2, 99]) == {1: (0, "Alpha"), 2: (0, "Alpha")}
    content = db.execute_sql("SELECT slot_content_id FROM slots WHERE slot_revision_id = 1")[0][0]
    assert references.of_contents(db, [content, 99]) == {content: (0, "Alpha")}
