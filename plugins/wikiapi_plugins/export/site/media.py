"""Copies of the files that the documents of an export show."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import unquote

from wikiapi.http import InProcess, make_app
from wikiapi.site import Site
from wikiapi_plugins.export import ExportError
from wikiapi_plugins.export.links import quoted
from wikiapi_plugins.export.names import digest, safe_name
from wikiapi_plugins.web.reader.files.filelocator import FileLocator, LocatedFile
from wikiapi_plugins.web.reader.files.thumbnails import Thumbnails
from wikiapi_plugins.web.reader.settings import Settings

FOLDER = "files"
_LONGEST = 60
_DIGITS = 32
_PUBLIC = "192.0.2.1"
"""The address of a client without privileges, which no server has."""
_TYPES = ("image/", "audio/", "video/", "text/vtt")
"""Types of what the wiki may serve at other addresses, such as icons."""


class Media:
    """Finds the files that documents show, and copies each once, named with a checksum of its URL.

    Workers find them, and the main process copies them.
    """

    def __init__(self, site: Site, folder: Path | None = None) -> None:
        """Copy files into a folder; without it, they are only found."""
        self._site = site
        self._folder = folder
        self._app = InProcess(make_app(site), _PUBLIC)
        self._locator = FileLocator(site)
        self._thumbnails = Thumbnails(site, Settings.of(site))
        self._files: dict[str, str | None] = {}
        self._used: dict[str, None] = {}
        files = site.config.files
        self._uploads = self._path(f"{files.url.rstrip('/')}/")
        thumbs = files.thumbnail_url.rstrip("/") or f"{files.url.rstrip('/')}/thumb"
        self._thumbs = self._path(f"{thumbs}/")

    def is_file(self, url: str) -> bool:
        """Return whether a URL is below that of the upload folder."""
        return self._path(url).startswith(self._uploads)

    def relative(self, url: str) -> str | None:
        """Return the URL of a copy relative to a page; ``None`` if the wiki has no such file."""
        local = url.removeprefix(self._site.config.site.server)
        if not local.startswith("/") or local.startswith("//"):
            return None
        if local not in self._files:
            self._files[local] = self._name(local) if self._find(local) is not None else None
        file = self._files[local]
        if file is None:
            return None
        self._used[local] = None
        return f"../{quoted(file)}"

    def take_used(self) -> list[str]:
        """Return the URLs on this server of the files since the last call."""
        used, self._used = list(self._used), {}
        return used

    def copy(self, url: str) -> None:
        """Copy a file, unless it is there.

        Raises:
            ExportError: there is no such file.
        """
        if self._folder is None or url in self._files:
            return
        file = self._files[url] = self._name(url)
        target = self._folder / file
        if target.exists():
            return
        source = self._find(url)
        if source is None:
            raise ExportError(f"{url} is missing here, but a worker has it")
        part = target.with_name(f"{target.name}.part")
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(source, Path):
            shutil.copyfile(source, part)
        else:
            part.write_bytes(source)
        part.replace(target)

    def _path(self, url: str) -> str:
        """Return the decoded path of a URL on the wiki's server."""
        path = url.removeprefix(self._site.config.site.server).partition("#")[0]
        return unquote(path.partition("?")[0])

    def _name(self, url: str) -> str:
        """Return the path of a copy in the folder of the export."""
        stem, dot, ending = self._path(url).rpartition("/")[2].rpartition(".")
        name = safe_name((stem or ending)[:_LONGEST])
        ending = f".{ending.lower()}" if dot and ending.isalnum() and ending.isascii() else ""
        mark = digest(url, _DIGITS)
        return f"{FOLDER}/{mark[:2]}/{name}-{mark}{ending}"

    def _find(self, url: str) -> Path | bytes | None:
        """Return the file at a URL, or what the wiki answers; ``None`` if nobody is to see it."""
        path = self._path(url)
        if path.startswith((self._uploads, self._thumbs)):
            return self._original(path)
        answer = self._app.send("GET", path, url.partition("#")[0].partition("?")[2])
        kind = answer.headers.get("content-type", "")
        return answer.body if answer.status == 200 and kind.startswith(_TYPES) else None

    def _original(self, path: str) -> Path | None:
        """Return the file or thumbnail with a URL path; ``None`` if nobody is to see it."""
        if not path.startswith(self._thumbs):
            located = self._current(path.removeprefix(self._uploads))
            return located.path if located else None
        of_file, _, name = path.removeprefix(self._thumbs).rpartition("/")
        located = self._current(of_file)
        thumbnail = self._thumbnails.find(located, name) if located else None
        if located is None or thumbnail is None:
            return None
        return thumbnail.path or located.path

    def _current(self, path: str) -> LocatedFile | None:
        """Return the file whose current version has a path below the upload folder."""
        located = self._locator.find(path)
        return located if located and located.version.archive_name is None else None
