"""Saving revisions, with their recent changes, tags, log entries and derived data."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from wikiapi.accounts.user import Performer
from wikiapi.pages.changelog import Changelog
from wikiapi.pages.derived import DerivedData
from wikiapi.pages.reverts import Reverted, tag_revert
from wikiapi.pages.summaries import cut_summary
from wikiapi.pages.tags import tag_change
from wikiapi.store import CompiledQuery, PageRow
from wikiapi.store.models import Archive, ChangeTag, Page, Revision
from wikiapi.store.queries import pages
from wikiapi.store.queries.visibility import RESTRICTED, TEXT
from wikiapi.store.write import search
from wikiapi.store.write.counts import PageCounts, count
from wikiapi.store.write.ids import insert_new, next_id
from wikiapi.store.write.revisions import (
    NewRevision,
    NewSlot,
    RevisionWriter,
    sha1_base36,
    share_slots,
)
from wikiapi.texts import cut_comment
from wikiapi.title import Title
from wikiapi.title.contentmodel import WIKITEXT, default_model

_MAIN = "main"


@dataclass(frozen=True, slots=True)
class NewText:
    """A text to save, and how to record the revision."""

    text: str
    model: str
    summary: str = ""
    reason: str = ""
    """The summary without an automatic one: the reason in the log of content models."""
    is_minor: bool = False
    is_bot: bool = False
    tags: tuple[str, ...] = field(default=())
    skips_recent_changes: bool = False
    """Whether recent changes omit the revision, because they list a log entry for it."""
    is_logged: bool = True
    """Whether a new page gets an entry in the log of creations."""
    counts_for_author: bool = True
    """Whether the revision counts as an edit of its author: not if it follows another change."""
    reverted: Reverted | None = None
    """The revisions that it reverts."""
    is_null: bool = False
    """Whether the revision changes nothing.

    It shares all slots with the latest revision of the page, hidden or not; ``text`` is not used.
    It does not count as an edit in the wiki's statistics.
    """


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved revision. ``change_id`` is 0 if recent changes omit it."""

    page_id: int
    revision_id: int
    parent_id: int
    timestamp: str
    is_new_page: bool
    change_id: int


