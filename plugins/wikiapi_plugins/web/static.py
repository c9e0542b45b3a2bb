"""Style sheets and scripts that a plugin brings along, under addresses that name their content.

An address holds a checksum (``style.1f2e3d4c5b6a.css``), so a browser may keep the file for ever.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
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

    def __init__(self, folder: Path, mounted: str) -> None:
        """Read the files of known types in a folder, to be served below the path ``mounted``."""
        self.mounted = mounted
        self._addresses: dict[str, str] = {}
        self._files: dict[str, _Kept] = {}
        for path in sorted(folder.iterdir()):
            if path.suffix in _TYPES:
                self._add(path)

    def _add(self, path: Path) -> None:
        body = path.read_bytes()
        address = f"{path.stem}.{hashlib.sha256(body).hexdigest()[:12]}{path.suffix}"
        self._addresses[path.name] = address
        self._files[address] = _Kept(_TYPES[path.suffix], body)

    def url(self, name: str, root: str = "") -> str:
        """The address of a file, by its name in the folder, below where the site is mounted."""
        return f"{root}{self.mounted}{self._addresses[name]}"

    def app(self) -> WSGIApplication:
        """What answers at the mount."""
        return web_app(self._answer, self.mounted)

    def _answer(self, request: WebRequest) -> Reply:
        file = self._files.get(request.path.removeprefix("/"))
        if file is None:
            return content_reply(_NOTHING, "text/plain; charset=utf-8", status=404)
        return content_reply(file.body, file.content_type, cache=IMMUTABLE)
