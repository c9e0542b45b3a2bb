"""``action=undelete``."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from wikiapi.api import (
    REASON,
    TAGS,
    WATCHLIST,
    Obj,
    WriteAction,
    boolean,
    integer,
    parse_title,
    refuse_blocked,
    string,
    timestamp,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.pages import Changelog, PageWriter, add_history, restore_revisions, tag_change
from wikiapi.store import PageRow
from wikiapi.store.models import Archive, SiteStats
from wikiapi.store.queries import pages, revisions, visibility
from wikiapi.title import Title
from wikiapi_plugins.editing.files.pagefiles import PageFiles


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
    """Restore revisions of a deleted page."""

    name = "undelete"
    position = 28
    params = (
        string("title", "Title of the page.", required=True),
        REASON,
        TAGS,
        timestamp("timestamps", "Revisions to restore; all when none are given.", multi=True),
        integer("fileids", "File versions to restore; all when none are given.", multi=True),
        boolean("undeletetalk", "Restore the talk page as well."),
        *WATCHLIST,
    )
    examples = (
        ("action=undelete&title=Main%20Page&token=123ABC&reason=Restoring", "Restore a page"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Undelete",)

    def perform(self) -> None:
        """Restore the revisions, and put their number into the result.

        Raises:
            ApiError: ``invalidtitle``, ``pagecannotexist``, ``cantundelete``, ``badtags``,
                ``undeleterevdel``, or the user may not restore them.
        """
        refuse_blocked(self.context, self.name)
        title = parse_title(self, self.p.text("title"))
        if title.namespace.is_virtual:
            raise ApiError("pagecannotexist", "apierror-pagecannotexist")
        row = pages.by_titles(self.db, [title.key]).get(title.key)
        self.check_allowed("undelete", title, row)
        talk = self._talk_page(title) if self.p.flag("undeletetalk") else None
        restored = self._restore_chosen(title, row)
        if not any(restored):
            # The number of files may have changed all the same.
            self.failure = ApiError("cantundelete", "apierror-cantundelete")
            return
        self._log(title, restored, self.p.text("reason"))
        if talk is not None:
            talk_row = pages.by_titles(self.db, [talk.key]).get(talk.key)
            count = self._restore(talk, talk_row, all_of_it=True)
            say, reason = self.site.messages.content_text, Plain(self.p.text("reason"))
            self._log(talk, _Restored(count), say("undelete-talk-summary-prefix", reason))
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

    def _talk_page(self, title: Title) -> Title | None:
        """Return the talk page to restore as well; add a warning if there is none."""
        talk = self.site.titles.talk(title)
        if talk is None or title.namespace.is_talk:
            self.warn("undelete-error-associated-alreadytalk")
            return None
        if not self._archived(talk, ()):
            self.warn("undelete-error-associated-notdeleted")
            return None
        self.check_allowed("undelete", talk, pages.by_titles(self.db, [talk.key]).get(talk.key))
        return talk

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
        archived = self._archived(title, () if all_of_it else self.p.texts("timestamps"))
        if not archived:
            return 0
        newest = archived[0]
        is_latest = row is None or newest.timestamp > revisions.timestamps(
            self.db, [row.latest]
        ).get(row.latest, "")
        if is_latest and visibility.is_hidden(newest.bits, visibility.TEXT):
            raise ApiError("undeleterevdel", "undeleterevdel")
        page_id = row.page_id if row else newest.page_id
        if row is None and (not page_id or page_id in pages.by_ids(self.db, [page_id])):
            page_id = PageWriter(self.context.performer).next_page_id()
        owners = {revision.rev_id: page_id for revision in archived}
        restore = partial(restore_revisions, self.db, owners)
        add_history(self.context.performer, title, row, page_id, restore)
        if is_latest:  # As in MediaWiki, a page that has another text now was edited.
            counted = SiteStats.update(ss_total_edits=SiteStats.ss_total_edits + 1)
            self.db.execute_write(counted)
        return len(owners)

    def _log(self, title: Title, restored: _Restored, reason: str) -> None:
        row = pages.by_titles(self.db, [title.key]).get(title.key)
        entry_id = Changelog(self.context.performer).add_entry(
            "delete",
            "restore",
            title,
            page_id=row.page_id if row else 0,
            reason=reason,
            params={":assoc:count": restored._asdict()},
        )
        tag_change(self.db, self.p.texts("tags"), log_id=entry_id)
