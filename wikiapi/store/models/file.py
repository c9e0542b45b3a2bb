# ruff: noqa: D106
"""Uploaded files in the layout that is to replace image and oldimage; empty in MediaWiki 1.45."""

from __future__ import annotations

from wikiapi.store.fields import BigInt, BigUInt, Binary, Payload, Serial, Timestamp, UInt, USmall
from wikiapi.store.models.base import MediaWikiModel, index, unique


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
