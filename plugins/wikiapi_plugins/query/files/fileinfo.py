"""Information about file versions: the properties (``prop``), and the items made from them.

All modules that list files share it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any, NamedTuple

from wikiapi.accounts import User
from wikiapi.api import Arr, Obj, iso
from wikiapi.filerepo import Description, File, FileVersion, decode_metadata, pairs
from wikiapi.site import Site
from wikiapi.store.queries import visibility
from wikiapi.title import Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.authorship import readable_entry_bits
from wikiapi_plugins.query.files.thumbnails import Thumbnails


class ListedVersion(NamedTuple):
    """A version of a file that an answer lists, with what is looked up for its item.

    ``thumbnails`` is None if the request has no size. The other values are empty unless a
    requested property needs them.
    """

    file: File
    version: FileVersion
    thumbnails: Thumbnails | None = None
    description: Description | None = None
    comment_html: str = ""
    metadata: Mapping[str, Any] = {}


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
    values: Callable[[ListedVersion, InfoOptions], Mapping[str, Any]]
    hidden_with: str = "content"
    of_missing: bool = False


def readable_file_bits(user: User) -> int:
    """Return the bits of those hidden parts of versions that a user may see; not the content."""
    return readable_entry_bits(user) & (
        visibility.COMMENT | visibility.USER | visibility.RESTRICTED
    )


def disclosed(site: Site, user: User, files: Mapping[Title, File]) -> dict[Title, File]:
    """Return files, with the names of hidden uploaders if a user may see them.

    One query, if there are any.
    """
    hidden = {t: f for t, f in files.items() if f.is_local and f.current.hidden.user}
    seen = readable_file_bits(user)
    if not hidden or not seen:
        return dict(files)
    names = {file.name for file in hidden.values()}
    versions = site.files.local.current_versions(names, seen)
    complete = {
        title: replace(file, current=versions[file.name])
        for title, file in hidden.items()
        if file.name in versions
    }
    return {**files, **complete}


def file_items(site: Site, options: InfoOptions, listed: Sequence[ListedVersion]) -> list[Obj]:
    """Return an item for each version, with at most one query for each kind of data."""
    props = options.props
    comments: Iterable[str] = repeat("", len(listed))
    if "parsedcomment" in props:
        comments = format_comments(
            site.parser, [(one.version.comment, one.file.title) for one in listed]
        )
    descriptions: Iterable[Description | None] = repeat(None, len(listed))
    if "url" in props:
        descriptions = site.files.descriptions([one.file for one in listed])
    metadata: Iterable[Mapping[str, Any]] = repeat({}, len(listed))
    if not props.isdisjoint(("metadata", "commonmetadata")):
        metadata = site.files.local.metadata([one.version for one in listed])
    return [
        _item(
            one._replace(description=description, comment_html=html, metadata=values),
            options,
        )
        for one, description, html, values in zip(
            listed, descriptions, comments, metadata, strict=True
        )
    ]


def _item(listed: ListedVersion, options: InfoOptions) -> Obj:
    """Return the properties that may be shown, and flags for those that are hidden.

    User and comment are flagged as hidden if they are requested, the content always.
    """
    version = listed.version
    hidden, seen = version.hidden, version.readable
    props = [prop for prop in PROPS if prop.name in options.props]
    item = Obj()
    for prop in props:
        part = prop.hidden_with
        is_open = not getattr(hidden, part, False) or getattr(seen, part, False)
        if (version.exists or prop.of_missing) and is_open:
            item |= prop.values(listed, options)
    parts = {prop.hidden_with for prop in props} if version.exists else set()
    flags = {
        "userhidden": hidden.user and "user" in parts,
        "commenthidden": hidden.comment and "comment" in parts,
        "filehidden": hidden.content,
    }
    item |= {name: True for name, is_set in flags.items() if is_set}
    if hidden.suppressed and any(flags.values()):
        item["suppressed"] = True
    if not version.exists and not hidden.content:
        item["filemissing"] = True
    return item


def _uploader(listed: ListedVersion, **values: Any) -> Mapping[str, Any]:
    """Return values, and ``anon`` if the uploader has no account."""
    uploader = listed.version.uploader
    return values | ({"anon": True} if uploader and not uploader.is_registered else {})


def _user(listed: ListedVersion, options: InfoOptions) -> Mapping[str, Any]:
    uploader = listed.version.uploader
    return _uploader(listed, user=uploader.name if uploader else "")


def _user_id(listed: ListedVersion, options: InfoOptions) -> Mapping[str, Any]:
    uploader = listed.version.uploader
    return _uploader(listed, userid=uploader.id if uploader else 0)


def _size(listed: ListedVersion, options: InfoOptions) -> Mapping[str, Any]:
    version = listed.version
    width, height = version.dimensions
    data: dict[str, Any] = {"size": version.size, "width": width, "height": height}
    return data | ({"duration": version.duration} if version.duration else {})


def _url(listed: ListedVersion, options: InfoOptions) -> Mapping[str, Any]:
    data: dict[str, Any] = {}
    if listed.version.exists:
        data = _thumb(listed, options) | {"url": options.full_url(listed.version.url)}
    description = listed.description
    data["descriptionurl"] = options.full_url(description.url) if description else ""
    if description and description.short_url is not None:
        data["descriptionshorturl"] = options.full_url(description.short_url)
    return data


def _thumb(listed: ListedVersion, options: InfoOptions) -> dict[str, Any]:
    if listed.thumbnails is None:
        return {}
    thumbnail = listed.thumbnails.usual
    if thumbnail is None:
        return {"thumberror": listed.thumbnails.error} if listed.thumbnails.error else {}
    size = listed.version.dimensions if thumbnail.is_original else thumbnail.size
    data: dict[str, Any] = {
        "thumburl": options.full_url(thumbnail.url),
        "thumbwidth": size.width,
        "thumbheight": size.height,
    }
    if "thumbmime" in options.props and listed.version.handler:
        data["thumbmime"] = thumbnail.mime
    if denser := listed.thumbnails.denser:
        urls = {factor: options.full_url(picture.url) for factor, picture in denser.items()}
        data["responsiveUrls"] = Obj(urls)
    return data


def _metadata(listed: ListedVersion, options: InfoOptions) -> Mapping[str, Any]:
    metadata, handler = listed.metadata, listed.version.handler
    if handler and options.metadata_version != "latest":
        metadata = handler.convert_metadata(metadata, options.metadata_version)
    return {"metadata": names_and_values(metadata) if metadata else None}


def _common_metadata(listed: ListedVersion, options: InfoOptions) -> Mapping[str, Any]:
    handler = listed.version.handler
    common = handler.common_metadata(listed.metadata) if handler else {}
    return {"commonmetadata": names_and_values(common)}


def _extended_metadata(listed: ListedVersion, options: InfoOptions) -> Mapping[str, Any]:
    data = extended_metadata(listed.file, listed.version)
    if sha1 := listed.version.sha1:
        # Equal files share the metadata of the first, as MediaWiki caches it by content.
        data = options.by_content.setdefault(sha1, data)
    names = options.extended_filter
    entries = {n: Obj(entry) for n, entry in data.items() if not names or n in names}
    return {"extmetadata": Obj(entries) if entries else Arr()}


def _archive_name(listed: ListedVersion, options: InfoOptions) -> Mapping[str, Any]:
    name = listed.version.archive_name
    return {} if name is None else {"archivename": name}


PROPS = (
    FileProp(
        "timestamp",
        "When it was uploaded.",
        lambda listed, _: {"timestamp": iso(listed.version.timestamp)},
        "",
    ),
    FileProp("user", "Who uploaded it.", _user, "user"),
    FileProp("userid", "The id of the user who uploaded it.", _user_id, "user"),
    FileProp(
        "comment",
        "The upload summary.",
        lambda listed, _: {"comment": listed.version.comment},
        "comment",
    ),
    FileProp(
        "parsedcomment",
        "The upload summary as HTML.",
        lambda listed, _: {"parsedcomment": listed.comment_html},
        "comment",
    ),
    FileProp(
        "canonicaltitle",
        "The file's own title, even if a redirect led to it.",
        lambda listed, _: {"canonicaltitle": listed.file.title.prefixed_text},
        of_missing=True,
    ),
    FileProp("url", "URLs of the file and of its description page.", _url, of_missing=True),
    FileProp("size", "Bytes, width, height, and duration if there is one.", _size, ""),
    FileProp("dimensions", "The same as size.", _size, ""),
    FileProp("sha1", "SHA-1 of the content.", lambda listed, _: {"sha1": listed.version.sha1_hex}),
    FileProp("mime", "MIME type.", lambda listed, _: {"mime": listed.version.mime}),
    # It only adds a value to those of url.
    FileProp("thumbmime", "MIME type of the thumbnail; needs url and a size.", lambda *_: {}),
    FileProp(
        "mediatype",
        "Media type: BITMAP, DRAWING, AUDIO...",
        lambda listed, _: {"mediatype": listed.version.media_type},
    ),
    FileProp("metadata", "Metadata in the file, under the names of its format.", _metadata),
    FileProp("commonmetadata", "The same, under names common to formats.", _common_metadata),
    FileProp("extmetadata", "Metadata from several sources, as HTML.", _extended_metadata),
    FileProp(
        "archivename",
        "The name under which an earlier version is kept.",
        _archive_name,
        of_missing=True,
    ),
    FileProp(
        "bitdepth",
        "Bits per colour channel.",
        lambda listed, _: {"bitdepth": listed.version.bits},
    ),
)
"""The properties of a version, in the order of MediaWiki's list."""
PROP_NAMES = tuple(prop.name for prop in PROPS)
PROP_HELP = tuple((prop.name, prop.help) for prop in PROPS)


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
    return names_and_values(values) if values else None


def names_and_values(value: Any) -> Arr:
    """Return a mapping or list as a list of objects with ``name`` and ``value``."""
    return Arr(
        (
            Obj(
                {
                    "name": name,
                    "value": names_and_values(one) if isinstance(one, dict | list) else one,
                },
                bools=("value",),
            )
            for name, one in pairs(value)
        ),
        "metadata",
    )
