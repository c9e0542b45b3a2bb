"""Finding thumbnails that exist already, and creating the others, which are kept in a folder."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Final, NamedTuple
from urllib.parse import unquote

from wikiapi.cache import MemoryCache
from wikiapi.errors import ConfigError, DeadlineExceeded
from wikiapi.filerepo import Size, Thumbnail, ThumbParams, ThumbRequest, sync
from wikiapi.site import Site
from wikiapi.workers import JobFailed, Limits, WorkerPool, WorkerUnavailable
from wikiapi_plugins.web.reader.files.filelocator import LocatedFile, is_sound
from wikiapi_plugins.web.reader.files.scaler import Job
from wikiapi_plugins.web.reader.settings import Settings

logger = logging.getLogger("wikiapi.reader")

MAX_SIZES = 50
"""Largest number of cached sizes of a file's version; other sizes get the next larger one."""
_LOCKS = 64
"""Number of locks, which are shared between files."""
_AT_ONCE = 2
"""Pictures that are scaled at the same time; each takes a core and some memory."""
_SECONDS = 10.0
"""CPU seconds that scaling a picture may take."""
_USUAL = 12_500_000
"""Largest picture of normal size in pixels; larger ones are scaled singly, with more memory."""
_BYTES_PER_PIXEL = 9
"""Memory of a decoded picture: its palette index, its colours, and a copy of the colours."""
_ROOM = 128 * 1024 * 1024
"""Bytes of memory for everything else, such as the decoder."""
_WAIT_SECONDS = 60.0
"""Longest time for which a request without a deadline waits."""
_REFUSALS = 256 * 1024
"""Bytes for remembering the pictures that could not be scaled."""
_REFUSED_SECONDS = 600
"""Time for which scaling such a picture is not tried again, in any size."""
_VARIANT = re.compile(r"(low-)?([0-9]+)x([0-9]+)-([a-z0-9]+)\Z", re.ASCII)

_slots: Final = BoundedSemaphore(_AT_ONCE)
_large: Final = BoundedSemaphore(1)


@cache
def scalers(most: int) -> WorkerPool:
    """Return the worker processes for pictures of up to ``most`` pixels, which all wikis share."""
    limits = Limits(_SECONDS, _ROOM + _BYTES_PER_PIXEL * most, file_bytes=_ROOM)
    return WorkerPool(Path(__file__).with_name("scaler.py"), limits, most_idle=1)


class CannotScale(Exception):
    """The picture cannot be scaled to any size."""


class ThumbnailFile(NamedTuple):
    """A thumbnail: the path of a file or, if that is ``None``, the URL to redirect to."""

    path: Path | None
    mime: str
    url: str


