"""Items of file versions, shared by all modules that list files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any

from wikiapi.api import Obj
from wikiapi.filerepo import Description, Hidden
from wikiapi.site import Site
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.files.fileprops import PROPS, InfoOptions, ListedVersion, VersionInfo

PROP_NAMES = tuple(prop.name for prop in PROPS)
PROP_HELP = tuple((prop.name, prop.help) for prop in PROPS)


def file_items(site: Site, options: InfoOptions, listed: Sequence[ListedVersion]) -> list[Obj]:
    """Return an item for each version, with at most one query for each kind of data."""
    return [_item(info, options) for info in _infos(site, options.props, listed)]


def _infos(
    site: Site, props: frozenset[str], listed: Sequence[ListedVersion]
) -> Iterator[VersionInfo]:
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
    for one, description, html, values in zip(
        listed, descriptions, comments, metadata, strict=True
    ):
        yield VersionInfo(one.file, one.version, one.thumbnails, description, html, values)


def _item(info: VersionInfo, options: InfoOptions) -> Obj:
    """Return the properties that may be shown, and flags for those that are hidden."""
    hidden, exists = info.version.hidden, info.version.exists
    item = Obj()
    props = [prop for prop in PROPS if prop.name in options.props]
    for prop in props:
        if (exists or prop.of_missing) and not getattr(hidden, prop.hidden_with, False):
            item |= prop.data(info, options)
    item |= _hidden_flags(hidden, {prop.hidden_with for prop in props} if exists else set())
    if not exists and not hidden.content:
        item["filemissing"] = True
    return item


def _hidden_flags(hidden: Hidden, parts: set[str]) -> dict[str, Any]:
    """Return flags for hidden parts: for user and comment if requested, for the file always."""
    flags: dict[str, Any] = {}
    if hidden.user and "user" in parts:
        flags["userhidden"] = True
    if hidden.comment and "comment" in parts:
        flags["commenthidden"] = True
    if hidden.content:
        flags["filehidden"] = True
    return flags | ({"suppressed": True} if flags and hidden.suppressed else {})
