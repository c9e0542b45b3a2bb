"""Writes pages and revisions with their texts, in bulk."""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from peewee import Value

from wikiapi.store.database import Database
from wikiapi.store.models import Archive, Content, IpChanges, Page, Revision, Slots, Text
from wikiapi.store.queries import watermark
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.write.ids import Actors, Comments, Person, content_models, next_ids, slot_roles


class NewPage(NamedTuple):
    """A page with the columns of its row. Flags are 0 or 1, ``random`` is between 0 and 1."""

    page_id: int
    namespace: int
    title: str
    is_redirect: int
    is_new: int
    random: float
    touched: str
    links_updated: str | None
    latest: int
    length: int
    content_model: str | None
    language: str | None


class NewSlot(NamedTuple):
    """The content of one slot. ``size`` is in bytes of UTF-8, ``sha1`` in base 36 (31 digits).

    ``origin`` is the revision in which the content was first saved, 0 for this revision.
    """

    role: str
    model: str
    text: str
    size: int
    sha1: str
    origin: int = 0


class NewRevision(NamedTuple):
    """A revision. ``deleted`` contains the visibility bits, ``slots`` at least the main slot.

    ``rev_id`` is 0 for one that has no id yet. Without slots, the caller adds them with
    :func:`share_slots`.
    """

    rev_id: int
    page_id: int
    parent_id: int
    timestamp: str
    minor: int
    deleted: int
    person: Person
    comment: str
    length: int
    sha1: str
    slots: tuple[NewSlot, ...]


_REVISION_COLUMNS = (
    *("rev_page", "rev_comment_id", "rev_actor", "rev_timestamp", "rev_minor_edit", "rev_deleted"),
    *("rev_len", "rev_parent_id", "rev_sha1"),
)


def put_pages(db: Database, pages: Iterable[NewPage]) -> None:
    """Insert pages, replacing those with the same id or title."""
    db.insert_many(Page, pages, on_conflict="replace")


def share_slots(db: Database, from_id: int, to_id: int) -> None:
    """Give a revision the slots of another one, with the same contents and origins."""
    columns = (Slots.slot_role_id, Slots.slot_content_id, Slots.slot_origin)
    rows = Slots.select(Value(to_id, converter=False), *columns)
    rows = rows.where(Slots.slot_revision_id == from_id)
    db.execute_write(Slots.insert_from(rows, (Slots.slot_revision_id, *columns)))


_EXISTING = ByValues(Revision.select(Revision.rev_id), Revision.rev_id)


def existing_revisions(db: Database, revision_ids: Iterable[int]) -> set[int]:
    """Return the ids of the revisions that are in the store. One query for every 512."""
    return {row[0] for row in _EXISTING.rows(db, revision_ids)}


