"""The single facts that answers tell of a version of a file, by the name they are asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from wikiapi.api.params.types.timestamp import iso
from wikiapi.api.result import Arr, Obj
from wikiapi.filerepo.metadata import decode_metadata, pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wikiapi.filerepo.file import Description, File, FileVersion
    from wikiapi.filerepo.thumbnail import Thumbnail


@dataclass(slots=True)
class Telling:
    """A version to tell of, with what was looked up for it.

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
    """What to tell: names of PROPS, and how.

    ``by_content`` is what the answer has told so far of each content, by its SHA-1.
    """

    props: frozenset[str]
    full_url: Callable[[str], str]
    metadata_version: str = "latest"
    extended_filter: tuple[str, ...] = ()
    by_content: dict[str, Mapping[str, Any]] = field(default_factory=dict)


class FileProp(NamedTuple):
    """A fact: how it is called, what it means, how it is told.

    ``hidden_with`` is what must be hidden of the version for the fact not to be told: ``content``,
    ``user``, ``comment`` or nothing. ``of_missing`` facts are told even where there is no file.
    """

    name: str
    help: str
    tell: Callable[[Telling, Wanted], Mapping[str, Any]]
    hidden_with: str = "content"
    of_missing: bool = False


def _timestamp(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    return {"timestamp": iso(telling.version.timestamp)}


def _user(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    uploader = telling.version.uploader
    return {"user": uploader.name if uploader else ""} | _anon(telling)


def _user_id(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    uploader = telling.version.uploader
    return {"userid": uploader.id if uploader else 0} | _anon(telling)


def _anon(telling: Telling) -> dict[str, Any]:
    uploader = telling.version.uploader
    return {"anon": True} if uploader and not uploader.is_registered else {}


def _size(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    version = telling.version
    width, height = version.dimensions
    told: dict[str, Any] = {"size": version.size, "width": width, "height": height}
    return told | ({"duration": version.duration} if version.duration else {})


def _comment(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    return {"comment": telling.version.comment}


def _parsed_comment(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    return {"parsedcomment": telling.comment_html}


def _canonical_title(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    return {"canonicaltitle": telling.file.title.prefixed_text}


def _url(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    told: dict[str, Any] = {}
    if telling.version.exists:
        told = _thumb(telling, wanted) | {"url": wanted.full_url(telling.version.url)}
    description = telling.description
    told["descriptionurl"] = wanted.full_url(description.url) if description else ""
    if description and description.short_url is not None:
        told["descriptionshorturl"] = wanted.full_url(description.short_url)
    return told


def _thumb(telling: Telling, wanted: Wanted) -> dict[str, Any]:
    thumbnail = telling.thumbnail
    if thumbnail is None:
        return {"thumberror": telling.thumb_error} if telling.thumb_error else {}
    size = telling.version.dimensions if thumbnail.is_original else thumbnail.size
    told: dict[str, Any] = {
        "thumburl": wanted.full_url(thumbnail.url),
        "thumbwidth": size.width,
        "thumbheight": size.height,
    }
    if "thumbmime" in wanted.props and telling.version.handler:
        told["thumbmime"] = thumbnail.mime
    if telling.responsive:
        urls = {key: wanted.full_url(denser.url) for key, denser in telling.responsive.items()}
        told["responsiveUrls"] = Obj(urls)
    return told


def _nothing(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    """For words that change what another fact tells."""
    return {}


def _sha1(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    return {"sha1": telling.version.sha1_hex}


def _mime(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    return {"mime": telling.version.mime}


def _media_type(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    return {"mediatype": telling.version.media_type}


def _metadata(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    metadata, handler = telling.metadata, telling.version.handler
    if handler and wanted.metadata_version != "latest":
        metadata = handler.convert_metadata(metadata, wanted.metadata_version)
    return {"metadata": listed(metadata) if metadata else None}


def _common_metadata(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    handler = telling.version.handler
    return {"commonmetadata": listed(handler.common_metadata(telling.metadata) if handler else {})}


def _extended_metadata(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    told = _shared_by_content(telling, wanted)
    chosen = wanted.extended_filter
    entries = {n: Obj(entry) for n, entry in told.items() if not chosen or n in chosen}
    return {"extmetadata": Obj(entries) if entries else Arr()}


def _shared_by_content(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    """MediaWiki keeps this by content: of files that are the same the first one's is told."""
    own = extended_metadata(telling.file, telling.version)
    sha1 = telling.version.sha1
    return wanted.by_content.setdefault(sha1, own) if sha1 else own


def _archive_name(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    name = telling.version.archive_name
    return {} if name is None else {"archivename": name}


def _bit_depth(telling: Telling, wanted: Wanted) -> Mapping[str, Any]:
    return {"bitdepth": telling.version.bits}


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
