"""Clients that write to a wiki and read it; requests and results go to the trace."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

from PIL import Image
from werkzeug.datastructures import FileStorage

from wikiapi.http.wsgiclient import multipart
from wikiapi.testing.client import ApiClient

NAMES, PASSWORD = ("Ada", "Bob", "Cleo"), "password of them all"
"""Several accounts, because edits by one user never conflict with each other."""
PAGES = tuple(f"Shared {number}" for number in range(4))
_FILE = "File:"
_FILE_PAGES = tuple(f"{_FILE}Shared {number}.png" for number in range(2))
MARK = re.compile(r"mark-\d+-\w+-\d+")
"""Identifies a write: it is the summary, and a line in the text of an edited page."""
KINDS = (
    *("append", "replace", "move", "delete", "restore"),
    *("upload", "delete file", "restore file"),
)
_OF_FILES = ("upload", "delete file", "restore file")
_INSTEAD = {
    "move": "append",
    "delete": "append",
    "restore": "delete",
    "delete file": "upload",
    "restore file": "delete file",
}
"""The kind of write instead of one for which there is no page."""
_BLIND = 0.2
"""The share of writes without a check whether there is a page for them."""
_MAX_PAGES, _MAX_KINDS = 2, 3
"""The largest numbers of pages and kinds of writes per process: few, so that they meet."""

Note = Callable[[str], None]


class Plan(NamedTuple):
    """The kinds of writes in a process, and their pages."""

    kinds: list[str]
    pages: list[str]


def drawn_plan(draw: Random) -> Plan:
    """Return random kinds of writes, including one that creates pages, and random pages."""
    first, *others = KINDS
    kinds = [first, *draw.sample(others, draw.randint(1, _MAX_KINDS - 1))]
    return Plan(kinds, draw.sample(PAGES, draw.randint(1, _MAX_PAGES)))


class Writer:
    """A logged-in client that writes to the same pages as others."""

    def __init__(
        self, client: ApiClient, draw: Random, note: Note, name: str, process: int, plan: Plan
    ) -> None:
        """Log in as a user; ``process`` is the number of the process that serves."""
        self._client, self._draw, self._note, self.name = client, draw, note, name
        self._process, self._count, self._plan = process, 0, plan
        client.login(name, PASSWORD)
        self._token = client.token()

    def write(self) -> None:
        """Make a random write."""
        kind, page = self._chosen()
        if kind == "append":
            self._edit(page, appendtext=f"\n\n{self._mark()}")
        elif kind == "replace":
            self._replace(page)
        elif kind == "move":
            other = self._draw.choice(PAGES)  # not only a page of the plan
            self._ask("move", **{"from": page}, to=other, reason=self._mark())
        elif kind == "upload":
            self._upload(page)
        else:
            action = "delete" if kind.startswith("delete") else "undelete"
            self._ask(action, title=page, reason=self._mark())

    def _chosen(self) -> tuple[str, str]:
        """Return a kind of write and the title of a page, usually one for which it can succeed."""
        kind = self._draw.choice(self._plan.kinds)
        pages = _FILE_PAGES if kind in _OF_FILES else self._plan.pages
        if self._draw.random() < _BLIND:
            return kind, self._draw.choice(pages)
        answer = self._client.get(
            action="query", titles="|".join(pages), list="logevents", leaction="delete/delete",
            lelimit="max",
        )  # fmt: skip
        query = answer.get("query", {})
        existing = [page["title"] for page in query.get("pages", []) if "missing" not in page]
        deleted = {entry.get("title") for entry in query.get("logevents", [])} - {*existing}
        while kind in _INSTEAD:
            fitting = deleted if kind.startswith("restore") else existing
            if possible := [page for page in pages if page in fitting]:
                return kind, self._draw.choice(possible)
            kind = _INSTEAD[kind]
        return kind, self._draw.choice(pages)

    def _mark(self) -> str:
        return f"mark-{self._process}-{self.name}-{self._count}"

    def _edit(self, page: str, **params: str) -> None:
        self._ask("edit", title=page, summary=self._mark(), **params)

    def _replace(self, page: str) -> None:
        """Save a page with another line at the top; it may have been edited since it was read."""
        answer = self._client.get(
            action="query", titles=page, prop="revisions", rvprop="ids|content", rvslots="main"
        )
        revisions = answer.get("query", {}).get("pages", [{}])[0].get("revisions")
        if revisions is None:
            self._edit(page, text=self._mark(), createonly="1")
        else:
            text = revisions[0]["slots"]["main"]["content"]
            base = str(revisions[0]["revid"])
            self._edit(page, text=f"{self._mark()}\n\n{text}", baserevid=base, nocreate="1")

    def _upload(self, page: str) -> None:
        name = page.removeprefix(_FILE)
        self._ask("upload", picture(self._mark()), filename=name, comment=self._mark())

    def _ask(self, action: str, data: bytes | None = None, **params: str) -> None:
        mark, self._count = self._mark(), self._count + 1
        self._note(f"asks {mark} {action}")
        fields: dict[str, Any] = {"action": action, "token": self._token, "ignorewarnings": "1"}
        fields |= {"format": "json", "formatversion": "2", **params}
        if data is not None:
            fields["file"] = FileStorage(io.BytesIO(data), "picture.png")
        body, content_type = multipart(fields)
        answer = json.loads(self._client.raw("POST", body=body, content_type=content_type).body)
        code = answer.get("error", {}).get("code", "")
        self._note(f"got {mark} {code or 'accepted'}")


def read(client: ApiClient, draw: Random, note: Note) -> None:
    """Read a page, and write the marks in it to the trace."""
    answer: Mapping[str, Any] = client.get(
        action="query", titles=draw.choice(PAGES), prop="revisions|links", rvprop="content",
        rvslots="main",
    )  # fmt: skip
    for mark in MARK.findall(json.dumps(answer)):
        note(f"saw {mark}")


def picture(mark: str) -> bytes:
    """Return a picture that is unique to the mark."""
    data = io.BytesIO()
    Image.frombytes("L", (len(mark), 1), mark.encode()).save(data, "PNG")
    return data.getvalue()
