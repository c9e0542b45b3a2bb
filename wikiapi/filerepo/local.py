"""The repository of the wiki's own files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from wikiapi.filerepo import paths
from wikiapi.filerepo.file import (
    Description,
    File,
    FileVersion,
    Hidden,
    Thumbnail,
    ThumbRequest,
    Uploader,
    icon,
)
from wikiapi.filerepo.media.image import ImageHandler
from wikiapi.filerepo.metadata import decode_blob
from wikiapi.filerepo.scaling import Scaled, Size
from wikiapi.store.queries import files as stored_files
from wikiapi.store.queries import pages, texts
from wikiapi.store.queries.files import Span
from wikiapi.store.queries.visibility import COMMENT, RESTRICTED, TEXT, USER, is_hidden
from wikiapi.title.namespaces import FILE
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki

NAME = "local"


class LocalRepository:
    """The files of the image tables, in MediaWiki's hashed folders."""

    name = NAME
    is_local = True
    is_remote = False

    def __init__(self, site: Wiki) -> None:
        """Use the addresses in the site's configuration."""
        self._site = site
        self._config = site.config.files
        self._url = self._config.url.rstrip("/")
        self._thumb_url = self._config.thumbnail_url.rstrip("/") or f"{self._url}/thumb"

    def find(self, names: Iterable[str]) -> dict[str, File]:
        """Return the files with these names. One query; three if some are redirects or missing."""
        requested = list(dict.fromkeys(names))
        rows = stored_files.by_names(self._site.db, requested)
        by_name = {name: self._file(row, name) for name, row in rows.items()}
        if len(by_name) < len(requested):
            by_name |= self._follow(name for name in requested if name not in by_name)
        return by_name

    def existing(self, names: Iterable[str]) -> set[str]:
        """Return the names that are files or redirects to files."""
        requested = list(dict.fromkeys(names))
        present = stored_files.existing(self._site.db, requested)
        rest = [name for name in requested if name not in present]
        if rest:
            targets = stored_files.redirect_targets(self._site.db, rest)
            real = stored_files.existing(self._site.db, targets.values()) if targets else set()
            present |= {name for name, target in targets.items() if target in real}
        return present

    def current_versions(self, names: Iterable[str], readable: int) -> dict[str, FileVersion]:
        """Return the current versions of files by name, with hidden values. One query.

        ``readable`` contains the visibility bits of those hidden values that the reader may see.
        """
        rows = stored_files.by_names(self._site.db, names, readable)
        return {name: self._version(row, name) for name, row in rows.items()}

    def history(
        self, files: Sequence[File], span: Span, readable: int = 0
    ) -> dict[str, list[FileVersion]]:
        """Return the earlier versions of files by file name, newest first. One query.

        ``readable`` contains the visibility bits of hidden values that the reader may see.
        """
        names = [file.name for file in files]
        rows = stored_files.span_of_history(self._site.db, names, span, readable)
        return {
            name: [self._version(row, name) for row in versions] for name, versions in rows.items()
        }

    def by_sha1(self, hashes: Iterable[str]) -> dict[str, list[File]]:
        """Return the files with each SHA-1. One query."""
        rows = stored_files.by_sha1(self._site.db, hashes)
        return {sha1: [self.file_of(row) for row in same] for sha1, same in rows.items()}

    def descriptions(self, files: Sequence[File]) -> list[Description]:
        """Return the description pages of files. One query."""
        stored = pages.by_titles(self._site.db, {file.title.key for file in files})
        ids = {key: row.page_id for key, row in stored.items()}
        return [self._description(file, ids.get(file.title.key)) for file in files]

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> list[Thumbnail | None]:
        """Return the thumbnails, whether or not they have been created yet."""
        return [self.thumbnail(request) for request in requests]

    def thumbnail(self, request: ThumbRequest) -> Thumbnail | None:
        """Return a thumbnail, or ``None`` if its parameters give no size."""
        file, version, params = request
        handler = version.handler
        if handler is None or not (handler.renders and version.exists and all(version.dimensions)):
            return icon(paths.extension(file.name), self._site.config.site.script_path)
        scaled = handler.normalise(params, version.dimensions)
        if scaled is None:
            return None
        kind = handler.type_of_thumb(file.name, version.mime)
        if self._shows_original(handler, scaled, version):
            return Thumbnail(version.url, scaled.display, is_original=True, mime=kind.mime)
        name = f"{handler.write_params(params, scaled)}-{file.name}"
        if kind.extension != paths.extension(file.name):
            name += f".{kind.extension}"
        url = f"{version.thumb_folder}/{quote(name, safe='')}"
        return Thumbnail(url, scaled.display, mime=kind.mime)

    def metadata(self, versions: Sequence[FileVersion]) -> list[Mapping[str, Any]]:
        """Return the complete metadata of each version. One query if any is stored separately."""
        addresses = {a for version in versions for a in version.metadata_addresses.values()}
        blobs = texts.by_addresses(self._site.db, addresses) if addresses else {}
        return [_complete(version, blobs) for version in versions]

    def file_of(self, row: stored_files.FileVersion) -> File:
        """Return the file of a row that the caller has read."""
        return self._file(row, row.name)

    def absent(self, title: Title) -> File:
        """Return an object for a file that does not exist."""
        path = paths.file_path(title.dbkey, self._config.hash_levels)
        nothing = FileVersion(
            timestamp="",
            uploader=None,
            comment="",
            size=0,
            dimensions=Size(0, 0),
            bits=0,
            mime="unknown/unknown",
            media_type="UNKNOWN",
            sha1="",
            stored_metadata=None,
            url=f"{self._url}/{path}",
            exists=False,
        )
        return File(title, title.dbkey, self, nothing)

    def info(self) -> dict[str, Any]:
        """Return the answer of ``meta=filerepoinfo``."""
        site = self._site.config.site
        return {
            "name": self.name,
            "displayname": site.name,
            "rootUrl": self._url,
            "local": True,
            "url": self._url,
            "thumbUrl": self._thumb_url,
            "initialCapital": self._site.namespaces[FILE].first_letter,
            "scriptDirUrl": site.script_path,
            "favicon": f"{site.server}/favicon.ico",
            "canUpload": self._site.config.files.uploads,
        }

    def _follow(self, names: Iterable[str]) -> dict[str, File]:
        targets = stored_files.redirect_targets(self._site.db, names)
        if not targets:
            return {}
        rows = stored_files.by_names(self._site.db, targets.values())
        return {
            name: self._file(rows[target], name)
            for name, target in targets.items()
            if target in rows
        }

    def _file(self, row: stored_files.FileVersion, requested: str) -> File:
        title = self._site.titles.make(FILE, row.name)
        return File(title, requested, self, self._version(row, row.name))

    def _version(self, row: stored_files.FileVersion, name: str) -> FileVersion:
        path = paths.file_path(name, self._config.hash_levels, row.archive_name)
        return FileVersion(
            timestamp=row.timestamp,
            uploader=None if row.user_name is None else Uploader(row.user_name, row.user_id or 0),
            comment=row.comment or "",
            size=row.size,
            dimensions=Size(row.width, row.height),
            bits=row.bits,
            mime=row.mime,
            media_type=row.media_type or "UNKNOWN",
            sha1=row.sha1 or "",
            stored_metadata=row.metadata,
            url=f"{self._url}/{path}",
            thumb_folder=f"{self._thumb_url}/{path}",
            archive_name=row.archive_name if row.is_old else None,
            hidden=_hidden(row.deleted),
            readable=_hidden(row.readable),
            exists=bool(row.archive_name) or not row.is_old,
        )

    def _description(self, file: File, page_id: int | None) -> Description:
        site = self._site
        short = None
        if page_id is not None:
            script = f"{site.config.site.server}{site.config.site.script_path}/index.php"
            short = f"{script}?curid={page_id}"
        return Description(site.page_url(file.title), short)

    def _shows_original(self, handler: ImageHandler, scaled: Scaled, version: FileVersion) -> bool:
        """Return whether the file itself is sent, for browsers to scale."""
        if handler.is_vector:
            return not self._config.svg_thumbnails
        return not handler.must_render and scaled.physical == version.dimensions


def _hidden(bits: int) -> Hidden:
    return Hidden(*(is_hidden(bits, what) for what in (TEXT, COMMENT, USER, RESTRICTED)))


def _complete(version: FileVersion, blobs: Mapping[str, str]) -> Mapping[str, Any]:
    if not version.metadata_addresses:
        return version.metadata
    stored = {name: decode_blob(blobs[a]) for name, a in version.metadata_addresses.items()}
    return {**version.metadata, **stored}
