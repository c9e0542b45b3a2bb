"""The versions of files: their rows and their data, which change together, and publishing one.

The table ``image`` has the current version of each file, ``oldimage`` the earlier ones and
``filearchive`` the deleted ones. Call what changes them in the transaction of a
:class:`WriteAction`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from wikiapi.api import WriteAction, compact, moment_of
from wikiapi.errors import ApiError
from wikiapi.filerepo import FolderChanges, UploadFolder, extension
from wikiapi.importing.files.mediafile import MediaFacts, image_row
from wikiapi.pages import (
    Changelog,
    NewText,
    PageWriter,
    automatic_tags,
    cut_summary,
    tag_change,
)
from wikiapi.store import Comments, CompiledQuery, PageRow, next_id
from wikiapi.store.models import Actor, FileArchive, Image, OldImage, SiteStats
from wikiapi.store.queries import pages, visibility
from wikiapi.title import Title, default_model

_STORAGE_GROUP = "deleted"


class Version(NamedTuple):
    """A stored version of a file. ``archive_name`` is empty for the current one.

    ``deleted`` contains the visibility bits that it has, or would have as an earlier version.
    """

    name: str
    size: int
    width: int
    height: int
    metadata: bytes | str | None
    bits: int
    media_type: str | None
    major_mime: str
    minor_mime: str
    description_id: int
    actor: int
    timestamp: str
    sha1: str
    archive_name: str = ""
    deleted: int = 0


_FACTS = (
    *("name", "size", "width", "height", "metadata", "bits", "media_type", "major_mime"),
    *("minor_mime", "description_id", "actor", "timestamp", "sha1"),
)
_OLD_COLUMNS = tuple(f"oi_{name}" for name in (*_FACTS, "archive_name", "deleted"))
_ARCHIVE_COLUMNS = tuple(f"fa_{name}" for name in (*_FACTS, "archive_name", "deleted"))
_CURRENT = tuple(getattr(Image, f"img_{name}") for name in _FACTS)
_OLD = tuple(getattr(OldImage, name) for name in _OLD_COLUMNS)
_ARCHIVED = tuple(getattr(FileArchive, name) for name in _ARCHIVE_COLUMNS)
_UPLOADER = Actor.select(Actor.actor_user).where(Actor.actor_id == Image.img_actor)
_SELECT_CURRENT = CompiledQuery(
    lambda name: Image.select(*_CURRENT, visibility.user_is_hidden(_UPLOADER)).where(
        Image.img_name == name
    )
)


def _select_earlier(*conditions: Any) -> Any:
    return OldImage.select(*_OLD).where(*conditions).order_by(OldImage.oi_timestamp.desc())


_EARLIER = CompiledQuery(lambda name: _select_earlier(OldImage.oi_name == name))
_ARCHIVED_AS = CompiledQuery(
    lambda name, archive_name: _select_earlier(
        OldImage.oi_name == name, OldImage.oi_archive_name == archive_name
    )
)
_OF_CONTENT = CompiledQuery(
    lambda name, sha1: _select_earlier(OldImage.oi_name == name, OldImage.oi_sha1 == sha1)
)


class FilePage(NamedTuple):
    """A title in the namespace of files, with its page and file, either of which may be missing."""

    title: Title
    row: PageRow | None
    current: Version | None
    """The current version of the file."""


class Published(NamedTuple):
    """The new current version of a file. ``is_new`` tells whether the file did not exist."""

    timestamp: str
    sha1: str
    is_new: bool


class FileVersions:
    """Changes the versions of files on behalf of a request's user."""

    def __init__(self, action: WriteAction) -> None:
        """Read at any time, and write in the transaction of an action."""
        self._db, self._action = action.db, action
        self._folder = UploadFolder(action.site.config.files)
        self.changelog = Changelog(action.context.performer)

    @property
    def _changes(self) -> FolderChanges:
        return self._action.file_changes

    # Finding

    def page(self, title: Title) -> FilePage:
        """Return the page and the file of a title. Two queries."""
        row = pages.by_titles(self._db, [title.key]).get(title.key)
        return FilePage(title, row, self.current(title.dbkey))

    def current(self, name: str) -> Version | None:
        """Return the current version of a file. One query."""
        row = self._db.row(_SELECT_CURRENT(name))
        if row is None:
            return None
        *facts, is_hidden_uploader = row
        return Version(*facts)._replace(
            deleted=visibility.USER | visibility.RESTRICTED if is_hidden_uploader else 0
        )

    def is_own(self, name: str) -> bool:
        """Return whether the user has uploaded the current version of a file. One query."""
        user, files = self._action.context.user, self._action.site.files
        uploader = files.local.find([name])[name].current.uploader
        return uploader is not None and not user.is_anonymous and uploader.id == user.id

    def earlier(self, name: str) -> list[Version]:
        """Return the earlier versions of a file, newest first. One query."""
        return [Version(*row) for row in self._db.execute(_EARLIER(name))]

    def archived(self, name: str, archive_name: str) -> list[Version]:
        """Return the earlier versions of a file with an archive name, hardly ever two. One query.

        A file may have thousands of earlier versions.
        """
        return [Version(*row) for row in self._db.execute(_ARCHIVED_AS(name, archive_name))]

    def of_content(self, name: str, sha1: str) -> list[Version]:
        """Return the earlier versions of a file with some content, newest first. One query."""
        return [Version(*row) for row in self._db.execute(_OF_CONTENT(name, sha1))]

    def path_of(self, version: Version) -> Path | None:
        """Return the path of a version's data; ``None`` if the data is missing."""
        if not version.archive_name:
            self._folder.settle(version.name, version.sha1)
            return self._folder.find_current(version.name)
        path = self._folder.archived(version.name, version.archive_name)
        return path if path.is_file() else None

    # Publishing

    def publish(self, page: FilePage, source: Path, facts: MediaFacts, comment: str) -> Published:
        """Make data the current version of a file, and archive the former current version.

        Raises:
            ApiError: ``fileexists-no-change``.
        """
        name, before = page.title.dbkey, page.current
        if before is not None and before.sha1 == facts.sha1:
            key = "fileexists-no-change"
            raise ApiError(key, key, page.title.prefixed_text)
        timestamp = self.changelog.moment
        if before is not None:
            timestamp = max(timestamp, _next_second(before.timestamp))
            self._archive(before, timestamp)
            self._db.execute_write(Image.delete().where(Image.img_name == name))
        actor = self.changelog.actors.id(self.changelog.person)
        comment_id = self.changelog.comments.id(comment)
        row = image_row(name, facts, comment_id, actor, timestamp)
        self._db.insert_many(Image, [row])
        self._changes.place(name, facts.sha1, source)
        self._changes.drop_thumbnails(name)
        if before is None:
            self._count(1)
        return Published(timestamp, facts.sha1, before is None)

    def _archive(self, version: Version, timestamp: str) -> None:
        name = version.name
        while self.archived(name, archive_name := f"{timestamp}!{name}"):
            timestamp = _next_second(timestamp)
        if path := self.path_of(version):
            self._changes.copy(path, self._folder.archived(name, archive_name))
        self._add_old([version._replace(archive_name=archive_name)])

    # Deleting

    def delete(self, name: str, reason: str) -> int:
        """Delete a file with all its versions, and return how many there were."""
        current = self.current(name)
        versions = [*([current] if current else []), *self.earlier(name)]
        self._to_archive(versions, reason)
        self._db.execute_write(Image.delete().where(Image.img_name == name))
        self._db.execute_write(OldImage.delete().where(OldImage.oi_name == name))
        if current:
            self._count(-1)
        return len(versions)

    def delete_old(self, version: Version, reason: str) -> None:
        """Delete one of the earlier versions of a file."""
        self._to_archive([version], reason)
        gone = OldImage.delete().where(
            OldImage.oi_name == version.name, OldImage.oi_archive_name == version.archive_name
        )
        self._db.execute_write(gone)

    def _to_archive(self, versions: Sequence[Version], reason: str) -> None:
        if not versions:
            return
        person = self.changelog.person
        user, moment = person.user_id, self.changelog.moment
        reason_id = Comments(self._db).ids([reason])[reason]
        first = next_id(self._db, FileArchive.fa_id)
        rows = []
        for number, version in enumerate(versions, first):
            key = ""
            if path := self.path_of(version):
                suffix = extension(version.name)
                key = f"{version.sha1}.{suffix}" if suffix else version.sha1
                self._changes.copy_once(path, self._folder.deleted(key))
                self._changes.remove(path)
            self._changes.drop_thumbnails(version.name, version.archive_name)
            stored = (*version[: len(_FACTS)], version.archive_name or None, version.deleted)
            rows.append((number, _STORAGE_GROUP, key, user, moment, reason_id, *stored))
        columns = (
            *("fa_id", "fa_storage_group", "fa_storage_key", "fa_deleted_user"),
            *("fa_deleted_timestamp", "fa_deleted_reason_id", *_ARCHIVE_COLUMNS),
        )
        self._db.insert_many(FileArchive, rows, columns)

    # Restoring

    def restore(self, name: str, ids: Collection[int] | None = None) -> int:
        """Restore deleted versions of a file, by default all, and return how many there were.

        If the file does not exist, the newest becomes the current version. If one of the ids
        belongs to another file or none, no version is restored, as in MediaWiki.

        Each keeps its visibility bits. The current version cannot have any.

        Raises:
            ApiError: ``undeleterevdel``, if parts of the newest are hidden and it would become
                current.
        """
        columns = (FileArchive.fa_id, FileArchive.fa_storage_key, FileArchive.fa_deleted_timestamp)
        query = FileArchive.select(*columns, *_ARCHIVED).where(FileArchive.fa_name == name)
        if ids is not None:
            query = query.where(FileArchive.fa_id.in_(list(ids)))
        rows = self._db.execute(query.order_by(FileArchive.fa_timestamp.desc()))
        if ids is not None and set(ids) - {row[0] for row in rows}:
            return 0
        archive_names = {version.archive_name for version in self.earlier(name)}
        is_current = self.current(name) is None
        if is_current and not rows:
            # MediaWiki counts a file that does not exist, although there is nothing to restore.
            self._count(1)
        old: list[Version] = []
        for _, key, moment, *facts in rows:
            version = Version(*facts)._replace(archive_name=facts[-2] or "")
            source = self._folder.deleted(key) if key else None
            if is_current:
                if version.deleted:
                    raise ApiError("undeleterevdel", "undeleterevdel")
                self._db.insert_many(Image, [version[: len(_FACTS)]])
                if source and source.is_file():
                    self._changes.place(version.name, version.sha1, source)
                self._count(1)
                is_current = False
                continue
            archive_name = version.archive_name
            moment = moment or self.changelog.moment
            while not archive_name or archive_name in archive_names:
                archive_name = f"{moment}!{name}"
                moment = _next_second(moment)
            archive_names.add(archive_name)
            if source and source.is_file():
                self._changes.copy(source, self._folder.archived(name, archive_name))
            old.append(version._replace(archive_name=archive_name))
        self._add_old(old)
        self._forget_archived([(row[0], row[1]) for row in rows])
        return len(rows)

    def _forget_archived(self, rows: Sequence[tuple[int, str]]) -> None:
        """Remove rows of ``filearchive``, and the data that no remaining row refers to.

        Versions with equal content share their data.
        """
        if not rows:
            return
        gone = FileArchive.delete().where(FileArchive.fa_id.in_([number for number, _ in rows]))
        self._db.execute_write(gone)
        keys = {key for _, key in rows if key}
        query = FileArchive.select(FileArchive.fa_storage_key)
        kept = self._db.execute(query.where(FileArchive.fa_storage_key.in_(sorted(keys))))
        for key in keys - {key for (key,) in kept}:
            self._changes.remove(self._folder.deleted(key))

    # Moving

    def move(self, old: Title, new: Title) -> int:
        """Rename a file with all its versions, and return how many there are."""
        current = self.current(old.dbkey)
        earlier = self.earlier(old.dbkey)
        if current:
            if path := self.path_of(current):
                self._changes.place(new.dbkey, current.sha1, path)
                self._changes.remove(path)
            renamed = Image.update(img_name=new.dbkey).where(Image.img_name == old.dbkey)
            self._db.execute_write(renamed)
            self._changes.drop_thumbnails(old.dbkey)
        self._db.execute_write(OldImage.delete().where(OldImage.oi_name == old.dbkey))
        moved = []
        for version in earlier:
            moment, mark, _ = version.archive_name.partition("!")
            archive_name = f"{moment}!{new.dbkey}" if mark else version.archive_name
            if version.archive_name and (path := self.path_of(version)):
                self._changes.copy(path, self._folder.archived(new.dbkey, archive_name))
                self._changes.remove(path)
                self._changes.drop_thumbnails(old.dbkey, version.archive_name)
            moved.append(version._replace(name=new.dbkey, archive_name=archive_name))
        self._add_old(moved)
        return len(earlier) + (current is not None)

    def _add_old(self, versions: Sequence[Version]) -> None:
        if versions:
            self._db.insert_many(OldImage, versions, _OLD_COLUMNS)

    def _count(self, number: int) -> None:
        counted = SiteStats.update(ss_images=SiteStats.ss_images + number)
        self._db.execute_write(counted)


