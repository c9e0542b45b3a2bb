"""The properties (``prop``) of file versions, with the functions that return their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wikiapi.api import Arr, Obj, iso
from wikiapi.filerepo import Description, File, FileVersion, Thumbnail, decode_metadata, pairs


class ListedVersion(NamedTuple):
    """A version of a file that an answer lists, with its thumbnails if the request has a size."""

    file: File
    version: FileVersion
    thumbnails: Thumbnails | None = None


class Thumbnails(NamedTuple):
    """The thumbnail of a version, and pictures for high-density screens by their factor.

    If no thumbnail can be made, ``usual`` is None and ``error`` says why.
    """

    usual: Thumbnail | None
    denser: Mapping[str, Thumbnail]
    error: str = ""


class VersionInfo(NamedTuple):
    """A version with all data from which its item in the answer is made."""

    file: File
    version: FileVersion
    thumbnails: Thumbnails | None
    description: Description | None
    comment_html: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class InfoOptions:
    """The requested properties, as names of PROPS, and the options for them.

    ``by_content`` collects extended metadata by the SHA-1 of the content.
    """

    props: frozenset[str]
    full_url: Callable[[str], str]
    metadata_version: str = "latest"
    extended_filter: tuple[str, ...] = ()
    by_content: dict[str, Mapping[str, Any]] = field(default_factory=dict)


class FileProp(NamedTuple):
    """A property: its name, its help, and the function that returns its values.

    ``hidden_with`` is the part of the version with which the property is hidden: ``content``,
    ``user``, ``comment`` or nothing. ``of_missing`` properties are shown for missing files too.
    """

    name: str
    help: str
    data: Callable[[VersionInfo, InfoOptions], Mapping[str, Any]]
    hidden_with: str = "content"
    of_missing: bool = False


def _timestamp(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    return {"timestamp": iso(info.version.timestamp)}


def _user(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    uploader = info.version.uploader
    return {"user": uploader.name if uploader else ""} | _anon(info)


def _user_id(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    uploader = info.version.uploader
    return {"userid": uploader.id if uploader else 0} | _anon(info)


def _anon(info: VersionInfo) -> dict[str, Any]:
    uploader = info.version.uploader
    return {"anon": True} if uploader and not uploader.is_registered else {}


def _size(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    version = info.version
    width, height = version.dimensions
    data: dict[str, Any] = {"size": version.size, "width": width, "height": height}
    return data | ({"duration": version.duration} if version.duration else {})


def _comment(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    return {"comment": info.version.comment}


def _parsed_comment(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    return {"parsedcomment": info.comment_html}


def _canonical_title(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    return {"canonicaltitle": info.file.title.prefixed_text}


def _url(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    data: dict[str, Any] = {}
    if info.version.exists:
        data = _thumb(info, options) | {"url": options.full_url(info.version.url)}
    description = info.description
    data["descriptionurl"] = options.full_url(description.url) if description else ""
    if description and description.short_url is not None:
        data["descriptionshorturl"] = options.full_url(description.short_url)
    return data


def _thumb(info: VersionInfo, options: InfoOptions) -> dict[str, Any]:
    if info.thumbnails is None:
        return {}
    thumbnail = info.thumbnails.usual
    if thumbnail is None:
        return {"thumberror": info.thumbnails.error} if info.thumbnails.error else {}
    size = info.version.dimensions if thumbnail.is_original else thumbnail.size
    data: dict[str, Any] = {
        "thumburl": options.full_url(thumbnail.url),
        "thumbwidth": size.width,
        "thumbheight": size.height,
    }
    if "thumbmime" in options.props and info.version.handler:
        data["thumbmime"] = thumbnail.mime
    if denser := info.thumbnails.denser:
        urls = {factor: options.full_url(picture.url) for factor, picture in denser.items()}
        data["responsiveUrls"] = Obj(urls)
    return data


def _nothing(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    """Return nothing, for a property that only changes the values of another one."""
    return {}


def _sha1(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    return {"sha1": info.version.sha1_hex}


def _mime(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    return {"mime": info.version.mime}


def _media_type(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    return {"mediatype": info.version.media_type}


def _metadata(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    metadata, handler = info.metadata, info.version.handler
    if handler and options.metadata_version != "latest":
        metadata = handler.convert_metadata(metadata, options.metadata_version)
    return {"metadata": listed(metadata) if metadata else None}


def _common_metadata(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    handler = info.version.handler
    return {"commonmetadata": listed(handler.common_metadata(info.metadata) if handler else {})}


def _extended_metadata(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    data = _shared_by_content(info, options)
    chosen = options.extended_filter
    entries = {n: Obj(entry) for n, entry in data.items() if not chosen or n in chosen}
    return {"extmetadata": Obj(entries) if entries else Arr()}


def _shared_by_content(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    """Return the extended metadata; equal files share it, as MediaWiki caches it by content."""
    own = extended_metadata(info.file, info.version)
    sha1 = info.version.sha1
    return options.by_content.setdefault(sha1, own) if sha1 else own


def _archive_name(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    name = info.version.archive_name
    return {} if name is None else {"archivename": name}


def _bit_depth(info: VersionInfo, options: InfoOptions) -> Mapping[str, Any]:
    return {"bitdepth": info.version.bits}


PROPS = (
    FileProp("timestamp", "When it was uploaded.", _timestamp, ""),
    FileProp("user", "Who uploaded it.", _user, "user"),
    FileProp("userid", "The id of the user who uploaded it.", _user_id, "user"),
    FileProp("comment", "The upload summary.", _comment, "comment"),
    FileProp("parsedcomment", "The upload summary as HTML.", _parsed_comment, "comment"),
    FileProp(
        "canonicaltitle",
        "The file's own title, even if a redirect led to it.",
        _canonical_title,
        of_missing=True,
    ),
    FileProp("url", "URLs of the file and of its description page.", _url, of_missing=True),
    FileProp("size", "Bytes, width, height, and duration if there is one.", _size, ""),
    FileProp("dimensions", "The same as size.", _size, ""),
    FileProp("sha1", "SHA-1 of the content.", _sha1),
    FileProp("mime", "MIME type.", _mime),
    FileProp("thumbmime", "MIME type of the thumbnail; needs url and a size.", _nothing),
    FileProp("mediatype", "Media type: BITMAP, DRAWING, AUDIO...", _media_type),
    FileProp("metadata", "Metadata in the file, under the names of its format.", _metadata),
    FileProp("commonmetadata", "The same, under names common to formats.", _common_metadata),
    FileProp("extmetadata", "Metadata from several sources, as HTML.", _extended_metadata),
    FileProp(
        "archivename",
        "The name under which an earlier version is kept.",
        _archive_name,
        of_missing=True,
    ),
    FileProp("bitdepth", "Bits per colour channel.", _bit_depth),
)
"""The properties of a version, in the order of MediaWiki's list."""


_SOURCE = "mediawiki-metadata"


def extended_metadata(file: File, version: FileVersion) -> Mapping[str, Any]:
    """Return the extended metadata of a version: its time, and a name made from the title.

    That is all that MediaWiki has without extensions. The extended metadata of a foreign
    repository is returned unchanged.
    """
    if file.extended_metadata is not None:
        return file.extended_metadata
    text = file.title.text
    stem, _, _ = text.rpartition(".")
    return {
        "DateTime": {"value": iso(version.timestamp), "source": _SOURCE, "hidden": ""},
        "ObjectName": {"value": stem or text, "source": _SOURCE},
    }


def metadata_list(stored: bytes | str | None) -> Arr | None:
    """Return metadata from its stored form as a list; None if there is none."""
    values, _ = decode_metadata(stored)
    return listed(values) if values else None


def listed(value: Any) -> Arr:
    """Return a mapping or list as a list of objects with ``name`` and ``value``."""
    return Arr((_named(name, one) for name, one in pairs(value)), "metadata")


def _named(name: str | int, value: Any) -> Obj:
    shown = listed(value) if isinstance(value, dict | list) else value
    return Obj({"name": name, "value": shown}, bools=("value",))
