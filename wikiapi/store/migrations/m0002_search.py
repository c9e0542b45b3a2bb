"""The full-text index: words only, the texts stay where they are.

MediaWiki keeps a second copy of every text in an FTS3 table of this name. Ours is FTS5 over a view
of the latest texts, which takes a third of the space and is filled by one statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.store.database import Database

_VIEW = """
CREATE VIEW searchsource AS
SELECT page_id, page_title AS si_title, old_text AS si_text
FROM page
JOIN slots ON slot_revision_id = page_latest
JOIN slot_roles ON role_id = slot_role_id AND role_name = 'main'
JOIN content ON content_id = slot_content_id
JOIN text ON old_id = CAST(substr(content_address, 4) AS INTEGER)
"""

_INDEX = """
CREATE VIRTUAL TABLE searchindex USING fts5(
    si_title, si_text, content = 'searchsource', content_rowid = 'page_id', tokenize = 'unicode61'
)
"""


def apply(db: Database) -> None:
    """Create the index in the embedded store; the server databases have none."""
    if db.is_sqlite:
        db.raw(_VIEW)
        db.raw(_INDEX)
