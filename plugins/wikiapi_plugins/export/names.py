"""File names for pages that are valid on all systems, and unique if case is ignored."""

from __future__ import annotations

import hashlib
import re
import unicodedata
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from wikiapi.site import Site
from wikiapi.store.models import Page
from wikiapi_plugins.export.state import Names, State

_LONGEST = 120
"""Longest name in bytes, without extension: file systems allow 255, archives and paths less."""
_UNSAFE = re.compile(r'[<>:"/\\|?*%#\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]')
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?:\.|\Z)", re.IGNORECASE
)
_NOT_IN_FOLDER = re.compile(r"[^a-z0-9]+")
_MAIN = "wiki"
_TAKEN = frozenset({"files", "search", "all", "static"})
_STEP = "names"
_ROWS = 1_000


def safe_name(text: str) -> str:
    """Return a file name for a title, without extension. It need not be unique.

    Illegal characters are replaced by ``_``; a name that was changed ends with a checksum.
    """
    normalised = unicodedata.normalize("NFC", text.replace(" ", "_"))
    name = _UNSAFE.sub("_", normalised)
    if name.startswith((".", "-", "~")) or _RESERVED.match(name):
        name = f"_{name}"
    name = name.encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore").rstrip(". ")
    return name if name == normalised else f"{name}-{digest(text)}"


def digest(text: str, digits: int = 8) -> str:
    """Return a checksum of a text. Texts with the same one of eight digits are easily made."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:digits]


def folded(name: str) -> str:
    """Return a key that is equal for names that some file systems do not distinguish.

    They may ignore case, Unicode normalisation and characters that are not shown.
    """
    visible = "".join(char for char in name if unicodedata.category(char) != "Cf")
    plain = unicodedata.normalize("NFKC", visible).upper().casefold()
    return unicodedata.normalize("NFKC", plain)


def folders(site: Site) -> dict[int, str]:
    """Return the folder of each namespace by number."""
    folder_of: dict[int, str] = {0: _MAIN}
    for number in sorted(site.namespaces.ids()):
        if number > 0:
            name = site.namespaces[number].canonical.lower()
            folder = _NOT_IN_FOLDER.sub("-", name).strip("-")
            if not folder or _RESERVED.match(folder):
                folder = f"namespace-{number}"
            while folder in _TAKEN or folder in folder_of.values():
                folder = f"{folder}-{number}"
            folder_of[number] = folder
    return folder_of


def fill_names(state: State, site: Site, namespaces: Iterable[int], ending: str) -> None:
    """Store a file name for each page of the namespaces, unless that is done already.

    No file system takes two of the names for the same. Of pages whose names some do not
    distinguish, only the oldest gets its name without a checksum.
    """
    if state.is_done(_STEP):
        return
    inserted = "INSERT OR REPLACE INTO names VALUES (?, ?, ?, ?, ?, ?, NULL)"
    with state.atomic():
        for rows in _pages(site, sorted(namespaces)):
            titles = [site.titles.make(namespace, dbkey) for _, namespace, dbkey, _ in rows]
            bases = [safe_name(title.text) for title in titles]
            named = (
                (namespace, dbkey, page, is_redirect, base, folded(base))
                for (page, namespace, dbkey, is_redirect), base in zip(rows, bases, strict=True)
            )
            state.write(inserted, named)
        _distinguish(state, site)
        for number, folder in folders(site).items():
            placed = "UPDATE names SET file = ? || base || ? WHERE namespace = ?"
            state.write(placed, iter([(f"{folder}/", ending, number)]))
        state.finish_step(_STEP)


@dataclass(frozen=True)
class NamesSource:
    """How workers get the file names of the pages in some namespaces.

    ``state`` is the path of the state on this machine. Without it, each worker makes the names
    again from its store, which gives the same ones.
    """

    state: Path | None
    namespaces: tuple[int, ...]
    ending: str

    def open(self, site: Site) -> Names:
        """Return the names, for one worker."""
        if self.state is not None:
            return Names(self.state)
        folder = TemporaryDirectory(prefix="wikiapi-names-")
        path = Path(folder.name, "names")
        state = State(path, "")
        fill_names(state, site, self.namespaces, self.ending)
        state.close()
        names = Names(path)
        weakref.finalize(names, folder.cleanup)
        return names


def _distinguish(state: State, site: Site) -> None:
    """Give all but the oldest of the pages with equal names a name with a checksum.

    Another page may have that very name, in which case the next checksum is tried.
    """
    later = (
        "SELECT namespace, title, base FROM names WHERE EXISTS (SELECT 1 FROM names AS other"
        " WHERE other.namespace = names.namespace AND other.folded = names.folded"
        " AND other.page < names.page) ORDER BY page"
    )
    is_taken = "SELECT 1 FROM names WHERE namespace = ? AND folded = ?"
    renamed = "UPDATE names SET base = ?, folded = ? WHERE namespace = ? AND title = ?"
    for namespace, dbkey, base in list(state.rows(later)):
        title = site.titles.make(namespace, dbkey).prefixed_text
        # No title contains a number sign.
        checksums = (digest(f"{title}#{number}" if number else title) for number in count())
        names = (f"{base}-{checksum}" for checksum in checksums)
        name = next(n for n in names if not any(state.rows(is_taken, (namespace, folded(n)))))
        state.write(renamed, iter([(name, folded(name), namespace, dbkey)]))


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
