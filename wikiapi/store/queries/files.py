"""Uploaded files: current and earlier versions, duplicates by hash, and deleted files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from peewee import fn

from wikiapi.store.database import Database
from wikiapi.store.models import Actor, Comment, FileArchive, Image, OldImage, Page, Redirect
from wikiapi.store.queries.visibility import (
    COMMENT,
    RESTRICTED,
    TEXT,
    USER,
    readable_bits,
    user_is_hidden,
)
from wikiapi.store.sql.batches import BATCH, chunked
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.sql.statements import Row
from wikiapi.title.namespaces import FILE


class FileVersion(NamedTuple):
    """One version of a file. ``size`` is in bytes, ``bits`` per channel, ``sha1`` in base 36.

    ``archive_name`` is empty for the current version, and for an old one whose content was lost.
    ``metadata`` is as stored: JSON (``{"data": ...}``) or, in old databases, serialised by PHP, to
    be read with ``phpvalues`` only. ``deleted`` contains the visibility bits, which the table of
    current versions lacks: their uploader is hidden while a block hides the account. The fields
    that they hide (``user_name``, ``user_id``, ``comment``, ``sha1``, ``metadata``) are None, save
    those that ``readable`` contains.
    """

    name: str
    archive_name: str
    size: int
    width: int
    height: int
    bits: int
    media_type: str | None
    major_mime: str
    minor_mime: str
    timestamp: str
    sha1: str | None
    deleted: int
    metadata: bytes | str | None
    user_id: int | None
    user_name: str | None
    comment: str | None
    is_old: bool = False
    readable: int = 0
    """The visibility bits of hidden values that are present because the reader may see them."""

    @property
    def mime(self) -> str:
        """The MIME type."""
        return f"{self.major_mime}/{self.minor_mime}"


class Span(NamedTuple):
    """A part of a file's history: at most ``limit`` versions between two timestamps, inclusive.

    If there are more, they are the newest, or with ``from_oldest`` the oldest.
    """

    limit: int
    newest: str | None = None
    oldest: str | None = None
    from_oldest: bool = False


CURRENT_COLUMNS = (
    Image.img_name,
    Image.img_size,
    Image.img_width,
    Image.img_height,
    Image.img_bits,
    Image.img_media_type,
    Image.img_major_mime,
    Image.img_minor_mime,
    Image.img_timestamp,
    Image.img_sha1,
    Image.img_metadata,
    Actor.actor_user,
    Actor.actor_name,
    Comment.comment_text,
    user_is_hidden(Actor.actor_user),
)
_CURRENT_WIDTH = len(CURRENT_COLUMNS)

OLD_COLUMNS = (
    OldImage.oi_name,
    OldImage.oi_archive_name,
    OldImage.oi_size,
    OldImage.oi_width,
    OldImage.oi_height,
    OldImage.oi_bits,
    OldImage.oi_media_type,
    OldImage.oi_major_mime,
    OldImage.oi_minor_mime,
    OldImage.oi_timestamp,
    OldImage.oi_sha1,
    OldImage.oi_deleted,
    OldImage.oi_metadata,
    Actor.actor_user,
    Actor.actor_name,
    Comment.comment_text,
)


SELECT_FILES = (
    Image.select(*CURRENT_COLUMNS)
    .join_from(Image, Actor, on=(Actor.actor_id == Image.img_actor))
    .join_from(Image, Comment, on=(Comment.comment_id == Image.img_description_id))
)
"""The current versions of all files; ``read_current`` reads the rows."""

SELECT_OLD_VERSIONS = (
    OldImage.select(*OLD_COLUMNS)
    .join_from(OldImage, Actor, on=(Actor.actor_id == OldImage.oi_actor))
    .join_from(OldImage, Comment, on=(Comment.comment_id == OldImage.oi_description_id))
)
"""The earlier versions of all files; ``read_old`` reads the rows."""

_FILES_BY_NAME = ByValues(SELECT_FILES, Image.img_name)
_FILES_BY_HASH = ByValues(SELECT_FILES.order_by(Image.img_sha1, Image.img_name), Image.img_sha1)
_EXISTING = ByValues(Image.select(Image.img_name), Image.img_name)
_HISTORY = ByValues(
    SELECT_OLD_VERSIONS.order_by(OldImage.oi_name, OldImage.oi_timestamp.desc()), OldImage.oi_name
)
_REDIRECTS = ByValues(
    Page.select(Page.page_title, Redirect.rd_title)
    .join(Redirect, on=(Redirect.rd_from == Page.page_id))
    .where(Page.page_namespace == FILE)
    .where(Redirect.rd_namespace == FILE)
    .where((Redirect.rd_interwiki == "") | Redirect.rd_interwiki.is_null()),
    Page.page_title,
)


def read_current(row: Row, readable: int = 0) -> FileVersion:
    """Return the version in a row of ``SELECT_FILES``, without hidden values.

    ``readable`` contains the visibility bits of hidden values that the reader may see.
    """
    *facts, is_hidden_uploader = row[10:_CURRENT_WIDTH]
    bits = USER | RESTRICTED if is_hidden_uploader else 0
    return _without_hidden(FileVersion(*(row[0], "", *row[1:10], bits, *facts)), readable)


def read_old(row: Row, readable: int = 0) -> FileVersion:
    """Return the version in a row of ``SELECT_OLD_VERSIONS``, without hidden values.

    ``readable`` is as for :func:`read_current`.
    """
    return _without_hidden(FileVersion(*row[:16])._replace(is_old=True), readable)


def by_names(db: Database, names: Iterable[str], readable: int = 0) -> dict[str, FileVersion]:
    """Return the current version of each file that exists, by database key. One query.

    ``readable`` is as for :func:`read_current`.
    """
    rows = _FILES_BY_NAME.rows(db, names)
    return {row[0]: read_current(row, readable) for row in rows}


def existing(db: Database, names: Iterable[str]) -> set[str]:
    """Return the names of the files that exist on this wiki. One query, of the index only."""
    return {name for (name,) in _EXISTING.rows(db, names)}


def history(db: Database, names: Iterable[str]) -> dict[str, list[FileVersion]]:
    """Return the earlier versions of the files that have some, newest first. One query."""
    versions: dict[str, list[FileVersion]] = {}
    for row in _HISTORY.rows(db, names):
        versions.setdefault(row[0], []).append(read_old(row))
    return versions


def span_of_history(
    db: Database, names: Iterable[str], span: Span, readable: int = 0
) -> dict[str, list[FileVersion]]:
    """Return a part of the history of each file that has some, newest first. One query.

    ``readable`` is as for :func:`read_current`.
    """
    order = OldImage.oi_timestamp if span.from_oldest else OldImage.oi_timestamp.desc()
    place = fn.ROW_NUMBER().over(partition_by=[OldImage.oi_name], order_by=[order])
    inner = SELECT_OLD_VERSIONS.select_extend(place.alias("place"))
    if span.newest is not None:
        inner = inner.where(OldImage.oi_timestamp <= span.newest)
    if span.oldest is not None:
        inner = inner.where(OldImage.oi_timestamp >= span.oldest)
    versions: dict[str, list[FileVersion]] = {}
    for batch in chunked(dict.fromkeys(names), BATCH):
        numbered = inner.where(OldImage.oi_name.in_(batch)).alias("numbered")
        columns = [numbered.c[column.name] for column in OLD_COLUMNS]
        query = OldImage.select(*columns).from_(numbered).where(numbered.c.place <= span.limit)
        for row in db.execute(query.order_by(numbered.c.oi_name, numbered.c.oi_timestamp.desc())):
            versions.setdefault(row[0], []).append(read_old(row, readable))
    return versions


def redirect_targets(db: Database, names: Iterable[str]) -> dict[str, str]:
    """Return the target of each name whose page is a redirect to a file. One query."""
    return dict(_REDIRECTS.rows(db, names))


def by_sha1(db: Database, hashes: Iterable[str]) -> dict[str, list[FileVersion]]:
    """Return the current files by their SHA-1 in base 36, sorted by name. One query."""
    versions: dict[str, list[FileVersion]] = {}
    for row in _FILES_BY_HASH.rows(db, hashes):
        version = read_current(row)
        versions.setdefault(version.sha1 or "", []).append(version)
    return versions


def _without_hidden(version: FileVersion, readable: int) -> FileVersion:
    version = version._replace(readable=readable_bits(version.deleted, readable))
    bits = version.deleted & ~version.readable
    if version.user_id is None:
        version = version._replace(user_id=0)
    if bits & TEXT:
        version = version._replace(sha1=None, metadata=None)
    if bits & COMMENT:
        version = version._replace(comment=None)
    return version._replace(user_id=None, user_name=None) if bits & USER else version


class ArchivedFile(NamedTuple):
    """A version of a deleted file. ``size`` is in bytes, ``sha1`` in base 36.

    ``archive_name`` is None for the version that was current, and empty for one whose content was
    lost. ``deleted`` contains the visibility bits; the fields that they hide (``user_name`` and
    ``user_id``, ``description``, ``metadata``) are None, and ``sha1`` is empty. The path of the
    content in the folder of deleted files is never selected.
    """

    id: int
    name: str
    archive_name: str | None
    timestamp: str | None
    size: int
    width: int
    height: int
    bits: int
    media_type: str | None
    major_mime: str
    minor_mime: str
    deleted: int
    sha1: str
    metadata: bytes | str | None
    user_id: int | None
    user_name: str | None
    description: str | None
    readable: int = 0
    """The visibility bits of hidden values that are present because the reader may see them."""


_COLUMNS = (
    FileArchive.fa_id,
    FileArchive.fa_name,
    FileArchive.fa_archive_name,
    FileArchive.fa_timestamp,
    FileArchive.fa_size,
    FileArchive.fa_width,
    FileArchive.fa_height,
    FileArchive.fa_bits,
    FileArchive.fa_media_type,
    FileArchive.fa_major_mime,
    FileArchive.fa_minor_mime,
    FileArchive.fa_deleted,
    FileArchive.fa_sha1,
    FileArchive.fa_metadata,
    Actor.actor_user,
    Actor.actor_name,
    Comment.comment_text,
)


SELECT_ARCHIVED_FILES = (
    FileArchive.select(*_COLUMNS)
    .join_from(FileArchive, Actor, on=(Actor.actor_id == FileArchive.fa_actor))
    .join_from(FileArchive, Comment, on=(Comment.comment_id == FileArchive.fa_description_id))
)
"""The versions of deleted files; ``read`` reads the rows.

An index exists for the order fa_name, fa_timestamp.
"""


def read(row: Row, readable: int = 0) -> ArchivedFile:
    """Return the version in a row of ``SELECT_ARCHIVED_FILES``, without hidden values.

    ``readable`` is as for :func:`read_current`.
    """
    file = ArchivedFile(*row[: len(_COLUMNS)])
    file = file._replace(user_id=file.user_id or 0, readable=readable_bits(file.deleted, readable))
    bits = file.deleted & ~file.readable
    if bits & TEXT:
        file = file._replace(sha1="", metadata=None)
    if bits & COMMENT:
        file = file._replace(description=None)
    return file._replace(user_id=None, user_name=None) if bits & USER else file
