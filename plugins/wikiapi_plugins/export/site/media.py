"""Pictures and other files of an export, copied from the upload folder or fetched from the wiki."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from urllib.parse import unquote

from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import LOOPBACK, InProcess
from wikiapi.site import Site
from wikiapi_plugins.export.links import quoted
from wikiapi_plugins.export.names import digest, safe_name

FOLDER = "files"
_LONGEST = 60


class Media:
    """Copies files into an export, each once, under a name with a checksum of its URL."""

    def __init__(self, site: Site, folder: Path) -> None:
        """Copy files into this folder."""
        self._site = site
        self._folder = folder
        self._app = InProcess(make_app(site), LOOPBACK)
        self._known: dict[str, str | None] = {}
        self._uploads = f"{site.config.files.url.rstrip('/')}/"

    def is_file(self, url: str) -> bool:
        """Return whether a URL is below that of the upload folder."""
        return url.removeprefix(self._site.config.site.server).startswith(self._uploads)

    def relative(self, url: str) -> str | None:
        """Return the URL of a copy relative to a page; ``None`` if the wiki has no such file."""
        local = url.removeprefix(self._site.config.site.server)
        if not local.startswith("/") or local.startswith("//"):
            return None
        if local not in self._known:
            self._known[local] = self._copy(local)
        file = self._known[local]
        return f"../{quoted(file)}" if file else None

    def _copy(self, url: str) -> str | None:
        path, _, query = url.partition("?")
        last = unquote(path.rpartition("/")[2])
        stem, dot, ending = last.rpartition(".")
        name = safe_name((stem or ending)[:_LONGEST])
        ending = f".{ending.lower()}" if dot and ending.isalnum() and ending.isascii() else ""
        mark = digest(url)
        file = f"{FOLDER}/{mark[:2]}/{name}-{mark}{ending}"
        target = self._folder / file
        if target.exists():
            return file
        target.parent.mkdir(parents=True, exist_ok=True)
        # Two processes may copy the same file, so that each renames its own complete copy.
        part = target.with_name(f"{target.name}.{os.getpid()}")
        original = self._original(path)
        if original is not None:
            shutil.copyfile(original, part)
        else:
            answer = self._app.send("GET", unquote(path), query)
            if answer.status != 200 or answer.headers.get("content-type", "").startswith(
                "text/html"
            ):
                return None
            part.write_bytes(answer.body)
        part.replace(target)
        return file

    def _original(self, path: str) -> Path | None:
        """Return the file in the upload folder with a URL path; ``None`` if there is none."""
        folder = self._site.config.files.folder
        if not folder or not path.startswith(self._uploads):
            return None
        root = Path(folder).resolve()
        found = (root / unquote(path[len(self._uploads) :])).resolve()
        return found if found.is_relative_to(root) and found.is_file() else None
