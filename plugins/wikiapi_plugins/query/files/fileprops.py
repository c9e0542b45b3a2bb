"""The single facts about a version of a file, by the name they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wikiapi.api import Arr, Obj, iso
from wikiapi.filerepo import Description, File, FileVersion, Thumbnail
from wikiapi.filerepo.metadata import decode_metadata, pairs


@dataclass(slots=True)
class Lookup:
    """A version that is listed, with what was looked up for it.

    ``responsive`` are pictures for denser screens by their factor; ``thumb_error`` says why a
    thumbnail that was asked for cannot be made.
    """

    file: File
    version: FileVersion
    thumbnail: Thumbnail | None = None
    responsive: Mapping[str, Thumbnail] = field(default_factory=dict)
    thumb_error: str = ""
    description: Description | None = None
    comment_html: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for: names of PROPS, and options.

    ``by_content`` holds the extended metadata of each content so far, by its SHA-1.
    """

    props: frozenset[str]
    full_url: Callable[[str], str]
    metadata_version: str = "latest"
    extended_filter: tuple[str, ...] = ()
    by_content: dict[str, Mapping[str, Any]] = field(default_factory=dict)


class FileProp(NamedTuple):
    """A fact: how it is called, what it means, what makes its data.

    ``hidden_with`` is what must be hidden of the version for the fact to be left out:
    ``content``, ``user``, ``comment`` or nothing. ``of_missing`` facts need no file.
    """

    name: str
    help: str
    data: Callable[[Lookup, Wanted], Mapping[str, Any]]
    hidden_with: str = "content"
    of_missing: bool = False


def _timestamp(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    return {"timestamp": iso(lookup.version.timestamp)}


def _user(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    uploader = lookup.version.uploader
    return {"user": uploader.name if uploader else ""} | _anon(lookup)


def _user_id(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    uploader = lookup.version.uploader
    return {"userid": uploader.id if uploader else 0} | _anon(lookup)


def _anon(lookup: Lookup) -> dict[str, Any]:
    uploader = lookup.version.uploader
    return {"anon": True} if uploader and not uploader.is_registered else {}


def _size(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    version = lookup.version
    width, height = version.dimensions
    data: dict[str, Any] = {"size": version.size, "width": width, "height": height}
    return data | ({"duration": version.duration} if version.duration else {})


def _comment(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    return {"comment": lookup.version.comment}


def _parsed_comment(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    return {"parsedcomment": lookup.comment_html}


def _canonical_title(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    return {"canonicaltitle": lookup.file.title.prefixed_text}


def _url(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    data: dict[str, Any] = {}
    if lookup.version.exists:
        data = _thumb(lookup, wanted) | {"url": wanted.full_url(lookup.version.url)}
    description = lookup.description
    data["descriptionurl"] = wanted.full_url(description.url) if description else ""
    if description and description.short_url is not None:
        data["descriptionshorturl"] = wanted.full_url(description.short_url)
    return data


def _thumb(lookup: Lookup, wanted: Wanted) -> dict[str, Any]:
    thumbnail = lookup.thumbnail
    if thumbnail is None:
        return {"thumberror": lookup.thumb_error} if lookup.thumb_error else {}
    size = lookup.version.dimensions if thumbnail.is_original else thumbnail.size
    data: dict[str, Any] = {
        "thumburl": wanted.full_url(thumbnail.url),
        "thumbwidth": size.width,
        "thumbheight": size.height,
    }
    if "thumbmime" in wanted.props and lookup.version.handler:
        data["thumbmime"] = thumbnail.mime
    if lookup.responsive:
        urls = {key: wanted.full_url(denser.url) for key, denser in lookup.responsive.items()}
        data["responsiveUrls"] = Obj(urls)
    return data


def _nothing(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    """Return nothing, for words that change what another fact holds."""
    return {}


def _sha1(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    return {"sha1": lookup.version.sha1_hex}


def _mime(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    return {"mime": lookup.version.mime}


def _media_type(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    return {"mediatype": lookup.version.media_type}


def _metadata(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    metadata, handler = lookup.metadata, lookup.version.handler
    if handler and wanted.metadata_version != "latest":
        metadata = handler.convert_metadata(metadata, wanted.metadata_version)
    return {"metadata": listed(metadata) if metadata else None}


def _common_metadata(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    handler = lookup.version.handler
    return {"commonmetadata": listed(handler.common_metadata(lookup.metadata) if handler else {})}


def _extended_metadata(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    data = _shared_by_content(lookup, wanted)
    chosen = wanted.extended_filter
    entries = {n: Obj(entry) for n, entry in data.items() if not chosen or n in chosen}
    return {"extmetadata": Obj(entries) if entries else Arr()}


def _shared_by_content(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    """Return what MediaWiki caches by content: files that are the same share the first one's."""
    own = extended_metadata(lookup.file, lookup.version)
    sha1 = lookup.version.sha1
    return wanted.by_content.setdefault(sha1, own) if sha1 else own


def _archive_name(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    name = lookup.version.archive_name
    return {} if name is None else {"archivename": name}


def _bit_depth(lookup: Lookup, wanted: Wanted) -> Mapping[str, Any]:
    return {"bitdepth": lookup.version.bits}


PROPS = (
    FileProp("timestamp", "When it was uploaded.", _timestamp, ""),
    FileProp("user", "Who uploaded it.", _user, "user"),
    FileProp("userid", "The id of who uploaded it.", _user_id, "user"),
    FileProp("comment", "The upload summary.", _comment, "comment"),
    FileProp("parsedcomment", "The upload summary as HTML.", _parsed_comment, "comment"),
    FileProp(
        "canonicaltitle",
        "The file's own title, where a redirect may have led to it.",
        _canonical_title,
        of_missing=True,
    ),
    FileProp("url", "Addresses of the file and of its description.", _url, of_missing=True),
    FileProp("size", "Bytes, width, height, and duration where there is one.", _size, ""),
    FileProp("dimensions", "The same as size.", _size, ""),
    FileProp("sha1", "SHA-1 of the content.", _sha1),
    FileProp("mime", "MIME type.", _mime),
    FileProp("thumbmime", "MIME type of the thumbnail that url and a size ask for.", _nothing),
    FileProp("mediatype", "Media type: BITMAP, DRAWING, AUDIO...", _media_type),
    FileProp("metadata", "What the file says of itself, as its format names it.", _metadata),
    FileProp("commonmetadata", "The same under names that formats share.", _common_metadata),
    FileProp("extmetadata", "What several sources say of it, as HTML.", _extended_metadata),
    FileProp(
        "archivename",
        "The name an earlier version is kept under.",
        _archive_name,
        of_missing=True,
    ),
    FileProp("bitdepth", "Bits per colour channel.", _bit_depth),
)
"""What may be asked of a version, in the order of MediaWiki's list."""


_SOURCE = "mediawiki-metadata"


def extended_metadata(file: File, version: FileVersion) -> Mapping[str, Any]:
    """The extended metadata of a version: its moment, and a name made of the title.

    That is what MediaWiki knows without extensions. A foreign repository has put its own together,
    and that is taken as it is.
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
    """The metadata of a stored text; None if there is none."""
    values, _ = decode_metadata(stored)
    return listed(values) if values else None


def listed(value: Any) -> Arr:
    """A mapping or list as objects with ``name`` and ``value``."""
    return Arr((_named(name, one) for name, one in pairs(value)), "metadata")


def _named(name: str | int, value: Any) -> Obj:
    shown = listed(value) if isinstance(value, dict | list) else value
    return Obj({"name": name, "value": shown}, bools=("value",))
