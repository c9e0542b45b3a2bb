"""Versions of deleted files; what is hidden is left out here already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wikiapi.store.models import Actor, Comment, FileArchive
from wikiapi.store.refining import refinable
from wikiapi.store.visibility import COMMENT, TEXT, USER

if TYPE_CHECKING:
    from wikiapi.store.statements import Row


class ArchivedFile(NamedTuple):
    """A version of a deleted file. ``size`` is in bytes, ``sha1`` in base 36.

    ``archive_name`` is None for what was the current version, empty for one whose content was lost.
    ``deleted`` holds the visibility bits; what they hide (``user_name`` and ``user_id``,
    ``description``, ``metadata``; ``sha1`` is empty) is None. The place of the content in the
    deleted files' folder is never selected.
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


@refinable
def select() -> Any:
    """A query to be refined; ``read`` reads its rows. The index serves fa_name, fa_timestamp."""
    return (
        FileArchive.select(*_COLUMNS)
        .join_from(FileArchive, Actor, on=(Actor.actor_id == FileArchive.fa_actor))
        .join_from(FileArchive, Comment, on=(Comment.comment_id == FileArchive.fa_description_id))
    )


def read(row: Row) -> ArchivedFile:
    """The version in a row of ``select``, less what is hidden."""
    file = ArchivedFile(*row)
    file = file._replace(user_id=file.user_id or 0)
    bits = file.deleted
    if bits & TEXT:
        file = file._replace(sha1="", metadata=None)
    if bits & COMMENT:
        file = file._replace(description=None)
    return file._replace(user_id=None, user_name=None) if bits & USER else file
