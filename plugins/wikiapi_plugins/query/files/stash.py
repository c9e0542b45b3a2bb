"""The stash: complete uploads that are not published yet, and incomplete chunked uploads.

Users see only their own files. Files older than six hours are removed. The data of a complete
upload never changes; each chunk of an incomplete one is a file of its own.
:func:`stashed_file` returns a stashed file in the form of a published one.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from wikiapi.api import RequestContext, compact
from wikiapi.errors import ApiError
from wikiapi.filerepo import (
    Description,
    File,
    FileVersion,
    FolderChanges,
    Size,
    Thumbnail,
    ThumbRequest,
    UploadFolder,
    hash_path,
)
from wikiapi.importing.files.mediafile import MediaFacts
from wikiapi.site import Site
from wikiapi.store import Database, UploadStash, next_id
from wikiapi.title import FILE

FINISHED, CHUNKS = "finished", "chunks"
_LASTS = timedelta(hours=6)
_KEY = re.compile(r"[\w.-]+\.\w*\Z", re.ASCII)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ZONE = "mwrepo://local/temp/"
"""The prefix of the paths of stashed files in MediaWiki's tables."""


class Stashed(NamedTuple):
    """A file in the stash. ``status`` is ``finished`` or, while chunks are missing, ``chunks``.

    ``size`` is the number of bytes received so far, ``last_chunk`` the number of the last chunk,
    counted from 0. Only finished files have ``facts``.
    """

    id: int
    user_id: int
    key: str
    name: str
    timestamp: str
    status: str
    size: int
    last_chunk: int
    facts: MediaFacts | None


