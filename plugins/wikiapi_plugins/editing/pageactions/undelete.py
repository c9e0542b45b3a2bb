"""``action=undelete``."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from wikiapi.api import Obj
from wikiapi.dump.deletion import restore_revisions
from wikiapi.errors import ApiError
from wikiapi.i18n import Message
from wikiapi.store import PageRow
from wikiapi.store.models import Archive
from wikiapi.store.queries import pages, revisions
from wikiapi.store.queries.visibility import TEXT, is_hidden
from wikiapi.title import Title
from wikiapi_plugins.editing.action import WriteAction, refuse
from wikiapi_plugins.editing.files.pagefiles import PageFiles
from wikiapi_plugins.editing.histories import add_history
from wikiapi_plugins.editing.pages import parse_title
from wikiapi_plugins.editing.recording.changelog import Changelog
from wikiapi_plugins.editing.recording.tagging import tag_change
from wikiapi_plugins.editing.saving import PageWriter


class _Restored(NamedTuple):
    """The numbers of restored revisions and file versions."""

    revisions: int
    files: int = 0


class _Archived(NamedTuple):
    """A deleted revision. ``page_id`` is that of its former page, 0 if unknown."""

    rev_id: int
    page_id: int
    timestamp: str
    bits: int


class Undelete(WriteAction):
    """Restores deleted revisions of a page."""

    def perform(self) -> None:
        """Restore the revisions, and put their number into the result.

        Raises:
            ApiError: ``invalidtitle``, ``pagecannotexist``, ``cantundelete``, ``badtags``,
                ``undeleterevdel``, or the user may not restore them.
        """
        title = parse_title(self, self.p.text("title"))
        if title.namespace.is_virtual:
            raise ApiError.of("pagecannotexist", "apierror-pagecannotexist")
        row = pages.by_titles(self.db, [title.key]).get(title.key)
        self._check(title, row)
        talk = self._talk_page(title) if self.p.flag("undeletetalk") else None
        restored = self._restore_chosen(title, row)
        if not any(restored):
            raise ApiError.of("cantundelete", "apierror-cantundelete")
        self._log(title, restored, self.p.text("reason"))
        if talk is not None:
            self._restore_talk(talk)
        self.watch([title], "watchdefault")
        done = Obj(
            {
                "title": title.prefixed_text,
                "revisions": restored.revisions,
                "fileversions": restored.files,
                "reason": self.p.text("reason"),
            }
        )
        self.result.set((), self.name, done)

    def _restore_chosen(self, title: Title, row: PageRow | None) -> _Restored:
        """Restore the revisions and file versions that are named, or all if none are."""
        times, file_ids = self.p.texts("timestamps"), self.p.numbers("fileids")
        is_everything = not times and not file_ids
        files = 0
        if file_ids or is_everything:
            files = PageFiles(self).restore(title, file_ids or None)
        number = self._restore(title, row) if times or is_everything else 0
        return _Restored(number, files)

    def _check(self, title: Title, row: PageRow | None) -> None:
        self.check_allowed("undelete", title, row)
        if self.reasons_against("edit", title, row):
            refuse([Message("undelete-cantedit" if row else "undelete-cantcreate")])

    def _talk_page(self, title: Title) -> Title | None:
        """Return the talk page to restore as well; add a warning if there is none."""
        talk = self.site.titles.talk(title)
        if talk is None or title.namespace.is_talk:
            self.warn("undelete-error-associated-alreadytalk")
            return None
        if not self._archived(talk, ()):
            self.warn("undelete-error-associated-notdeleted")
            return None
        self._check(talk, pages.by_titles(self.db, [talk.key]).get(talk.key))
        return talk

    def _restore_talk(self, talk: Title) -> None:
        row = pages.by_titles(self.db, [talk.key]).get(talk.key)
        count = self._restore(talk, row, all_of_it=True)
        reason = self.p.text("reason")
        with_page = "Undeleted together with the associated page"
        self._log(
            talk, _Restored(count), f"{with_page} with reason: {reason}" if reason else with_page
        )

    def _archived(self, title: Title, timestamps: tuple[str, ...]) -> list[_Archived]:
        """Return deleted revisions, the newest first.

        Without timestamps, all deleted revisions of the title are returned.
        """
        conditions: list[Any] = [Archive.ar_namespace == title.ns, Archive.ar_title == title.dbkey]
        if timestamps:
            conditions.append(Archive.ar_timestamp.in_(list(timestamps)))
        columns = (Archive.ar_rev_id, Archive.ar_page_id, Archive.ar_timestamp, Archive.ar_deleted)
        query = Archive.select(*columns).where(*conditions)
        newest = query.order_by(Archive.ar_timestamp.desc(), Archive.ar_id.desc())
        return [
            _Archived(rev_id, page_id or 0, timestamp, bits)
            for rev_id, page_id, timestamp, bits in self.db.execute(newest)
        ]

    def _restore(self, title: Title, row: PageRow | None, *, all_of_it: bool = False) -> int:
        """Restore revisions of a page, which is created if needed; return how many there were.

        Each keeps its visibility bits.

        Raises:
            ApiError: ``undeleterevdel``, if the page would have a current text that is hidden.
        """
        found = self._archived(title, () if all_of_it else self.p.texts("timestamps"))
        if not found:
            return 0
        newest = found[0]
        is_latest = row is None or newest.timestamp > self._timestamp(row.latest)
        if is_latest and is_hidden(newest.bits, TEXT):
            raise ApiError.of("undeleterevdel", "undeleterevdel")
        page_id = row.page_id if row else self._free_page_id(newest.page_id)
        owners = {revision.rev_id: page_id for revision in found}
        restore = partial(restore_revisions, self.db, owners)
        add_history(self.context, title, row, page_id, restore)
        return len(owners)

    def _timestamp(self, revision_id: int) -> str:
        return revisions.timestamps(self.db, [revision_id]).get(revision_id, "")

    def _free_page_id(self, former: int) -> int:
        """Return the former id of the page, or a new one if another page has it now."""
        if former and former not in pages.by_ids(self.db, [former]):
            return former
        return PageWriter(self.context).next_page_id()

    def _log(self, title: Title, restored: _Restored, reason: str) -> None:
        row = pages.by_titles(self.db, [title.key]).get(title.key)
        entry_id = Changelog(self.context).add_entry(
            "delete",
            "restore",
            title,
            page_id=row.page_id if row else 0,
            reason=reason,
            params={":assoc:count": restored._asdict()},
        )
        tag_change(self.db, self.p.texts("tags"), log_id=entry_id)
