"""File names for pages that are valid on all systems, and unique if case is ignored."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from wikiapi.site import Site
from wikiapi.store.models import Page
from wikiapi.title import Title
from wikiapi_plugins.export.state import State

_LONGEST = 120
"""Longest name in bytes, without extension: file systems allow 255, archives and paths less."""
_UNSAFE = re.compile(r'[<>:"/\\|?*%#\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)", re.IGNORECASE)
_NOT_IN_FOLDER = re.compile(r"[^a-z0-9]+")
_MAIN = "wiki"
_TAKEN = frozenset({"files", "search", "all", "static"})
_STEP = "names"
_ROWS = 1_000


def safe_name(text: str) -> str:
    """Return a file name for a title, without extension. It need not be unique.

    Illegal characters are replaced by ``_``; a name that was changed ends with a checksum.
    """
    wanted = unicodedata.normalize("NFC", text.replace(" ", "_"))
    name = _UNSAFE.sub("_", wanted)
    if name.startswith((".", "-", "~")) or _RESERVED.match(name):
        name = f"_{name}"
    name = name.encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore").rstrip(". ")
    return name if name == wanted else f"{name}-{digest(text)}"


def digest(text: str) -> str:
    """Return a short checksum of a text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def folded(name: str) -> str:
    """Return a key that is equal for names that some file systems do not distinguish."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def folders(site: Site) -> dict[int, str]:
    """Return the folder of each namespace by number."""
    found: dict[int, str] = {0: _MAIN}
    for number in sorted(site.namespaces.ids()):
        if number > 0:
            name = site.namespaces[number].canonical.lower()
            folder = _NOT_IN_FOLDER.sub("-", name).strip("-") or f"namespace-{number}"
            is_taken = folder in _TAKEN or folder in found.values()
            found[number] = f"{folder}-{number}" if is_taken else folder
    return found


def fill_names(state: State, site: Site, namespaces: Iterable[int], ending: str) -> None:
    """Store a file name for each page of the namespaces, unless that is done already.

    If some file systems do not distinguish the names of several pages, only the oldest page gets
    its name without a checksum.
    """
    if state.is_done(_STEP):
        return
    inserted = "INSERT OR REPLACE INTO names VALUES (?, ?, ?, ?, ?, ?, ?, NULL)"
    with state.atomic():
        for rows in _pages(site, sorted(namespaces)):
            state.write(inserted, (_row(site, *row) for row in rows))
        for number, folder in folders(site).items():
            _give_files(state, number, folder, ending)
        state.finish_step(_STEP)


def _give_files(state: State, namespace: int, folder: str, ending: str) -> None:
    is_second = (
        "EXISTS (SELECT 1 FROM names AS other WHERE other.namespace = names.namespace"
        " AND other.folded = names.folded AND other.page < names.page)"
    )
    state.write(
        f"UPDATE names SET file = ? || base || CASE WHEN {is_second} "  # noqa: S608
        "THEN '-' || digest ELSE '' END || ? WHERE namespace = ?",
        iter([(f"{folder}/", ending, namespace)]),
    )


def _pages(site: Site, namespaces: list[int]) -> Iterator[list[Any]]:
    columns = (Page.page_id, Page.page_namespace, Page.page_title, Page.page_is_redirect)
    last = 0
    while True:
        query = Page.select(*columns).where(
            Page.page_id > last, Page.page_namespace.in_(namespaces)
        )
        rows = list(site.db.execute(query.order_by(Page.page_id).limit(_ROWS)))
        if not rows:
            return
        yield rows
        last = rows[-1][0]


def _row(site: Site, page: int, namespace: int, dbkey: str, is_redirect: int) -> tuple[Any, ...]:
    title: Title = site.titles.make(namespace, dbkey)
    base = safe_name(title.text)
    return namespace, dbkey, page, is_redirect, base, folded(base), digest(title.prefixed_text)