class Stash:
    """The stash of one user."""

    def __init__(self, context: RequestContext) -> None:
        """Open the stash of the request's user."""
        self._db: Database = context.site.db
        self._user_id = context.user.id
        self._now = context.now
        self._folder = UploadFolder(context.site.config.files)

    # Reading

    def find(self, key: str) -> Stashed:
        """Return the user's file with a key, whether or not it is complete. One query.

        Raises:
            ApiError: the user has no such file.
        """
        if not is_key(key):
            raise ApiError("uploadstash-bad-path-bad-format", "uploadstash-bad-path-bad-format")
        if not self._user_id:
            raise ApiError("uploadstash-not-logged-in", "uploadstash-not-logged-in")
        row = self._db.row(_SELECT.where(UploadStash.us_key == key))
        if row is None:
            raise missing(key)
        stashed = _read(row)
        if stashed.user_id != self._user_id:
            raise ApiError("uploadstash-wrong-owner", "uploadstash-wrong-owner", key)
        if not self.start_of(stashed).is_file():
            raise missing(key)
        return stashed

    def complete(self, key: str) -> Stashed:
        """Return the user's complete file with a key. One query.

        Raises:
            ApiError: the user has no such file, or chunks of it are missing.
        """
        stashed = self.find(key)
        if stashed.status != FINISHED:
            raise missing(key)
        return stashed

    def incomplete(self, key: str) -> Stashed:
        """Return the user's upload with a key, of which chunks are missing. One query.

        Raises:
            ApiError: the user has no such upload, or it is complete (``stashfailed``).
        """
        stashed = self.find(key)
        if stashed.status != CHUNKS:
            raise ApiError("stashfailed", "apierror-stashfailed-complete")
        return stashed

    def peek(self, key: str) -> Stashed | None:
        """Return the user's file with a key, or ``None``. One query."""
        query = _SELECT.where(UploadStash.us_key == key, UploadStash.us_user == self._user_id)
        row = self._db.row(query) if self._user_id else None
        return _read(row) if row else None

    def listed(self, first_id: int, limit: int | None) -> list[Stashed]:
        """Return the user's files from an id on, oldest first. One query."""
        query = _SELECT.where(UploadStash.us_user == self._user_id, UploadStash.us_id >= first_id)
        rows = self._db.execute(query.order_by(UploadStash.us_id).limit(limit))
        return [_read(row) for row in rows]

    def start_of(self, stashed: Stashed) -> Path:
        """Return the path of the data of a complete file, or of the first chunk."""
        return self._paths(stashed)[0]

    def assemble(self, stashed: Stashed | None, last: Path, target: Path) -> None:
        """Write the chunks of an upload and its last one into a new file.

        Raises:
            ApiError: the upload has been removed in the meantime.
        """
        before = self._paths(stashed) if stashed else []
        with target.open("xb") as file:
            for path in (*before, last):
                try:
                    with path.open("rb") as chunk:
                        shutil.copyfileobj(chunk, file)
                except FileNotFoundError as error:
                    raise missing(stashed.key if stashed else "") from error

    def _paths(self, stashed: Stashed) -> list[Path]:
        path = self._folder.stashed(stashed.name)
        if stashed.status == FINISHED:
            return [path]
        return [path.with_name(f"{path.name}.{n}") for n in range(stashed.last_chunk + 1)]

    # Writing, in a transaction

    def add(self, changes: FolderChanges, source: Path, facts: MediaFacts) -> Stashed:
        """Add a complete file."""
        self._remove_expired(changes)
        stashed = self._new(source.suffix, FINISHED, facts.size, facts)
        changes.copy(source, self.start_of(stashed))
        self._insert(stashed)
        return stashed

    def begin(self, changes: FolderChanges, suffix: str, chunk: Path) -> Stashed:
        """Add an incomplete file with its first chunk."""
        self._remove_expired(changes)
        stashed = self._new(suffix, CHUNKS, chunk.stat().st_size, None)
        changes.copy(chunk, self.start_of(stashed))
        self._insert(stashed)
        return stashed

    def append(self, changes: FolderChanges, stashed: Stashed, chunk: Path) -> Stashed:
        """Add a chunk to an incomplete file."""
        grown = stashed._replace(
            size=stashed.size + chunk.stat().st_size, last_chunk=stashed.last_chunk + 1
        )
        changes.copy(chunk, self._paths(grown)[-1])
        changed = UploadStash.update(us_size=grown.size, us_chunk_inx=grown.last_chunk)
        self._db.execute_write(changed.where(UploadStash.us_id == stashed.id))
        return grown

    def remove(self, changes: FolderChanges, stashed: Stashed) -> None:
        """Remove a file that has been published, or completed under another key."""
        for path in self._paths(stashed):
            changes.remove(path)
        gone = UploadStash.delete().where(UploadStash.us_id == stashed.id)
        self._db.execute_write(gone)

    def _new(self, suffix: str, status: str, size: int, facts: MediaFacts | None) -> Stashed:
        moment = compact(self._now)
        ending = suffix.lstrip(".").lower()
        key = f"{_random(12)}.{_random(6)}.{self._user_id}.{ending}"
        number = next_id(self._db, UploadStash.us_id)
        name = f"{moment}!{_random(9)}.{ending}"
        return Stashed(number, self._user_id, key, name, moment, status, size, 0, facts)

    def _insert(self, stashed: Stashed) -> None:
        facts, path = stashed.facts, f"{_ZONE}{hash_path(stashed.name, 2)}{stashed.name}"
        row = (
            *(stashed.id, stashed.user_id, stashed.key, path, path, "file", stashed.timestamp),
            *(stashed.status, 0 if facts is None else None),
            json.dumps(asdict(facts) if facts else None),
            *(stashed.size, facts.sha1 if facts else ""),
            *((facts.mime, facts.media_type, facts.width, facts.height, facts.bits) if facts
              else (None, None, None, None, None)),
        )  # fmt: skip
        self._db.insert_many(UploadStash, [row])

    def _remove_expired(self, changes: FolderChanges) -> None:
        """Remove the expired files of all users."""
        end = compact(self._now - _LASTS)
        for row in self._db.execute(_SELECT.where(UploadStash.us_timestamp < end)):
            self.remove(changes, _read(row))


