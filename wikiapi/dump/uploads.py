"""File versions that a dump tells of, to rows of the image tables: all but their pictures."""

from __future__ import annotations

import mimetypes
from typing import TYPE_CHECKING

from wikiapi.dump.convert import person
from wikiapi.dump.mediatypes import media_type
from wikiapi.dump.titles import is_dbkey
from wikiapi.store.models import Image, OldImage
from wikiapi.store.write.people import Actors, Comments

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from wikiapi.dump.records import Upload
    from wikiapi.store.database import Database

_UNKNOWN = "application/octet-stream"
_COLUMNS = (
    "name",
    "size",
    "metadata",
    "media_type",
    "major_mime",
    "minor_mime",
    "description_id",
    "actor",
    "timestamp",
    "sha1",
)
_IMAGE = tuple(f"img_{name}" for name in _COLUMNS)
_OLD_IMAGE = (*(f"oi_{name}" for name in _COLUMNS), "oi_archive_name")


class UploadWriter:
    """Writes file versions; a file that the store has is kept. Their width and height are 0."""

    def __init__(self, db: Database) -> None:
        """Write to this store."""
        self._db = db
        self._actors, self._comments = Actors(db), Comments(db)

    def write(self, uploads: Sequence[Upload]) -> None:
        """Write a batch; names that no file can have are left out."""
        valid = [upload for upload in uploads if is_dbkey(upload.file_name.replace(" ", "_"))]
        actors = self._actors.ids(person(upload.contributor) for upload in valid)
        comments = self._comments.ids(upload.comment for upload in valid)
        current: list[tuple[Any, ...]] = []
        old: list[tuple[Any, ...]] = []
        for upload in valid:
            row = _row(upload, comments[upload.comment], actors[person(upload.contributor)])
            if upload.archive_name:
                old.append((*row, upload.archive_name))
            else:
                current.append(row)
        self._db.insert_many(Image, current, _IMAGE, on_conflict="ignore")
        self._db.insert_many(OldImage, old, _OLD_IMAGE, on_conflict="ignore")


def _row(upload: Upload, comment: int, actor: int) -> tuple[Any, ...]:
    name = upload.file_name.replace(" ", "_")
    mime = mimetypes.guess_type(name, strict=True)[0] or _UNKNOWN
    major, _, minor = mime.partition("/")
    return (
        name,
        upload.size,
        "",
        media_type(mime),
        major,
        minor,
        comment,
        actor,
        upload.timestamp,
        upload.sha1,
    )
