"""The warnings about an upload before it is published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wikiapi.api import Arr, Obj, iso
from wikiapi.filerepo import File
from wikiapi.filerepo.paths import extension
from wikiapi.store.models import Archive, FileArchive, Image
from wikiapi.store.queries import files as stored_files
from wikiapi.store.queries import pages
from wikiapi.store.sql import bounds
from wikiapi.title import FILE, Title
from wikiapi.title.codec import capitalise
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.files.names import Destination
from wikiapi_plugins.editing.files.versions import FileVersions
from wikiapi_plugins.query.files.imageinfo import CAMERA_NAMES, thumb_of


def warnings_about(
    action: WriteAction,
    target: Destination,
    title: Title,
    sha1: str,
    elsewhere: Sequence[File] = (),
) -> Obj:
    """Return the warnings about an upload by their names. At most eight queries.

    ``elsewhere`` are the files of shared repositories with the same content.
    """
    warnings = Obj()
    name = title.dbkey
    desired = target.desired.replace(" ", "_")
    if name not in (desired, _capitalised(action, desired)):
        warnings["badfilename"] = name
    current = FileVersions(action).current(name)
    if current is not None:
        warnings["exists"] = name
        if current.sha1 == sha1:
            warnings["nochange"] = Obj({"timestamp": iso(current.timestamp)})
        same = [old for old in FileVersions(action).earlier(name) if old.sha1 == sha1]
        if same:
            times = (Obj({"timestamp": iso(old.timestamp)}) for old in same)
            warnings["duplicateversions"] = Arr(times, "ver")
    else:
        warnings |= _of_similar(action, title)
        if _was_deleted(action, title):
            warnings["was-deleted"] = name
    if duplicates := _duplicates(action, title, sha1, elsewhere, exists=current is not None):
        warnings["duplicate"] = Arr(duplicates, "duplicate")
    archived = FileArchive.select(FileArchive.fa_name).where(FileArchive.fa_sha1 == sha1)
    found = action.db.scalar(archived.order_by(FileArchive.fa_timestamp.desc()).limit(1))
    if sha1 and found is not None:
        warnings["duplicate-archive"] = found
    return warnings


def _capitalised(action: WriteAction, name: str) -> str:
    is_upper = action.site.namespaces[FILE].first_letter
    return capitalise(name) if is_upper else name


def _of_similar(action: WriteAction, title: Title) -> dict[str, Any]:
    """Return at most one warning about the name of a file that does not exist yet."""
    name = title.dbkey
    if pages.existing(action.db, [title.key]):
        return {"page-exists": name}
    stem, _, ending = name.rpartition(".")
    others = [f"{stem}.{extension(name)}"] if extension(name) != ending else []
    if found := stored_files.existing(action.db, others):
        return {"exists-normalized": found.pop()}
    query = Image.select(Image.img_name).where(*bounds.with_prefix(Image.img_name, f"{stem}."))
    if similar := action.db.scalar(query.order_by(Image.img_name).limit(1)):
        return {"exists-normalized": similar}
    if thumb := thumb_of(action.site, title):
        is_there = stored_files.existing(action.db, [thumb.dbkey])
        return {"thumb" if is_there else "thumb-name": name}
    if name.startswith(CAMERA_NAMES):
        return {"bad-prefix": name}
    return {}


def _was_deleted(action: WriteAction, title: Title) -> bool:
    query = Archive.select(Archive.ar_id).where(
        Archive.ar_namespace == title.ns, Archive.ar_title == title.dbkey
    )
    return action.db.scalar(query.limit(1)) is not None


def _duplicates(
    action: WriteAction, title: Title, sha1: str, elsewhere: Sequence[File], *, exists: bool
) -> list[str]:
    """Return the names of other files with the same content."""
    own = action.site.files.by_sha1([sha1], local_only=True).get(sha1, [])
    return [
        file.name
        for file in (*own, *elsewhere)
        if file.name != title.dbkey or (file.is_local and not exists)
    ]
