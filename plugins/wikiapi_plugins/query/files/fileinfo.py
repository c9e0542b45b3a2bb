"""Items of file versions, shared by all modules that list files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any

from wikiapi.accounts import User
from wikiapi.api import Obj
from wikiapi.filerepo import Description, File, Hidden
from wikiapi.site import Site
from wikiapi.store.queries import visibility
from wikiapi.title import Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.authorship import readable_entry_bits
from wikiapi_plugins.query.files.fileprops import PROPS, InfoOptions, ListedVersion, VersionInfo

PROP_NAMES = tuple(prop.name for prop in PROPS)
PROP_HELP = tuple((prop.name, prop.help) for prop in PROPS)


def seen_of_files(user: User) -> int:
    """Return the bits of those hidden parts of versions that a user may see; not the content."""
    return readable_entry_bits(user) & (
        visibility.COMMENT | visibility.USER | visibility.RESTRICTED
    )


def disclosed(site: Site, user: User, files: Mapping[Title, File]) -> dict[Title, File]:
    """Return files, with the names of hidden uploaders if a user may see them.

    One query, if there are any.
    """
    hidden = {t: f for t, f in files.items() if f.is_local and f.current.hidden.user}
    seen = seen_of_files(user)
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
    hidden, seen, exists = info.version.hidden, info.version.readable, info.version.exists
    item = Obj()
    props = [prop for prop in PROPS if prop.name in options.props]
    for prop in props:
        part = prop.hidden_with
        is_open = not getattr(hidden, part, False) or getattr(seen, part, False)
        if (exists or prop.of_missing) and is_open:
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
