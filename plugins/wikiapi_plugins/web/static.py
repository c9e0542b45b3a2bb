"""Style sheets and scripts that a plugin brings along, under addresses that name their content.

An address holds a checksum (``style.1f2e3d4c5b6a.css``), so a browser may keep the file for ever.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from wsgiref.types import WSGIApplication

from wikiapi.http import Reply
from wikiapi_plugins.web.replies import IMMUTABLE, content_reply, web_app
from wikiapi_plugins.web.requests import WebRequest

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
    """The files of one folder, read once."""

    def __init__(
        self, folder: Path, mounted: str, made: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Read the files of known types in a folder, to be served below the path ``mounted``.

        ``made`` are texts by file name, to be served beside them.
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
        """Return the address of a file in the folder, below the mount point of the site."""
        return f"{root}{self.mounted}{self._addresses[name]}"

    def app(self) -> WSGIApplication:
        """Return the application for the mount."""
        return web_app(self._answer, self.mounted)

    def _answer(self, request: WebRequest) -> Reply:
        file = self._files.get(request.path.removeprefix("/"))
        if file is None:
            return content_reply(_NOTHING, "text/plain; charset=utf-8", status=404)
        return content_reply(file.body, file.content_type, cache=IMMUTABLE)
