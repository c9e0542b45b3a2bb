"""Pictures and other files of an export.

Of the upload folder, only what the wiki shows to everybody leaves it: the current versions of files
and their thumbnails, found by their rows. Other data in the folder, such as deleted files, is never
copied, whatever the links of a page say.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from urllib.parse import unquote

from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess
from wikiapi.site import Site
from wikiapi_plugins.export.links import quoted
from wikiapi_plugins.export.names import digest, safe_name
from wikiapi_plugins.export.records import write_file
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
    """Copies files into an export, each once, under a name with a checksum of its URL."""

    def __init__(self, site: Site, folder: Path) -> None:
        """Copy files into this folder."""
        self._site = site
        self._folder = folder
        self._app = InProcess(make_app(site), _PUBLIC)
        self._locator = FileLocator(site)
        self._thumbnails = Thumbnails(site, Settings.of(site))
        self._known: dict[str, str | None] = {}
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
        if local not in self._known:
            self._known[local] = self._copy(local)
        file = self._known[local]
        return f"../{quoted(file)}" if file else None

    def _path(self, url: str) -> str:
        """Return the decoded path of a URL on the wiki's server."""
        path = url.removeprefix(self._site.config.site.server).partition("#")[0]
        return unquote(path.partition("?")[0])

    def _copy(self, url: str) -> str | None:
        path = self._path(url)
        stem, dot, ending = path.rpartition("/")[2].rpartition(".")
        name = safe_name((stem or ending)[:_LONGEST])
        ending = f".{ending.lower()}" if dot and ending.isalnum() and ending.isascii() else ""
        mark = digest(url, _DIGITS)
        file = f"{FOLDER}/{mark[:2]}/{name}-{mark}{ending}"
        target = self._folder / file
        if target.exists():
            return file
        # Two processes may copy the same file, so that each renames its own complete copy.
        part = target.with_name(f"{target.name}.{os.getpid()}")
        if path.startswith((self._uploads, self._thumbs)):
            original = self._original(path)
            if original is None:
                return None
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(original, part)
        else:
            answer = self._app.send("GET", path, url.partition("#")[0].partition("?")[2])
            kind = answer.headers.get("content-type", "")
            if answer.status != 200 or not kind.startswith(_TYPES):
                return None
            write_file(part, answer.body)
        part.replace(target)
        return file

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
