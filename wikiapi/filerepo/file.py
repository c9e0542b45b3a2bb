"""A file and its versions, in any repository."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from wikiapi.filerepo.media import handler_of
from wikiapi.filerepo.metadata import decode_metadata, seconds
from wikiapi.filerepo.repository import FileRepository
from wikiapi.filerepo.scaling import Size
from wikiapi.filerepo.sha1 import to_hex
from wikiapi.title.title import Title

if TYPE_CHECKING:
    from wikiapi.filerepo.media.image import ImageHandler


class Uploader(NamedTuple):
    """Who uploaded a version. ``id`` is 0 for addresses and for users of other wikis."""

    name: str
    id: int = 0

    @property
    def is_registered(self) -> bool:
        """Whether this wiki knows the uploader as a registered user."""
        return self.id > 0


class Hidden(NamedTuple):
    """What of an earlier version has been hidden from view."""

    content: bool = False
    comment: bool = False
    user: bool = False
    suppressed: bool = False


NOTHING_HIDDEN = Hidden()


@dataclass(frozen=True, eq=False)
class FileVersion:
    """One version of a file.

    Attributes:
        timestamp: when it was uploaded, 14 digits in UTC.
        uploader: by whom; ``None`` when hidden or not known.
        comment: the upload summary, as wikitext; empty when hidden.
        size: in bytes.
        dimensions: width and height in pixels, zeros for what is no picture.
        bits: bits per colour channel.
        mime: the MIME type.
        media_type: ``BITMAP``, ``DRAWING``, ``AUDIO``...
        sha1: of the content, 31 digits of base 36; empty when hidden.
        stored_metadata: as the store has it, or decoded already.
        url: where the file lies, a full URL or a path on this server.
        thumb_folder: where its thumbnails lie; empty where only its repository knows.
        archive_name: the name an earlier version is kept under; ``None`` for the current one.
        hidden: what has been hidden of it.
        exists: whether there is content at all; some earlier versions were lost.
    """

    timestamp: str
    uploader: Uploader | None
    comment: str
    size: int
    dimensions: Size
    bits: int
    mime: str
    media_type: str
    sha1: str
    stored_metadata: Mapping[str, Any] | bytes | str | None
    url: str
    thumb_folder: str = ""
    archive_name: str | None = None
    hidden: Hidden = NOTHING_HIDDEN
    exists: bool = True

    @property
    def sha1_hex(self) -> str:
        """The SHA-1 of the content in 40 hexadecimal digits."""
        return to_hex(self.sha1)

    @property
    def handler(self) -> ImageHandler | None:
        """The handler of its media type."""
        return handler_of(self.mime)

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata of the content, without parts that are stored elsewhere."""
        return self._metadata[0]

    @property
    def metadata_addresses(self) -> Mapping[str, str]:
        """Content addresses of the metadata that is stored elsewhere, by name."""
        return self._metadata[1]

    @cached_property
    def _metadata(self) -> tuple[Mapping[str, Any], Mapping[str, str]]:
        if isinstance(self.stored_metadata, Mapping):
            return self.stored_metadata, {}
        return decode_metadata(self.stored_metadata)

    @property
    def duration(self) -> float:
        """How long it runs, in seconds; 0 for a still."""
        return seconds(self.metadata)


@dataclass(frozen=True, eq=False)
class File:
    """A file: its title, its repository and its current version.

    ``title`` is the file's own; ``requested`` is the name it was requested by, which differs where
    a redirect led to it. The rest is what a foreign repository has told beyond the version.
    """

    title: Title
    requested: str
    repository: FileRepository
    current: FileVersion
    description_url: str = ""
    description_short_url: str | None = None
    extended_metadata: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        """The file's name with underscores, without namespace."""
        return self.title.dbkey

    @property
    def is_local(self) -> bool:
        """Whether the wiki holds the file itself."""
        return self.repository.is_local


class Description(NamedTuple):
    """Where a file is described: its page, and a short address of that page if it exists."""

    url: str
    short_url: str | None