class Thumbnails:
    """Finds and creates the thumbnails of one wiki."""

    def __init__(self, site: Site, settings: Settings) -> None:
        """Use these settings. The cache folder is created with the first thumbnail."""
        self._site = site
        self._settings = settings
        self._opening = Lock()
        self._cache: ThumbCache | None = None
        self._locks = tuple(Lock() for _ in range(_LOCKS))
        self._refused = MemoryCache(_REFUSALS)

    def find(self, located: LocatedFile, name: str) -> ThumbnailFile | None:
        """Return the thumbnail of a file with a name; ``None`` if the name is not valid."""
        # The parameters of a thumbnail are written before the name of its file.
        handler = located.version.handler
        prefix, mark, _ = name.partition(f"-{located.file.name}")
        if handler is None or not mark or not is_sound(name):
            return None
        params = handler.parse_params(prefix)
        if params is None:
            return None
        thumb = self._site.files.local.thumbnail(
            ThumbRequest(located.file, located.version, params)
        )
        if thumb is None:
            return None
        if unquote(thumb.url.rpartition("/")[2]) != name:
            return ThumbnailFile(None, thumb.mime, thumb.url)
        # MediaWiki may have created the thumbnail in its own folder.
        folder, made = Path(self._site.config.files.folder), None
        if located.path.parent.is_relative_to(folder) and located.path.parent != folder:
            path = folder / "thumb" / located.path.relative_to(folder) / name
            if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
                made = path
        if made is None:
            made = self._cached_or_new(located, thumb, params)
        return ThumbnailFile(made, thumb.mime, located.version.url)

    def _cached_or_new(
        self, located: LocatedFile, thumb: Thumbnail, params: ThumbParams
    ) -> Path | None:
        """Return a cached or new thumbnail; ``None`` to use the original instead."""
        handler = located.version.handler
        if handler is None or handler.is_vector:
            return None
        scaled = handler.normalise(params, located.version.dimensions)
        if scaled is None:
            return None
        request = _Request.of(located, scaled.physical, thumb.mime, low=params.quality == "low")
        cache = self._open_cache()
        if cached := cache.get(request.key, request.variant):
            return cached
        # One at a time for each file: decoding it several times at once would only cost memory.
        lock = self._locks[hash(request.key) % _LOCKS]
        with _acquired(lock, min(self._site.budgets.current.left, _WAIT_SECONDS)):
            return cache.get(request.key, request.variant) or self._make_once(
                cache, located, request
            )

    def _make_once(self, cache: ThumbCache, located: LocatedFile, request: _Request) -> Path | None:
        if self._refused.get(request.key) is not None:
            return None
        cached = cache.variants(request.key)
        if len(cached) >= MAX_SIZES:
            return request.next_larger(cached)
        try:
            return cache.put(request.key, request.variant, lambda path: self._scale(request, path))
        except CannotScale as error:
            logger.warning("no thumbnail of %s: %s", ascii(located.file.name), error)
            self._refused.put(
                request.key, str(error), seconds=_REFUSED_SECONDS, size=len(request.key)
            )
        except WorkerUnavailable as error:
            self._site.budgets.current.check()
            logger.warning("no thumbnail of %s now: %s", ascii(located.file.name), error)
        return None

    def _scale(self, request: _Request, target: Path) -> None:
        """Write a thumbnail.

        Raises:
            CannotScale: the picture cannot be scaled.
            WorkerUnavailable: no worker process is available.
            DeadlineExceeded: the time was used up while waiting for other pictures.
        """
        budget = self._site.budgets.current
        is_large = request.pixels > _USUAL
        most = self._settings.largest_picture
        if not is_large:
            most = min(most, _USUAL)
        job: Job = {
            "source": str(request.source.absolute()),
            "target": str(target.absolute()),
            "width": request.size.width,
            "height": request.size.height,
            "mime": request.mime,
            "most": most,
            "low": request.low,
        }
        with ExitStack() as held:
            for one in (_large, _slots) if is_large else (_slots,):
                held.enter_context(_acquired(one, min(budget.left, _WAIT_SECONDS)))
            try:
                refused = scalers(most).run(job, min(budget.left, _WAIT_SECONDS)).result
            except JobFailed as error:
                raise CannotScale(str(error)) from error
        if refused:
            raise CannotScale(refused)

    def _open_cache(self) -> ThumbCache:
        with self._opening:
            if self._cache is None:
                settings, site = self._settings, self._site.config.site
                self._cache = open_cache(
                    settings.thumbnail_folder, site.wiki_id, settings.thumbnail_bytes
                )
            return self._cache


class _Request(NamedTuple):
    """A thumbnail to create."""

    source: Path
    key: str
    """Identifies the present content of the picture."""
    pixels: int
    """The number of pixels of the picture according to its metadata."""
    size: Size
    mime: str
    low: bool

    @classmethod
    def of(cls, located: LocatedFile, size: Size, mime: str, *, low: bool) -> _Request:
        """Create the request for a thumbnail of a file."""
        facts = located.path.stat()
        key = f"{located.path}|{facts.st_mtime_ns}|{facts.st_size}"
        pixels = located.version.dimensions.width * located.version.dimensions.height
        return cls(located.path, key, pixels, size, mime, low)

    @property
    def variant(self) -> str:
        """The name of the thumbnail in the cache, among those of the file."""
        return f"{self._prefix}{self.size.width}x{self.size.height}-{self._kind}"

    def next_larger(self, cached: dict[str, Path]) -> Path | None:
        """Return the smallest cached thumbnail that is wide enough; ``None`` if there is none."""
        fitting = []
        for variant, path in cached.items():
            match = _VARIANT.match(variant)
            if match and (match[1] or "", match[4]) == (self._prefix, self._kind):
                fitting.append((int(match[2]), path))
        return min((one for one in fitting if one[0] >= self.size.width), default=(0, None))[1]

    @property
    def _prefix(self) -> str:
        return "low-" if self.low else ""

    @property
    def _kind(self) -> str:
        return self.mime.rpartition("/")[2]