def missing(key: str) -> ApiError:
    """Return the error for a key under which the user has no complete file."""
    return ApiError("uploadstash-file-not-found", "uploadstash-file-not-found", key)


def is_key(text: str) -> bool:
    """Return whether a text can be the key of a stashed file."""
    return _KEY.match(text) is not None


_SELECT = UploadStash.select(
    UploadStash.us_id,
    UploadStash.us_user,
    UploadStash.us_key,
    UploadStash.us_path,
    UploadStash.us_timestamp,
    UploadStash.us_status,
    UploadStash.us_size,
    UploadStash.us_chunk_inx,
    UploadStash.us_props,
)


def _read(row: Sequence[Any]) -> Stashed:
    number, user_id, key, path, timestamp, status, size, chunks, props = row
    name = path.rpartition("/")[2]
    return Stashed(
        *(number, user_id, key, name, timestamp, status, size, chunks or 0), _facts(props)
    )


def _facts(props: str | None) -> MediaFacts | None:
    """Return the stored facts about a file; ``None`` if MediaWiki wrote them, in its own format."""
    try:
        values = json.loads(props or "null")
    except ValueError:
        return None
    return MediaFacts(**values) if isinstance(values, dict) else None


def _random(length: int) -> str:
    return "".join(secrets.choice(_DIGITS) for _ in range(length))


class StashRepository:
    """The repository of a file that :func:`stashed_file` has returned."""

    name = "local"
    is_local = True
    is_remote = False

    def __init__(self, site: Site, key: str) -> None:
        """Represent the stashed file with this key."""
        self._site, self._key = site, key

    def address(self, what: str, name: str = "") -> str:
        """Return the URL of the file or of a thumbnail. Only the owner's session can use it."""
        page = f"UploadStash/{what}/{self._key}{f'/{name}' if name else ''}"
        return self._site.page_url(self._site.special_page(page))

    def find(self, names: Iterable[str]) -> Mapping[str, File]:
        """Return nothing: stashed files cannot be found by name."""
        return {}

    def by_sha1(self, hashes: Iterable[str]) -> Mapping[str, Sequence[File]]:
        """Return nothing: stashed files are shown to their owner only."""
        return {}

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> Sequence[Thumbnail | None]:
        """Return the thumbnails with their URLs."""
        return [self._thumbnail(request) for request in requests]

    def descriptions(self, files: Sequence[File]) -> Sequence[Description]:
        """Return the URL of the file itself, since it has no description page."""
        return [Description(self.address("file"), None) for _ in files]

    def info(self) -> Mapping[str, Any]:
        """Return nothing: this repository is not listed to clients."""
        return {}

    def _thumbnail(self, request: ThumbRequest) -> Thumbnail | None:
        handler = request.version.handler
        if handler is None:
            return None
        scaled = handler.normalise(request.params, request.version.dimensions)
        if scaled is None:
            return None
        kind = handler.type_of_thumb(request.file.name, request.version.mime)
        name = f"{handler.write_params(request.params, scaled)}-{request.file.name}"
        return Thumbnail(self.address("thumb", quote(name)), scaled.display, mime=kind.mime)


def stashed_file(site: Site, stashed: Stashed) -> File | None:
    """Return a stashed file in the form of a published one; ``None`` if chunks are missing."""
    facts = stashed.facts
    if facts is None:
        return None
    repository = StashRepository(site, stashed.key)
    version = FileVersion(
        timestamp=stashed.timestamp,
        uploader=None,
        comment="",
        size=facts.size,
        dimensions=Size(facts.width, facts.height),
        bits=facts.bits,
        mime=facts.mime,
        media_type=facts.media_type,
        sha1=facts.sha1,
        stored_metadata=facts.metadata,
        url=repository.address("file"),
    )
    return File(site.titles.make(FILE, stashed.name), stashed.name, repository, version)
