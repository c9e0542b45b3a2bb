"""Items of versions of files, shared by every module that lists files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wikiapi.api import Obj
from wikiapi.filerepo import Hidden
from wikiapi.site import Site
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.files.fileprops import PROPS, Lookup, Wanted

PROP_NAMES = tuple(prop.name for prop in PROPS)
PROP_HELP = tuple((prop.name, prop.help) for prop in PROPS)


def file_items(site: Site, wanted: Wanted, lookups: Sequence[Lookup]) -> list[Obj]:
    """Return an item for each version. At most one query for each kind of thing looked up."""
    _look_up(site, wanted, lookups)
    return [_item(lookup, wanted) for lookup in lookups]


def _look_up(site: Site, wanted: Wanted, lookups: Sequence[Lookup]) -> None:
    if "parsedcomment" in wanted.props:
        comments = [(lookup.version.comment, lookup.file.title) for lookup in lookups]
        for lookup, html in zip(lookups, format_comments(site, comments), strict=True):
            lookup.comment_html = html
    if "url" in wanted.props:
        descriptions = site.files.descriptions([lookup.file for lookup in lookups])
        for lookup, description in zip(lookups, descriptions, strict=True):
            lookup.description = description
    if not wanted.props.isdisjoint(("metadata", "commonmetadata")):
        metadata = site.files.local.metadata([lookup.version for lookup in lookups])
        for lookup, known in zip(lookups, metadata, strict=True):
            lookup.metadata = known


def _item(lookup: Lookup, wanted: Wanted) -> Obj:
    """Return what may be shown; of what is hidden, that it is."""
    hidden, exists = lookup.version.hidden, lookup.version.exists
    item = Obj()
    asked = [prop for prop in PROPS if prop.name in wanted.props]
    for prop in asked:
        if (exists or prop.of_missing) and not getattr(hidden, prop.hidden_with, False):
            item |= prop.data(lookup, wanted)
    concerned = {prop.hidden_with for prop in asked} if exists else set()
    item |= _notes(hidden, concerned)
    if not exists and not hidden.content:
        item["filemissing"] = True
    return item


def _notes(hidden: Hidden, concerned: set[str]) -> dict[str, Any]:
    """Return what is hidden: user and comment where they are asked for, the file in any case."""
    notes: dict[str, Any] = {}
    if hidden.user and "user" in concerned:
        notes["userhidden"] = True
    if hidden.comment and "comment" in concerned:
        notes["commenthidden"] = True
    if hidden.content:
        notes["filehidden"] = True
    return notes | ({"suppressed": True} if notes and hidden.suppressed else {})