class RevisionWriter:
    """Writes revisions in batches of some hundred; caches the ids of actors and summaries."""

    def __init__(
        self, db: Database, actors: Actors | None = None, comments: Comments | None = None
    ) -> None:
        """Read the greatest ids of texts, contents and revisions, which the new ones follow.

        If others can write during the transaction, the database gives the ids. ``actors`` and
        ``comments`` may have ids that have been looked up already.
        """
        self.db = db
        self._actors, self._comments = actors or Actors(db), comments or Comments(db)
        self._models, self._roles = content_models(db), slot_roles(db)
        self._next_text = self._next_content = self.next_revision = 0
        """An id that neither a revision nor a deleted revision had when the object was made; 0 if
        it is unknown until the revision is inserted."""
        if not db.is_sharing:
            ids = (Text.old_id, Content.content_id, Revision.rev_id, Archive.ar_rev_id)
            self._next_text, self._next_content, *revisions = next_ids(db, *ids)
            self.next_revision = max(revisions)

    def add(self, revisions: Sequence[NewRevision]) -> int:
        """Insert the revisions that are not in the store yet, in one transaction.

        Returns their number.
        """
        with self.db.atomic():
            existing = existing_revisions(self.db, (revision.rev_id for revision in revisions))
            fresh = {row.rev_id: row for row in revisions if row.rev_id not in existing}
            if fresh:
                self.insert(list(fresh.values()))
        return len(fresh)

    def insert(self, revisions: Sequence[NewRevision]) -> None:
        """Insert revisions with ids that no other revision has, in one transaction."""
        with self.db.atomic():
            self._insert_contents(revisions)
            rows = self._rows(revisions)
            numbered = [
                (revision.rev_id, *row) for revision, row in zip(revisions, rows, strict=True)
            ]
            self.db.insert_many(Revision, numbered)
            self._insert_addresses(revisions)

    def insert_new(self, revision: NewRevision) -> NewRevision:
        """Insert a revision that got its id from ``next_revision``, and return it with its id."""
        if not self.db.is_sharing:
            self.insert([revision])
            return revision
        [row] = self._rows([revision])
        number = self.db.insert_numbered(Revision, row, _REVISION_COLUMNS)
        watermark.stay_in_window(self.db, Revision.rev_id, number)
        revision = revision._replace(rev_id=number)
        self._insert_contents([revision])
        self._insert_addresses([revision])
        return revision

    def _rows(self, revisions: Sequence[NewRevision]) -> list[tuple[Any, ...]]:
        """Return the values of all columns but the id."""
        actors = self._actors.ids([revision.person for revision in revisions])
        comments = self._comments.ids([revision.comment for revision in revisions])
        return [
            (
                row.page_id,
                comments[row.comment],
                actors[row.person],
                row.timestamp,
                row.minor,
                row.deleted,
                row.length,
                row.parent_id,
                row.sha1,
            )
            for row in revisions
        ]

    def _insert_addresses(self, revisions: Sequence[NewRevision]) -> None:
        addresses = [
            (row.rev_id, row.timestamp, digits)
            for row in revisions
            if not row.person.user_id and (digits := ip_to_hex(row.person.name))
        ]
        if addresses:
            self.db.insert_many(IpChanges, addresses, on_conflict="ignore")

    def _insert_contents(self, revisions: Sequence[NewRevision]) -> None:
        flat = [(row.rev_id, slot) for row in revisions for slot in row.slots]
        models = self._models.ids([slot.model for _, slot in flat])
        roles = self._roles.ids([slot.role for _, slot in flat])
        contents = self._contents([slot for _, slot in flat], models)
        self.db.insert_many(
            Slots,
            [
                (rev_id, roles[slot.role], content, slot.origin or rev_id)
                for (rev_id, slot), content in zip(flat, contents, strict=True)
            ],
        )

    def _contents(self, slots: Sequence[NewSlot], models: Mapping[str, int]) -> Sequence[int]:
        """Insert the texts and contents of slots, and return the ids of the contents."""
        db, columns = self.db, ("content_size", "content_sha1", "content_model", "content_address")
        if db.is_sharing:
            texts = [
                db.insert_numbered(Text, (slot.text, "utf-8"), ("old_text", "old_flags"))
                for slot in slots
            ]
            return [
                db.insert_numbered(
                    Content, (slot.size, slot.sha1, models[slot.model], f"tt:{text}"), columns
                )
                for slot, text in zip(slots, texts, strict=True)
            ]
        first_text, first = self._next_text, self._next_content
        db.insert_many(Text, [(first_text + i, slot.text, "utf-8") for i, slot in enumerate(slots)])
        db.insert_many(
            Content,
            [
                (first + i, slot.size, slot.sha1, models[slot.model], f"tt:{first_text + i}")
                for i, slot in enumerate(slots)
            ],
        )
        self._next_text += len(slots)
        self._next_content += len(slots)
        return range(first, self._next_content)


def ip_to_hex(text: str) -> str:
    """Return an IP address as stored in ``ipc_hex``; an empty string if the text is not one.

    An IPv4 address has 8 hexadecimal digits, an IPv6 address ``v6-`` and 32 digits.
    """
    # Most texts are names, of which the first letter excludes most.
    if not text or text[0] not in "0123456789abcdefABCDEF:" or "%" in text:
        return ""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return ""
    return f"{int(address):08X}" if address.version == 4 else f"v6-{int(address):032X}"


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_PAIRS = tuple(high + low for high in _DIGITS for low in _DIGITS)
WIDTH = 31


def sha1_base36(data: bytes) -> str:
    """Return the SHA-1 of bytes in base 36, as in rev_sha1, content_sha1 and img_sha1."""
    number = int.from_bytes(hashlib.sha1(data, usedforsecurity=False).digest(), "big")
    pairs = []
    for _ in range((WIDTH + 1) // 2):
        number, rest = divmod(number, 36 * 36)
        pairs.append(_PAIRS[rest])
    return "".join(reversed(pairs))[-WIDTH:]


def combined_sha1(hashes: dict[str, str]) -> str:
    """Return the hash of a revision from the hashes of its slots by role.

    The hash of a single slot is unchanged. Several are combined in the order of their roles: the
    hash so far, followed by that of the next slot, is hashed again.
    """
    ordered = [hashes[role] for role in sorted(hashes)]
    total = ordered[0]
    for digest in ordered[1:]:
        total = sha1_base36((total + digest).encode())
    return total
