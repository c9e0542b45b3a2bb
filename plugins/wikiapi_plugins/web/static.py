"""Serving the style sheets and scripts of a plugin under URLs with a checksum of their content.

Browsers may cache a file such as ``style.1f2e3d4c5b6a.css`` indefinitely.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from wsgiref.types import WSGIApplication

from wikiapi.http import Reply, WebRequest
from wikiapi_plugins.web.replies import IMMUTABLE, content_reply, web_app

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
_NOTHING = b"There is nothing at this address.\n"


class _Kept(NamedTuple):
    content_type: str
    body: bytes


class StaticFiles:
    """The files of a folder, which are read once and kept in memory."""

    def __init__(
        self, folder: Path, mounted: str, made: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Read the files in a folder, to be served below the path ``mounted``.

        Only files of known types are read. ``made`` are additional texts to serve, by file name.
        """
        self.mounted = mounted
        self._addresses: dict[str, str] = {}
        self._files: dict[str, _Kept] = {}
        for path in sorted(folder.iterdir()):
            if path.suffix in _TYPES:
                self._add(path, path.read_bytes())
        for name, text in made.items():
            self._add(Path(name), text.encode())

    def _add(self, path: Path, body: bytes) -> None:
        address = f"{path.stem}.{hashlib.sha256(body).hexdigest()[:12]}{path.suffix}"
        self._addresses[path.name] = address
        self._files[address] = _Kept(_TYPES[path.suffix], body)

    def url(self, name: str, root: str = "") -> str:
        """Return the URL of a file; ``root`` is the path at which the site is mounted."""
        return f"{root}{self.mounted}{self._addresses[name]}"

    def app(self) -> WSGIApplication:
        """Return the application for the mount."""
        return web_app(self._answer, self.mounted)

    def _answer(self, request: WebRequest) -> Reply:
        file = self._files.get(request.path.removeprefix("/"))
        if file is None:
            return content_reply(_NOTHING, "text/plain; charset=utf-8", status=404)
        return content_reply(file.body, file.content_type, cache=IMMUTABLE)
