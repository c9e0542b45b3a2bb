"""What the answer to an upload says about the file: warnings, and its ``imageinfo``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wikiapi.api import Arr, Obj, WriteAction, iso
from wikiapi.filerepo import File, extension
from wikiapi.site import Site
from wikiapi.store import bounds
from wikiapi.store.models import Archive, FileArchive, Image, ImageLinks
from wikiapi.store.queries import files as stored_files
from wikiapi.title import FILE, Title
from wikiapi_plugins.editing.files.names import Destination
from wikiapi_plugins.editing.files.versions import FilePage, FileVersions
from wikiapi_plugins.query.files.fileinfo import (
    PROP_NAMES,
    InfoOptions,
    ListedVersion,
    extended_metadata,
    file_items,
)
from wikiapi_plugins.query.files.imageinfo import (
    CAMERA_NAMES,
    existence_warning,
    thumb_of,
    upload_warnings,
)
from wikiapi_plugins.query.files.stash import Stashed, stashed_file
from wikiapi_plugins.query.files.stashimageinfo import PROPS_OF_STASHES


def warnings_about(
    action: WriteAction,
    target: Destination,
    page: FilePage,
    sha1: str,
    elsewhere: Sequence[File] = (),
) -> Obj:
    """Return the warnings about an upload by their names. At most seven queries.

    ``elsewhere`` are the files of shared repositories with the same content.
    """
    warnings = Obj()
    title, current = page.title, page.current
    name = title.dbkey
    desired = target.desired.replace(" ", "_")
    is_upper = action.site.namespaces[FILE].first_letter
    if name not in (desired, action.site.titles.capitalise(desired) if is_upper else desired):
        warnings["badfilename"] = name
    if current is not None:
        warnings["exists"] = name
        if current.sha1 == sha1:
            warnings["nochange"] = Obj({"timestamp": iso(current.timestamp)})
        if same := FileVersions(action).of_content(name, sha1):
            times = (Obj({"timestamp": iso(old.timestamp)}) for old in same)
            warnings["duplicateversions"] = Arr(times, "ver")
    else:
        warnings |= _of_similar(action, page)
        deleted = Archive.select(Archive.ar_id).where(
            Archive.ar_namespace == title.ns, Archive.ar_title == title.dbkey
        )
        if action.db.scalar(deleted.limit(1)) is not None:
            warnings["was-deleted"] = name
    if duplicates := _duplicates(action, title, sha1, elsewhere, exists=current is not None):
        warnings["duplicate"] = Arr(duplicates, "duplicate")
    archived = FileArchive.select(FileArchive.fa_name).where(FileArchive.fa_sha1 == sha1)
    archived_name = action.db.scalar(archived.order_by(FileArchive.fa_timestamp.desc()).limit(1))
    if sha1 and archived_name is not None:
        warnings["duplicate-archive"] = archived_name
    return warnings


def _of_similar(action: WriteAction, page: FilePage) -> dict[str, Any]:
    """Return at most one warning about the name of a file that does not exist yet."""
    name = page.title.dbkey
    if page.row is not None:
        return {"page-exists": name}
    stem, _, ending = name.rpartition(".")
    others = [f"{stem}.{extension(name)}"] if extension(name) != ending else []
    if normalised := stored_files.existing(action.db, others):
        return {"exists-normalized": normalised.pop()}
    query = Image.select(Image.img_name).where(*bounds.with_prefix(Image.img_name, f"{stem}."))
    if similar := action.db.scalar(query.order_by(Image.img_name).limit(1)):
        return {"exists-normalized": similar}
    if thumb := thumb_of(action.site, page.title):
        is_there = stored_files.existing(action.db, [thumb.dbkey])
        return {"thumb" if is_there else "thumb-name": name}
    if name.startswith(CAMERA_NAMES):
        return {"bad-prefix": name}
    return {}


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


def missing_file_warning(site: Site, title: Title) -> str | None:
    """Return the warning that a file exists as it looks before the file is published.

    MediaWiki caches for a day that a file is missing, and answers an upload from this cache. So a
    file that a page shows already is missing in the warning. ``None`` if none shows it. One query.
    """
    uses = ImageLinks.select(ImageLinks.il_from).where(ImageLinks.il_to == title.dbkey)
    return existence_warning(site, title) if site.db.row(uses.limit(1)) else None


def published_info(
    site: Site,
    title: Title,
    *,
    is_new_page: bool,
    former: Stashed | None,
    warning: str | None = None,
) -> Obj:
    """Return the information about a file that was just published.

    The HTML of the warnings about it is added when the transaction is committed, because it takes
    some time.

    Args:
        site: the wiki.
        title: the title of the file.
        is_new_page: whether its page was created with it. The answer then has no short URL,
            because MediaWiki does not know the page id yet.
        former: the stashed file that was published, if it came from the stash.
        warning: what :func:`missing_file_warning` has returned.
    """
    file = site.files.local.find([title.dbkey])[title.dbkey]
    options = _options(site, PROP_NAMES)
    if former is not None and (before := stashed_file(site, former)):
        # MediaWiki caches extended metadata by content, so that a published file still has the
        # object name that it had in the stash.
        shared = extended_metadata(before, before.current)
        options.by_content[file.current.sha1] = shared
    item = _item(site, options, file)
    item["html"] = warning or ""
    if warning is None:
        site.db.on_commit(lambda: item.update(html=upload_warnings(site, [file])[0]))
    if is_new_page:
        item.pop("descriptionshorturl", None)
    return item


def stashed_info(site: Site, stashed: Stashed) -> Obj | None:
    """Return the information about a stashed file; ``None`` if chunks are missing."""
    file = stashed_file(site, stashed)
    return _item(site, _options(site, PROPS_OF_STASHES), file) if file else None


def _options(site: Site, props: tuple[str, ...]) -> InfoOptions:
    return InfoOptions(frozenset(props), site.files.full_url)


def _item(site: Site, options: InfoOptions, file: File) -> Obj:
    return file_items(site, options, [ListedVersion(file, file.current)])[0]
