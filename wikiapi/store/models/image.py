"""Uploaded files."""

from __future__ import annotations

from wikiapi.store.fields import (
    BigInt,
    BigUInt,
    Binary,
    Int,
    Payload,
    Serial,
    Timestamp,
    UInt,
    USmall,
    Word,
)
from wikiapi.store.models.base import MediaWikiModel, index, unique


class Image(MediaWikiModel):
    """The current version of each file.

    ``img_name`` is the database key without namespace, ``img_size`` is in bytes, ``img_bits`` per
    channel, ``img_sha1`` in base 36 (31 digits), and ``img_description_id`` is the comment of the
    upload. ``img_metadata`` is JSON, ``{"data": ...}``, stored as bytes; in old databases it is
    serialised by PHP and must not be unserialised.
    """

    img_name = Binary(default="", key=True)
    img_size = BigUInt(default=0)
    img_width = Int(default=0)
    img_height = Int(default=0)
    img_metadata = Payload()
    img_bits = Int(default=0)
    img_media_type = Word(null=True)
    img_major_mime = Word(default="unknown")
    img_minor_mime = Binary(100, default="unknown")
    img_description_id = BigUInt()
    img_actor = BigUInt()
    img_timestamp = Timestamp()
    img_sha1 = Binary(32, default="")

    class Meta:
        table_name = "image"
        named_indexes = (
            index("img_actor_timestamp", "img_actor", "img_timestamp"),
            index("img_size", "img_size"),
            index("img_timestamp", "img_timestamp"),
            index("img_sha1", "img_sha1"),
            index("img_media_mime", "img_media_type", "img_major_mime", "img_minor_mime"),
        )


class OldImage(MediaWikiModel):
    """Earlier versions of files.

    ``oi_archive_name`` is the time when the version was replaced, ``!`` and the name; it is empty
    if the file was lost. ``oi_deleted`` is a bit field: 1 content, 2 comment, 4 user, 8 restricted.
    """

    oi_name = Binary(default="")
    oi_archive_name = Binary(default="")
    oi_size = BigUInt(default=0)
    oi_width = Int(default=0)
    oi_height = Int(default=0)
    oi_bits = Int(default=0)
    oi_description_id = BigUInt()
    oi_actor = BigUInt()
    oi_timestamp = Timestamp()
    oi_metadata = Payload()
    oi_media_type = Word(null=True)
    oi_major_mime = Word(default="unknown")
    oi_minor_mime = Binary(100, default="unknown")
    oi_deleted = USmall(default=0)
    oi_sha1 = Binary(32, default="")

    class Meta:
        table_name = "oldimage"
        primary_key = False
        named_indexes = (
            index("oi_actor_timestamp", "oi_actor", "oi_timestamp"),
            index("oi_name_timestamp", "oi_name", "oi_timestamp"),
            index("oi_name_archive_name", "oi_name", "oi_archive_name"),
            index("oi_sha1", "oi_sha1"),
            index("oi_timestamp", "oi_timestamp"),
        )


class FileArchive(MediaWikiModel):
    """Versions of deleted files. All but their existence is private."""

    fa_id = Serial()
    fa_name = Binary(default="")
    fa_archive_name = Binary(null=True, default="")
    fa_storage_group = Binary(16, null=True)
    fa_storage_key = Binary(64, null=True, default="")
    fa_deleted_user = Int(null=True)
    fa_deleted_timestamp = Timestamp(null=True)
    fa_deleted_reason_id = BigUInt()
    fa_size = BigUInt(null=True, default=0)
    fa_width = Int(null=True, default=0)
    fa_height = Int(null=True, default=0)
    fa_metadata = Payload(null=True)
    fa_bits = Int(null=True, default=0)
    fa_media_type = Word(null=True)
    fa_major_mime = Word(null=True, default="unknown")
    fa_minor_mime = Binary(100, null=True, default="unknown")
    fa_description_id = BigUInt()
    fa_actor = BigUInt()
    fa_timestamp = Timestamp(null=True)
    fa_deleted = USmall(default=0)
    fa_sha1 = Binary(32, default="")

    class Meta:
        table_name = "filearchive"
        named_indexes = (
            index("fa_name", "fa_name", "fa_timestamp"),
            index("fa_storage_group", "fa_storage_group", "fa_storage_key"),
            index("fa_deleted_timestamp", "fa_deleted_timestamp"),
            index("fa_actor_timestamp", "fa_actor", "fa_timestamp"),
            index("fa_sha1", "fa_sha1"),
        )


class File(MediaWikiModel):
    """A file and its current version."""

    file_id = Serial()
    file_name = Binary()
    file_latest = BigUInt()
    file_type = USmall()
    file_deleted = USmall()

    class Meta:
        table_name = "file"
        named_indexes = (
            unique("file_name", "file_name"),
            index("file_latest", "file_latest"),
        )


class FileRevision(MediaWikiModel):
    """A version of a file."""

    fr_id = Serial()
    fr_file = BigInt()
    fr_size = BigUInt(default=0)
    fr_width = UInt(default=0)
    fr_height = UInt(default=0)
    fr_metadata = Payload()
    fr_bits = UInt(default=0)
    fr_description_id = BigUInt()
    fr_actor = BigUInt()
    fr_timestamp = Timestamp()
    fr_sha1 = Binary(32, default="")
    fr_archive_name = Binary(default="")
    fr_deleted = USmall()

    class Meta:
        table_name = "filerevision"
        named_indexes = (
            index("fr_actor_timestamp", "fr_actor", "fr_timestamp"),
            index("fr_size", "fr_size"),
            index("fr_timestamp", "fr_timestamp"),
            index("fr_sha1", "fr_sha1"),
            index("fr_file", "fr_file"),
        )


class FileTypes(MediaWikiModel):
    """Media and MIME types by number."""

    ft_id = Serial()
    ft_media_type = Binary(64)
    ft_major_mime = Binary(64)
    ft_minor_mime = Binary(64)

    class Meta:
        table_name = "filetypes"
        named_indexes = (
            unique("ft_media_mime", "ft_media_type", "ft_major_mime", "ft_minor_mime"),
        )