class PageWriter:
    """Saves texts on behalf of a user. Call it in a transaction."""

    def __init__(self, performer: Performer, changelog: Changelog | None = None) -> None:
        """Write into the user's wiki.

        ``changelog`` may have the ids of the user and of the summary already.
        """
        self._performer = performer
        self._site, self._db = performer.site, performer.site.db
        self._changelog = changelog or Changelog(performer)

    def find(self, title: Title) -> PageRow | None:
        """Return the row of a page; ``None`` if it does not exist. One query.

        Nobody else changes it until the transaction ends.
        """
        return pages.locked(self._db, title.key)

    def save(self, title: Title, row: PageRow | None, new: NewText) -> Saved:
        """Save a text as the latest revision of a page, which is created if there is no row."""
        page_id = row.page_id if row else self._new_page(title, new)
        writer = self._revision_writer()
        revision = self._revision(page_id, row, new, writer.next_revision)
        counts = None
        if row and (row.content_model or WIKITEXT) != new.model:
            counts = PageCounts(self._db, self._site.namespaces.content, [], [page_id])
        with search.reindexing(self._db, page_id, is_new=row is None):
            revision = self._add(writer, revision)
            self._set_latest(revision, new, is_new=row is None)
        if counts:
            counts.update()
        saved = self._record(title, row, revision, new)
        if row is None and new.is_logged:
            entry_id = self._changelog.add_entry(
                "create",
                "create",
                title,
                page_id=page_id,
                reason=revision.comment,
                revision_id=revision.rev_id,
                is_public=False,
            )
            if new.tags:
                # The entry shares the tags of the revision: who removes them removes both.
                shared = ChangeTag.update(ct_log_id=entry_id)
                self._db.execute_write(shared.where(ChangeTag.ct_rev_id == revision.rev_id))
            if new.model != default_model(title):
                self._changelog.add_entry(
                    "contentmodel",
                    "new",
                    title,
                    page_id=page_id,
                    reason=new.reason,
                    params={"4::oldmodel": False, "5::newmodel": new.model},
                )
        DerivedData(self._site).page_changed(
            title, existed=row is not None, is_edited=not new.is_null
        )
        return saved

    def rename(self, old: Title, row: PageRow, to: Title, new: NewText) -> Saved:
        """Give a page another title, and save a revision that records it."""
        counts = PageCounts(self._db, self._site.namespaces.content, [], [row.page_id])
        writer = self._revision_writer()
        revision = self._revision(row.page_id, row, new, writer.next_revision)
        with search.reindexing(self._db, row.page_id):
            renamed = Page.update(page_namespace=to.ns, page_title=to.dbkey)
            self._db.execute_write(renamed.where(Page.page_id == row.page_id))
            revision = self._add(writer, revision)
            self._set_latest(revision, new, is_new=False)
        saved = self._record(to, row, revision, new)
        counts.update()
        DerivedData(self._site).page_moved(old, to, row.page_id)
        return saved

    def _record(
        self, title: Title, row: PageRow | None, revision: NewRevision, new: NewText
    ) -> Saved:
        """Add the recent change and the tags of a revision, and update the statistics."""
        change_id = 0
        if not new.skips_recent_changes:
            change_id = self._changelog.add_edit(
                title,
                revision,
                row.length if row else 0,
                is_bot=new.is_bot,
                is_new=row is None,
            )
        if new.reverted:
            tag_revert(self._performer, new.tags, change_id, revision.rev_id, new.reverted)
        else:
            tag_change(self._db, new.tags, change_id=change_id, revision_id=revision.rev_id)
        count(
            self._db,
            edits=int(not new.is_null),
            pages=int(row is None and not new.is_null),
            edits_of=self._performer.user.id if new.counts_for_author else 0,
        )
        return Saved(
            revision.page_id,
            revision.rev_id,
            revision.parent_id,
            revision.timestamp,
            row is None,
            change_id,
        )

    def log_model_change(
        self,
        title: Title,
        page_id: int,
        models: tuple[str, str],
        reason: str,
        tags: Sequence[str] = (),
    ) -> int:
        """Log that the content model of a page was changed, and return the entry's id."""
        old, new = models
        entry_id = self._changelog.add_entry(
            "contentmodel",
            "change",
            title,
            page_id=page_id,
            reason=reason,
            params={"4::oldmodel": old, "5::newmodel": new},
        )
        tag_change(self._db, tags, log_id=entry_id)
        return entry_id

    def next_page_id(self) -> int:
        """Return an id that neither a page nor a deleted page has."""
        return next_id(self._db, Page.page_id, Archive.ar_page_id)

    def _new_page(self, title: Title, new: NewText) -> int:
        """Add a page that has no revision yet, and return its id."""
        row: dict[str, object] = {
            "page_namespace": title.ns,
            "page_title": title.dbkey,
            "page_is_redirect": 0,
            "page_is_new": 1,
            "page_random": random.random(),  # noqa: S311
            "page_touched": self._changelog.moment,
            "page_links_updated": None,
            "page_latest": 0,
            "page_len": 0,
            "page_content_model": new.model,
            "page_lang": None,
        }
        ids = (Page.page_id, [*row.values()], [*row])
        return insert_new(self._db, *ids, Archive.ar_page_id)

    def next_revision_id(self) -> int:
        """Return an id that neither a revision nor a deleted revision has."""
        return next_id(self._db, Revision.rev_id, Archive.ar_rev_id)

    def _revision_writer(self) -> RevisionWriter:
        return RevisionWriter(self._db, self._changelog.actors, self._changelog.comments)

    def _add(self, writer: RevisionWriter, revision: NewRevision) -> NewRevision:
        revision = writer.insert_new(revision)
        if not revision.slots:
            share_slots(self._db, revision.parent_id, revision.rev_id)
        return revision

    def _revision(
        self, page_id: int, row: PageRow | None, new: NewText, revision_id: int
    ) -> NewRevision:
        parent_id = row.latest if row else 0
        if new.is_null:
            columns = (Revision.rev_deleted, Revision.rev_len, Revision.rev_sha1)
            query = Revision.select(*columns).where(Revision.rev_id == parent_id)
            hidden, size, digest = self._db.execute(query)[0]
            bits = hidden & (TEXT | RESTRICTED) if hidden & TEXT else 0
            length = size or 0
            slots: tuple[NewSlot, ...] = ()
        else:
            data = new.text.encode()
            bits, length, digest = 0, len(data), sha1_base36(data)
            slots = (NewSlot(_MAIN, new.model, new.text, length, digest),)
        return NewRevision(
            revision_id,
            page_id,
            parent_id,
            self._changelog.moment_after(parent_id),
            int(new.is_minor),
            bits,
            self._changelog.person,
            # As in MediaWiki, only the summaries of edits lose the space at their ends.
            cut_comment(new.summary) if new.skips_recent_changes else cut_summary(new.summary),
            length,
            digest,
            slots,
        )

    def _set_latest(self, revision: NewRevision, new: NewText, *, is_new: bool) -> None:
        self._db.execute_write(
            _UPDATE(
                revision.page_id,
                revision.rev_id,
                revision.timestamp,
                revision.length,
                int(is_new),
                new.model,
            )
        )


_UPDATE = CompiledQuery(
    lambda page_id, latest, touched, length, is_new, model: Page.update(
        page_latest=latest,
        page_touched=touched,
        page_len=length,
        page_is_new=is_new,
        page_content_model=model,
        page_links_updated=None,
    ).where(Page.page_id == page_id)
)
