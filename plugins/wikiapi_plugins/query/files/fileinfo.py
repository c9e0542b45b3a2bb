"""What answers tell of a version of a file: shared by every module that lists files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.result import Obj
from wikiapi.wikitext.comment import format_comments
from wikiapi_plugins.query.files.fileprops import PROPS, Telling, Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.filerepo.file import Hidden
    from wikiapi.site import Site

PROP_NAMES = tuple(prop.name for prop in PROPS)
PROP_HELP = tuple((prop.name, prop.help) for prop in PROPS)


def tell(site: Site, wanted: Wanted, tellings: Sequence[Telling]) -> list[Obj]:
    """An object for each version. At most one query for each kind of thing looked up."""
    _look_up(site, wanted, tellings)
    return [_told(telling, wanted) for telling in tellings]


def _look_up(site: Site, wanted: Wanted, tellings: Sequence[Telling]) -> None:
    if "parsedcomment" in wanted.props:
        comments = [(telling.version.comment, telling.file.title) for telling in tellings]
        for telling, html in zip(tellings, format_comments(site, comments), strict=True):
            telling.comment_html = html
    if "url" in wanted.props:
        descriptions = site.files.descriptions([telling.file for telling in tellings])
        for telling, description in zip(tellings, descriptions, strict=True):
            telling.description = description
    if not wanted.props.isdisjoint(("metadata", "commonmetadata")):
        metadata = site.files.local.metadata([telling.version for telling in tellings])
        for telling, known in zip(tellings, metadata, strict=True):
            telling.metadata = known


def _told(telling: Telling, wanted: Wanted) -> Obj:
    """What may be told; of what is hidden, that it is."""
    hidden, exists = telling.version.hidden, telling.version.exists
    item = Obj()
    asked = [prop for prop in PROPS if prop.name in wanted.props]
    for prop in asked:
        if (exists or prop.of_missing) and not getattr(hidden, prop.hidden_with, False):
            item |= prop.tell(telling, wanted)
    concerned = {prop.hidden_with for prop in asked} if exists else set()
    item |= _notes(hidden, concerned)
    if not exists and not hidden.content:
        item["filemissing"] = True
    return item


def _notes(hidden: Hidden, concerned: set[str]) -> dict[str, Any]:
    """That something is hidden: of user and comment where they were asked for, always of files."""
    notes: dict[str, Any] = {}
    if hidden.user and "user" in concerned:
        notes["userhidden"] = True
    if hidden.comment and "comment" in concerned:
        notes["commenthidden"] = True
    if hidden.content:
        notes["filehidden"] = True
    return notes | ({"suppressed": True} if notes and hidden.suppressed else {})
