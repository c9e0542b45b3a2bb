"""Pages and revisions on their way from the reader to the store."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikiapi.dump.convert import new_page, new_revision

if TYPE_CHECKING:
    from wikiapi.dump.records import DumpRevision, LogItem, PageHead, Upload
    from wikiapi.store.write.revisions import NewPage, NewRevision

    Key = tuple[int, str]

_PENDING_REVISIONS = 1_000
_PENDING_BYTES = 8_388_608


@dataclass(slots=True)
class ImportedPage:
    """A page that is complete: its row and what belongs to it."""

    row: NewPage
    latest: DumpRevision
    redirect: Key | None
    restrictions: str

    @property
    def key(self) -> Key:
        """(namespace, database key)."""
        return self.row.namespace, self.row.title

    @property
    def age(self) -> tuple[str, int]:
        """What tells a newer state of a page from an older one."""
        return self.latest.timestamp, self.latest.id


class OpenPage:
    """The page whose revisions are being read."""

    def __init__(self, head: PageHead, key: Key, redirect: Key | None) -> None:
        """Begin a page."""
        self.head = head
        self.key = key
        self._redirect = redirect
        self._latest: DumpRevision | None = None
        self._length = 0

    def add(self, revision: DumpRevision) -> NewRevision:
        """Take a revision; returns its rows."""
        rows = new_revision(revision, self.head.id)
        latest = self._latest
        if latest is None or (revision.timestamp, revision.id) >= (latest.timestamp, latest.id):
            self._latest, self._length = revision, rows.length
        return rows

    def finished(self) -> ImportedPage | None:
        """The page, or None for one without revisions."""
        latest = self._latest
        if latest is None:
            return None
        is_redirect = self.head.redirect is not None
        row = new_page(self.head.id, self.key, latest, self._length, redirect=is_redirect)
        return ImportedPage(row, latest, self._redirect, self.head.restrictions)


@dataclass(slots=True)
class Batch:
    """What is to be written next; ``size`` is about that of its texts and comments, in bytes."""

    revisions: list[NewRevision] = field(default_factory=list)
    pages: list[ImportedPage] = field(default_factory=list)
    logs: list[LogItem] = field(default_factory=list)
    uploads: list[Upload] = field(default_factory=list)
    size: int = 0
    _taken: set[int | Key] = field(default_factory=set)

    @property
    def full(self) -> bool:
        """Whether it is time to write."""
        rows = len(self.revisions) + len(self.logs) + len(self.uploads)
        return rows >= _PENDING_REVISIONS or self.size >= _PENDING_BYTES

    def add_revision(self, revision: NewRevision) -> None:
        """Append a revision."""
        self.revisions.append(revision)
        self.size += revision.length + len(revision.comment)

    def add_log_item(self, item: LogItem) -> None:
        """Append a log entry."""
        self.logs.append(item)
        self.size += len(item.comment) + len(item.params) + len(item.title)

    def add_upload(self, upload: Upload) -> None:
        """Append a version of a file."""
        self.uploads.append(upload)
        self.size += len(upload.comment) + len(upload.file_name)

    def clashes(self, page: ImportedPage) -> bool:
        """Whether a page of the same id or title is waiting: the two must be written in turn."""
        return page.row.page_id in self._taken or page.key in self._taken

    def add_page(self, page: ImportedPage) -> None:
        """Append a page."""
        self._taken |= {page.row.page_id, page.key}
        self.pages.append(page)