def _next_second(timestamp: str) -> str:
    return compact(moment_of(timestamp) + timedelta(seconds=1))


UPLOAD, OVERWRITE, REVERT = "upload", "overwrite", "revert"
_WORDS = {
    UPLOAD: "{user} uploaded [[{page}]]",
    OVERWRITE: "{user} uploaded a new version of [[{page}]]",
    REVERT: "{user} reverted [[{page}]] to an old version",
}
"""Summaries of the dummy revisions that record new versions in the history of the file's page."""


@dataclass(frozen=True, slots=True)
class Upload:
    """Data that is to become the current version of a file.

    ``text`` is the wikitext to store, if the page of the file does not exist yet.
    """

    path: Path
    facts: MediaFacts
    comment: str
    text: str
    tags: tuple[str, ...] = ()
    is_revert: bool = False


def page_text(action: WriteAction, title: Title, text: str) -> str:
    """Return the wikitext to store for a new file page. It may take long."""
    name = action.context.user.name
    saved = action.site.parser.saved(text.rstrip(), title, name, creates_page=True)
    return saved.rstrip()


def publish(action: WriteAction, page: FilePage, upload: Upload) -> Published:
    """Publish a version of a file with its page and its log entry.

    Args:
        action: the action, in whose transaction the page was read.
        page: the page of the file as it is before.
        upload: the data to publish, and how to record it.

    Raises:
        ApiError: ``fileexists-no-change``.
    """
    title, comment = page.title, cut_summary(upload.comment)
    versions = FileVersions(action)
    published = versions.publish(page, upload.path, upload.facts, comment)
    word = UPLOAD if published.is_new else OVERWRITE
    if upload.is_revert:
        word = REVERT
    writer = PageWriter(action.context.performer, versions.changelog)
    redirects = action.site.redirects
    automatic = automatic_tags(None, upload.text, None, redirects.target(upload.text))
    tags = upload.tags if page.row else (*upload.tags, *automatic)
    # As in MediaWiki, the log entry comes first; it refers to the revision saved right after it.
    page_id = page.row.page_id if page.row else writer.next_page_id()
    entry_id = versions.changelog.add_entry(
        "upload",
        word,
        title,
        page_id=page_id,
        reason=comment,
        params={"img_sha1": published.sha1, "img_timestamp": published.timestamp},
        revision_id=writer.next_revision_id(),
    )
    if page.row is None:
        new = NewText(upload.text, default_model(title), comment, skips_recent_changes=True)
    else:
        words = _WORDS[word].format(user=action.context.user.name, page=title.prefixed_text)
        new = NewText(
            "",
            page.row.content_model or default_model(title),
            words,
            skips_recent_changes=True,
            counts_for_author=False,
            is_null=True,
        )
    saved = writer.save(title, page.row, new)
    tag_change(action.db, tags, log_id=entry_id, revision_id=saved.revision_id)
    return published
