"""Thumbnails: found where they were made before, or made now."""

from __future__ import annotations

import logging
from pathlib import Path
from threading import Lock, Semaphore
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from wikiapi.cache.coalesce import Coalescer
from wikiapi.filerepo.thumbnail import ThumbRequest
from wikiapi_plugins.web.reader.files.places import is_sound
from wikiapi_plugins.web.reader.files.scaler import CannotScale, scale
from wikiapi_plugins.web.reader.files.thumbcache import open_cache

if TYPE_CHECKING:
    from wikiapi.filerepo.scaling import Size, ThumbParams
    from wikiapi.filerepo.thumbnail import Thumbnail
    from wikiapi.site import Site
    from wikiapi_plugins.web.reader.files.places import Place
    from wikiapi_plugins.web.reader.files.thumbcache import ThumbCache
    from wikiapi_plugins.web.reader.settings import Settings

logger = logging.getLogger("wikiapi.reader")

_AT_ONCE = 2
"""Pictures that are scaled at the same time; each takes a core and some memory."""


class Made(NamedTuple):
    """A thumbnail: a picture on disk, or ``path`` None and the address of what stands for it."""

    path: Path | None
    mime: str
    url: str


class Thumbnails:
    """Makes the thumbnails of one wiki, each once."""

    def __init__(self, site: Site, settings: Settings) -> None:
        """Take the limits; the folder of a wiki that shows no pictures is never made."""
        self._site = site
        self._settings = settings
        self._opening = Lock()
        self._cache: ThumbCache | None = None
        self._work: Coalescer[Path | None] = Coalescer()
        self._slots = Semaphore(_AT_ONCE)

    def find(self, place: Place, name: str) -> Made | None:
        """The thumbnail of a file that is called ``name``; ``None`` where there can be none."""
        params = self._params(place, name)
        if params is None:
            return None
        thumb = self._site.files.local.thumbnail(ThumbRequest(place.file, place.version, params))
        if thumb is None:
            return None
        if unquote(thumb.url.rpartition("/")[2]) != name:
            return Made(None, thumb.mime, thumb.url)
        made = self._made_before(place, name) or self._make(place, thumb, params)
        return Made(made, thumb.mime, place.version.url)

    def _params(self, place: Place, name: str) -> ThumbParams | None:
        """What the part in front of the file's name asks for."""
        handler = place.version.handler
        asked, mark, _ = name.partition(f"-{place.file.name}")
        if handler is None or not mark or not is_sound(name):
            return None
        return handler.parse_params(asked)

    def _made_before(self, place: Place, name: str) -> Path | None:
        """What a MediaWiki has left in its folder of thumbnails."""
        folder = Path(self._site.config.files.folder)
        if not place.path.parent.is_relative_to(folder) or place.path.parent == folder:
            return None
        path = folder / "thumb" / place.path.relative_to(folder) / name
        if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
            return path
        return None

    def _make(self, place: Place, thumb: Thumbnail, params: ThumbParams) -> Path | None:
        """A thumbnail, made now unless it is kept; ``None`` where the original must do."""
        handler = place.version.handler
        if handler is None or handler.is_vector:
            return None
        scaled = handler.normalise(params, place.version.dimensions)
        if scaled is None:
            return None
        facts = place.path.stat()
        size = scaled.physical
        low = params.quality == "low"
        parts = (place.path, facts.st_mtime_ns, facts.st_size, *size, thumb.mime, low)
        return self._kept(place, thumb.mime, size, "|".join(map(str, parts)), low=low)

    def _kept(self, place: Place, mime: str, size: Size, key: str, *, low: bool) -> Path | None:
        cache = self._opened()

        def make() -> Path | None:
            return cache.get(key) or self._scaled(cache, place, mime, size, key, low=low)

        return self._work.run(key, make)

    def _scaled(
        self, cache: ThumbCache, place: Place, mime: str, size: Size, key: str, *, low: bool
    ) -> Path | None:
        most = self._settings.largest_picture
        try:
            with self._slots:
                return cache.put(
                    key, lambda path: scale(place.path, size, mime, path, most, low=low)
                )
        except CannotScale as error:
            logger.warning("no thumbnail of %s: %s", ascii(place.file.name), error)
            return None

    def _opened(self) -> ThumbCache:
        with self._opening:
            if self._cache is None:
                settings, site = self._settings, self._site.config.site
                self._cache = open_cache(
                    settings.thumbnail_folder, site.wiki_id, settings.thumbnail_bytes
                )
            return self._cache
