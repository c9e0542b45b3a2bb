"""Deleting pages. Their revisions are moved to the archive, from which they can be restored."""

from __future__ import annotations

from collections.abc import Sequence

from wikiapi.accounts.user import Performer
from wikiapi.pages.archive import archive
from wikiapi.pages.changelog import Changelog
from wikiapi.pages.derived import DerivedData
from wikiapi.pages.tags import tag_change
from wikiapi.store import PageRow
from wikiapi.store.models import ChangeTag, RecentChanges, SiteStats
from wikiapi.title import Title

_OF_LOG = "mw.log"


class PageRemover:
    """Deletes pages on behalf of a user. Call it in a transaction."""

    def __init__(self, performer: Performer) -> None:
        """Delete pages of the user's wiki."""
        self._performer = performer
        self._site, self._db = performer.site, performer.site.db

    def remove(
        self,
        title: Title,
        row: PageRow,
        reason: str,
        *,
        action: str = "delete",
        tags: Sequence[str] = (),
    ) -> int:
        """Delete a page and return the id of the log entry.

        Args:
            title: the title of the page.
            row: the row of the page.
            reason: the comment of the log entry.
            action: the action of the log entry.
            tags: change tags of the log entry.
        """
        archive(self._db, row.page_id, *title.key)
        DerivedData(self._site).remove_page(title, row.page_id)
        # MediaWiki counts a deletion as an edit.
        counted = SiteStats.update(
            ss_total_pages=SiteStats.ss_total_pages - 1,
            ss_total_edits=SiteStats.ss_total_edits + 1,
        )
        self._db.execute_write(counted)
        # Logged before its edits cease to be recent changes, so that their ids are not given out
        # again at once: clients continue after the last id that they have seen.
        entry_id = self.log_removal(title, row.page_id, reason, action=action, tags=tags)
        of_title = (RecentChanges.rc_namespace == title.ns) & (
            RecentChanges.rc_title == title.dbkey
        )
        edits = (
            of_title | (RecentChanges.rc_cur_id == row.page_id),
            RecentChanges.rc_source != _OF_LOG,
        )
        change_ids = RecentChanges.select(RecentChanges.rc_id).where(*edits)
        untagged = ChangeTag.update(ct_rc_id=None).where(ChangeTag.ct_rc_id.in_(change_ids))
        self._db.execute_write(untagged)
        self._db.execute_write(RecentChanges.delete().where(*edits))
        return entry_id

    def log_removal(
        self,
        title: Title,
        page_id: int,
        reason: str,
        *,
        action: str = "delete",
        tags: Sequence[str] = (),
    ) -> int:
        """Log the deletion of a page, or of a file without one, and return the entry's id."""
        entry_id = Changelog(self._performer).add_entry(
            "delete", action, title, page_id=page_id, reason=reason
        )
        tag_change(self._db, tags, log_id=entry_id)
        return entry_id
