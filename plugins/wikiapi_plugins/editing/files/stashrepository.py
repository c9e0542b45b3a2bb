"""A file repository of one stashed file, for the modules that return file information."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from wikiapi.filerepo import Description, File, FileVersion, Thumbnail, ThumbRequest
from wikiapi.filerepo.scaling import Size
from wikiapi.site import Site
from wikiapi.title import FILE, SPECIAL
from wikiapi_plugins.editing.files.stash import Stashed


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
        return self._site.page_url(self._site.titles.make(SPECIAL, page))

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
        return Thumbnail(self.address("thumb", quote(name)), scaled.shown, mime=kind.mime)


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