@contextmanager
def _acquired(lock: Lock | BoundedSemaphore, seconds: float) -> Iterator[None]:
    if not lock.acquire(timeout=seconds):
        raise DeadlineExceeded(seconds)
    try:
        yield
    finally:
        lock.release()


_SHARE_AFTER_CLEANUP = 0.8
"""The fraction of the maximum size to which a full cache is reduced."""
_PARTIAL = ".partial"


class ThumbCache:
    """Stores files with a limited total size. Several processes can share the folder.

    A file is identified by the key of its source and the name of a variant.
    """

    def __init__(self, folder: Path, most: int) -> None:
        """Use a folder, which is created if needed, for at most ``most`` bytes.

        Raises:
            ConfigError: the folder cannot be created.
        """
        self._folder = folder
        self._most = most
        self._guard = Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            message = f"thumbnails cannot be stored in {folder}: {error.strerror}"
            raise ConfigError(message) from error
        self._size = sum(size for _, size, _ in self._listed())

    def get(self, key: str, variant: str) -> Path | None:
        """Return a cached file; ``None`` if it is not cached."""
        path = self._path(key, variant)
        return path if path.is_file() else None

    def variants(self, key: str) -> dict[str, Path]:
        """Return the cached files of a key by variant."""
        some = self._path(key, "")
        paths = some.parent.glob(f"{some.name}*")
        return {
            path.name.removeprefix(some.name): path for path in paths if path.suffix != _PARTIAL
        }

    def put(self, key: str, variant: str, write: Callable[[Path], None]) -> Path:
        """Add a file, which appears under its name when it is complete, and return its path.

        Args:
            key: the key of its source.
            variant: a name of ASCII letters, digits and hyphens.
            write: writes the file.
        """
        path = self._path(key, variant)
        path.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=_PARTIAL)
        os.close(handle)
        partial = Path(name)
        try:
            write(partial)
            size = partial.stat().st_size
            # Otherwise an empty file might be left under the name when the power fails.
            sync(partial)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        self._make_room(size)
        return path

    def _make_room(self, added: int) -> None:
        with self._guard:
            self._size += added
            if self._size <= self._most:
                return
            listed = sorted(self._listed(), key=lambda entry: entry[0])
            self._size = sum(size for _, size, _ in listed)
            for _, size, path in listed[:-1]:
                if self._size <= self._most * _SHARE_AFTER_CLEANUP:
                    return
                path.unlink(missing_ok=True)
                self._size -= size

    def _listed(self) -> list[tuple[float, int, Path]]:
        entries = []
        for path in self._folder.glob("*/*"):
            if path.suffix == _PARTIAL:
                continue
            with suppress(OSError):  # another process may have removed it
                facts = path.stat()
                entries.append((facts.st_mtime, facts.st_size, path))
        return entries

    def _path(self, key: str, variant: str) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest()
        return self._folder / name[:2] / f"{name[2:]}-{variant}"


def open_cache(configured: str, wiki_id: str, most: int) -> ThumbCache:
    """Return the cache of a wiki, in the configured folder or in the user's cache folder.

    If the latter cannot be written, a temporary folder is used.

    Raises:
        ConfigError: the configured folder cannot be created.
    """
    if configured:
        return ThumbCache(Path(configured), most)
    try:
        return ThumbCache(_default_folder(wiki_id), most)
    except ConfigError:
        return ThumbCache(Path(tempfile.mkdtemp(prefix="wikiapi-thumbs-")), most)


def _default_folder(wiki_id: str) -> Path:
    name = "thumbs-" + "".join(char if char.isalnum() else "_" for char in wiki_id)
    for variable in ("CACHE_DIRECTORY", "XDG_CACHE_HOME"):
        folder = os.environ.get(variable, "").partition(":")[0]
        if folder and Path(folder).is_absolute():
            return Path(folder) / "wikiapi" / name
    return Path("~/.cache").expanduser() / "wikiapi" / name
