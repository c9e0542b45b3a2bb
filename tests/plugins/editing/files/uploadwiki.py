"""A writable wiki with an upload folder, where the tests say who sends the next request."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from PIL import Image

from wikiapi.accounts.user import Session, User
from wikiapi.hookspecs import hookimpl
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.store.queries import users
from wikiapi.testing import make_site
from wikiapi.testing.client import ApiClient

RIGHTS = frozenset({"read", "edit", "createpage", "createtalk", "upload", "reupload"})
ADMIN = RIGHTS | {"delete", "undelete", "deletedhistory", "reupload-shared", "movefile"}
_EDGE = "edge-of-the-parts"
_MULTIPART = f"multipart/form-data; boundary={_EDGE}"


def png(width: int = 4, height: int = 3, colour: int = 1) -> bytes:
    """A picture; another colour makes another content."""
    data = io.BytesIO()
    Image.new("RGB", (width, height), (colour, 0, 0)).save(data, "PNG")
    return data.getvalue()


class UploadWiki:
    """The wiki, and a client of it. ``now`` moves on by a second with each request."""

    def __init__(
        self, folder: Path, *, pages: dict[str, str], store: Path | None = None, **tables: Any
    ) -> None:
        self.folder = folder
        self.now = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
        self._user: User | None = None
        config = {
            **tables,
            "site": {"writable": True},
            "http": {"secret_key": "of the tests", "debug_info": "off"},
            "files": {"folder": str(folder)},
        }
        self.site: Site = make_site(
            pages,
            path=store,
            config=config,
            users=["Ada", "Bob"],
            plugins=[self],
            clock=lambda: self.now,
        )
        self._client = ApiClient(make_app(self.site))
        # Only who has a session is asked for.
        self._client.get(action="query", meta="tokens", type="login")

    @hookimpl(tryfirst=True)
    def resolve_user(self, site: Site, session: Session) -> User | None:
        """Return the user of the tests."""
        return self._user

    @contextmanager
    def user(self, name: str, rights: frozenset[str] = RIGHTS) -> Iterator[None]:
        """Send the requests of the block as a user."""
        before, row = self._user, users.by_names(self.site.db, [name])[name]
        self._user = User(name, rights, row.user_id, ("*", "user"))
        yield
        self._user = before

    def post(
        self, action: str, *, files: dict[str, tuple[str, bytes]] | None = None, **params: Any
    ) -> dict[str, Any]:
        """Return the answer to a request with a token, as a form of several parts."""
        self.now += timedelta(seconds=1)
        tokens = self._client.get(action="query", meta="tokens")["query"]["tokens"]
        form = {"format": "json", "formatversion": "2", "action": action, **params}
        form.setdefault("token", tokens["csrftoken"])
        parts = [
            _part(f'name="{name}"', str(value).encode())
            for name, value in form.items()
            if value is not None
        ]
        for field, (name, data) in (files or {}).items():
            parts.append(_part(f'name="{field}"; filename="{name}"', data))
        body = b"".join(parts) + f"--{_EDGE}--\r\n".encode()
        reply = self._client.raw("POST", body=body, content_type=_MULTIPART)
        return json.loads(reply.body)

    def upload(self, name: str, data: bytes, **params: Any) -> dict[str, Any]:
        """Return the answer to an upload in one piece."""
        return self.post("upload", files={"file": ("x", data)}, filename=name, **params)

    def query(self, **params: Any) -> dict[str, Any]:
        """Return what a query answers."""
        answer = self._client.get(action="query", **params)
        return answer.get("query", answer)

    def on_disk(self) -> list[str]:
        """Return the files of the upload folder without their random parts, sorted."""
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        return sorted(str(path.relative_to(self.folder)) for path in paths)

    def image(self, name: str) -> list[dict[str, Any]]:
        """Return all versions of a file."""
        asked = {"titles": f"File:{name}", "prop": "imageinfo", "iilimit": "max"}
        props = "size|sha1|user|comment|archivename|timestamp"
        page = self.query(**asked, iiprop=props)["pages"][0]
        return page.get("imageinfo", [])


def _part(head: str, data: bytes) -> bytes:
    return f"--{_EDGE}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + data + b"\r\n"
