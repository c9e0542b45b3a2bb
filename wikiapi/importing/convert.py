"""Converts the records of a dump to rows of the store, and its titles to keys.

Titles are read with the namespaces that the dump declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from wikiapi.importing.xml.records import (
    Contributor,
    DumpNamespace,
    DumpRevision,
    DumpSlot,
)
from wikiapi.store.sql.batches import Key
from wikiapi.store.write.ids import Person
from wikiapi.store.write.revisions import NewPage, NewRevision, NewSlot, combined_sha1, sha1_base36
from wikiapi.title.codec import MAX_BYTES
from wikiapi.title.namespaces import NamespaceTable

__all__ = ["new_revision"]

_DEFAULT_MODEL = "wikitext"
# The fractional parts of its multiples are spread evenly, and the same on every import.
_GOLDEN = 0.6180339887498949
_MAX_REPORTED = 100
_LONGEST_REPORTED = 300
# What a database key never contains; a dump made by MediaWiki has no such title.
_ILLEGAL = re.compile(
    r"[\x00-\x20\x7f#<>\[\]{|}\ufffd\u200e\u200f\u202a-\u202e]|\A[_:]|_\Z|__|~~~"
    r"|%[0-9A-Fa-f]{2}|&(?:[A-Za-z0-9\u0080-\uffff]+|\#[0-9]+|\#x[0-9A-Fa-f]+);"
    r"|(?:\A|/)\.{1,2}(?:/|\Z)"
)


def new_revision(revision: DumpRevision, page_id: int) -> NewRevision:
    """Return the rows of a revision."""
    main = new_slot(revision.slots[0], revision.id)
    slots: tuple[NewSlot, ...] = (main,)
    size, sha1 = main.size, main.sha1
    if len(revision.slots) > 1:
        slots = tuple(new_slot(slot, revision.id) for slot in revision.slots)
        size = sum(slot.size for slot in slots)
        sha1 = combined_sha1({slot.role: slot.sha1 for slot in slots})
    return NewRevision(
        revision.id,
        page_id,
        revision.parent_id,
        revision.timestamp,
        int(revision.minor),
        revision.hidden,
        person(revision.contributor),
        revision.comment,
        size,
        sha1,
        slots,
    )


def new_slot(slot: DumpSlot, revision: int) -> NewSlot:
    """Return the rows of a slot; the dump's size and hash are used only if it omits the text."""
    model = slot.model or _DEFAULT_MODEL
    origin = slot.origin if slot.origin != revision else 0
    if slot.absent:
        return NewSlot(slot.role, model, "", slot.size or 0, slot.sha1, origin)
    data = slot.text.encode()
    return NewSlot(slot.role, model, slot.text, len(data), sha1_base36(data), origin)


def person(contributor: Contributor) -> Person:
    """Return the row of ``actor`` for a contributor."""
    return Person(contributor.user_id, contributor.name)


def new_page(
    page_id: int, key: Key, latest: DumpRevision, length: int, *, redirect: bool
) -> NewPage:
    """Return the row of a page, with its links marked as not derived yet."""
    return NewPage(
        page_id,
        *key,
        int(redirect),
        int(not latest.parent_id),
        round(page_id * _GOLDEN % 1, 12),
        latest.timestamp,
        None,
        latest.id,
        length,
        latest.main.model or _DEFAULT_MODEL,
        None,
    )


@dataclass(slots=True)
class ImportedPage:
    """A page of which all revisions have been read: its row, and what is stored elsewhere."""

    row: NewPage
    latest: DumpRevision
    redirect: Key | None
    restrictions: str

    @property
    def key(self) -> Key:
        """(namespace, database key)."""
        return self.row.namespace, self.row.title

    @property
    def age(self) -> tuple[str, int]:
        """The timestamp and id of the latest revision, which order the states of a page."""
        return self.latest.timestamp, self.latest.id


class RefusedTitles(list[str]):
    """The first of the invalid titles, truncated, and their ``total`` number."""

    def __init__(self) -> None:
        """Create an empty list."""
        super().__init__()
        self.total = 0

    def add(self, title: str) -> None:
        """Add a title."""
        self.total += 1
        if len(self) < _MAX_REPORTED:
            self.append(title[:_LONGEST_REPORTED])


class DumpTitles:
    """Parses the titles of one dump."""

    def __init__(self, namespaces: Iterable[DumpNamespace]) -> None:
        """Index the namespaces by number and by name."""
        self._prefixes = {entry.id: f"{entry.name}:" for entry in namespaces if entry.name}
        self._by_name = {prefix.lower(): number for number, prefix in self._prefixes.items()}

    def key(self, title: str, namespace: int) -> Key | None:
        """Return (namespace, database key) of a page; None if its title is invalid."""
        prefix = self._prefixes.get(namespace, "")
        if not title.startswith(prefix) or namespace < 0:
            return None
        dbkey = title[len(prefix) :].replace(" ", "_")
        return (namespace, dbkey) if is_dbkey(dbkey) else None

    def find(self, title: str) -> Key | None:
        """Return the same as :meth:`key`, with the namespace parsed from the title."""
        head, colon, rest = title.partition(":")
        namespace = self._by_name.get(f"{head.lower()}:") if colon else None
        if namespace is None:
            namespace, rest = 0, title
        dbkey = rest.replace(" ", "_")
        return (namespace, dbkey) if is_dbkey(dbkey) else None


def is_dbkey(text: str) -> bool:
    """Return whether a text is a normalised page name, without a namespace."""
    if not text or _ILLEGAL.search(text):
        return False
    return len(text) <= MAX_BYTES // 4 or len(text.encode()) <= MAX_BYTES


def configured_namespaces(table: NamespaceTable) -> tuple[DumpNamespace, ...]:
    """Return the configured namespaces, for a dump that does not declare any."""
    return tuple(DumpNamespace(entry.id, entry.name, entry.first_letter) for entry in table)
