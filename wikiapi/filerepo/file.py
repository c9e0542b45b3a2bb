"""A file, its versions and its thumbnails, and the repository that has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from wikiapi.errors import WikiapiError
from wikiapi.filerepo.media import handler_of
from wikiapi.filerepo.metadata import decode_metadata, seconds
from wikiapi.filerepo.scaling import Size, ThumbParams
from wikiapi.filerepo.sha1 import to_hex
from wikiapi.title.title import Title

if TYPE_CHECKING:
    from wikiapi.filerepo.media.image import ImageHandler


class Uploader(NamedTuple):
    """The uploader of a version. ``id`` is 0 for IP addresses and for users of other wikis."""

    name: str
    id: int = 0

    @property
    def is_registered(self) -> bool:
        """Whether the uploader has an account on this wiki."""
        return self.id > 0


class Hidden(NamedTuple):
    """Which parts of a version have been hidden; of the current one only the user can be."""

    content: bool = False
    comment: bool = False
    user: bool = False
    suppressed: bool = False


NOTHING_HIDDEN = Hidden()


@dataclass(frozen=True, eq=False)
class FileVersion:
    """One version of a file.

    Attributes:
        timestamp: the time of the upload, 14 digits in UTC.
        uploader: who uploaded it; ``None`` if hidden or unknown.
        comment: the upload summary, as wikitext; empty if hidden.
        size: the size in bytes.
        dimensions: width and height in pixels; zeros if it is not a picture.
        bits: bits per colour channel.
        mime: the MIME type.
        media_type: MediaWiki's media type: ``BITMAP``, ``DRAWING``, ``AUDIO``...
        sha1: the SHA-1 of the content, 31 digits of base 36; empty if hidden.
        stored_metadata: the metadata as stored, or already decoded.
        url: the address of the file, a full URL or a path on this server.
        thumb_folder: the address of the folder with its thumbnails; empty if only its repository
            knows it.
        archive_name: the name that an earlier version is stored under; ``None`` for the current
            version.
        hidden: which parts are hidden.
        readable: which of the hidden parts are present because the reader may see them.
        exists: whether the content exists; that of some earlier versions is lost.
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
    readable: Hidden = NOTHING_HIDDEN
    exists: bool = True

    @property
    def sha1_hex(self) -> str:
        """The SHA-1 of the content in 40 hexadecimal digits."""
        return to_hex(self.sha1)

    @property
    def handler(self) -> ImageHandler | None:
        """The handler of its MIME type, or ``None`` if there is none."""
        return handler_of(self.mime)

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata of the content, without the parts that are stored separately."""
        return self._metadata[0]

    @property
    def metadata_addresses(self) -> Mapping[str, str]:
        """The content addresses of the metadata that is stored separately, by name."""
        return self._metadata[1]

    @cached_property
    def _metadata(self) -> tuple[Mapping[str, Any], Mapping[str, str]]:
        if isinstance(self.stored_metadata, Mapping):
            return self.stored_metadata, {}
        return decode_metadata(self.stored_metadata)

    @property
    def duration(self) -> float:
        """The duration in seconds; 0 for a still picture."""
        return seconds(self.metadata)


@dataclass(frozen=True, eq=False)
class File:
    """A file: its title, its repository and its current version.

    ``title`` is the title of the file itself. ``requested`` is the requested name, which differs if
    it was a redirect. The other fields are set by foreign repositories.
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
        """The name of the file with underscores, without namespace."""
        return self.title.dbkey

    @property
    def is_local(self) -> bool:
        """Whether the file is one of the wiki itself."""
        return self.repository.is_local


class Description(NamedTuple):
    """The URL of a file's description page, and a short URL if the page exists."""

    url: str
    short_url: str | None


class RepositoryUnavailable(WikiapiError):
    """A repository cannot answer at the moment; the wiki continues without it and logs a warning.

    ``answer`` is the part of the answer that is available, in the form that the method returns, or
    ``None`` if there is none.
    """

    def __init__(self, reason: str, answer: Any = None) -> None:
        """Store the reason, and the available part of the answer."""
        super().__init__(reason)
        self.answer = answer


class FileRepository(Protocol):
    """A source of files.

    The methods work on batches. They may raise RepositoryUnavailable, and must not raise other
    exceptions for invalid answers of a remote repository.
    """

    @property
    def name(self) -> str:
        """The name, which is ``imagerepository`` in answers."""

    @property
    def is_local(self) -> bool:
        """Whether this is the repository of the wiki's own files."""

    @property
    def is_remote(self) -> bool:
        """Whether finding a file may take a request over the network."""

    def find(self, names: Iterable[str]) -> Mapping[str, File]:
        """Return the files that exist, by requested name; redirects are followed.

        Names have underscores and no namespace.
        """

    def by_sha1(self, hashes: Iterable[str]) -> Mapping[str, Sequence[File]]:
        """Return the files with each SHA-1 in base 36, sorted by name."""

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> Sequence[Thumbnail | None]:
        """Return a thumbnail for each request, in order; ``None`` if there can be none."""

    def descriptions(self, files: Sequence[File]) -> Sequence[Description]:
        """Return the description pages of the files, in order."""

    def info(self) -> Mapping[str, Any]:
        """Return the entry of the repository in ``meta=filerepoinfo``."""


ICON_SIZE = Size(120, 120)
"""The size of the icon shown for a file that cannot be shown as a picture."""

# The extensions that have their own icon in resources/assets/file-type-icons.
_ICONS = re.compile(
    r"(?:c|cpp|deb|djvu|dvi|exe|h|html|iso|jar|mov|mp3|o|ogg|pdf|ps|rm|rpm|tar|tex|ttf|txt|xcf)\Z"
)


class ThumbRequest(NamedTuple):
    """A request for a thumbnail of a version of a file."""

    file: File
    version: FileVersion
    params: ThumbParams


class Thumbnail(NamedTuple):
    """A picture of a file.

    ``url`` is a full URL or a path on this server; ``size`` is the size at which to show it. If
    ``is_original`` is true, the picture is the file itself.
    """

    url: str
    size: Size
    is_original: bool = False
    mime: str = ""


def reduced(size: ThumbParams, version: FileVersion) -> ThumbParams:
    """Return the size of a thumbnail, reduced so that bitmap images are not enlarged."""
    handler, width = version.handler, version.dimensions.width
    if handler is None or handler.is_vector or not width:
        return size
    return replace(size, width=min(width, size.width or width))


def icon(extension: str, script_path: str) -> Thumbnail:
    """Return the icon for a file that cannot be shown as a picture."""
    name = f"fileicon-{extension}.png" if _ICONS.match(extension) else "fileicon.png"
    url = f"{script_path}/resources/assets/file-type-icons/{name}"
    return Thumbnail(url, ICON_SIZE, mime="image/png")


def enlarged(params: ThumbParams, percent: int) -> ThumbParams:
    """Return the parameters for a screen of higher density, such as 150 or 200 per cent."""
    return replace(
        params,
        width=None if params.width is None else _enlarged(params.width, percent),
        height=None if params.height is None else _enlarged(params.height, percent),
    )


def _enlarged(pixels: int, percent: int) -> int:
    return (pixels * percent + 50) // 100
