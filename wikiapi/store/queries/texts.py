"""Texts by address, by revision and by title, without those that are suppressed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from peewee import JOIN

from wikiapi.errors import StoreCorrupt
from wikiapi.store.database import Database
from wikiapi.store.models import Content, ContentModels, Page, Revision, SlotRoles, Slots, Text
from wikiapi.store.queries.slots import MAIN
from wikiapi.store.queries.visibility import TEXT, is_hidden, readable_bits
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.compiled import ByKeys, ByValues
from wikiapi.store.sql.nodes import AddressId, RawBytes
from wikiapi.store.sql.statements import Row

_TEXT_TABLE = "tt:"


class PageText(NamedTuple):
    """The current text of a page, None if it is suppressed. ``model`` is its content model."""

    page_id: int
    namespace: int
    title: str
    revision_id: int
    timestamp: str
    model: str
    text: str | None


class RevisionText(NamedTuple):
    """The text of a revision's main slot, None if it is suppressed."""

    revision_id: int
    page_id: int
    model: str
    text: str | None


def _with_text(query: Any) -> Any:
    return (
        query.join_from(Revision, Slots, on=(Slots.slot_revision_id == Revision.rev_id))
        .join_from(Slots, SlotRoles, on=(SlotRoles.role_id == Slots.slot_role_id))
        .join_from(Slots, Content, on=(Content.content_id == Slots.slot_content_id))
        .join_from(Content, ContentModels, on=(ContentModels.model_id == Content.content_model))
        .join_from(
            Content,
            Text,
            JOIN.LEFT_OUTER,
            on=(Text.old_id == AddressId(Content.content_address)),
        )
        .where(SlotRoles.role_name == MAIN)
    )


# Compressed texts may be in columns of text, so queries select their bytes.
_RAW = RawBytes(Text.old_text)
_BODY = (Revision.rev_deleted, Content.content_address, _RAW, Text.old_flags)
_KEY = (Page.page_namespace, Page.page_title)

_TEXTS = ByValues(Text.select(Text.old_id, _RAW, Text.old_flags), Text.old_id)
_REVISION_TEXTS = ByValues(
    _with_text(
        Revision.select(Revision.rev_id, Revision.rev_page, ContentModels.model_name, *_BODY)
    ),
    Revision.rev_id,
)
_PAGE_TEXTS = ByKeys(
    _with_text(
        Page.select(
            Page.page_id,
            *_KEY,
            Revision.rev_id,
            Revision.rev_timestamp,
            ContentModels.model_name,
            *_BODY,
        ).join(Revision, on=(Revision.rev_id == Page.page_latest))
    ),
    *_KEY,
)
_LATEST_IDS = ByKeys(
    Page.select(Page.page_id, *_KEY, Revision.rev_id, Revision.rev_deleted).join(
        Revision, on=(Revision.rev_id == Page.page_latest)
    ),
    *_KEY,
)


def by_addresses(db: Database, addresses: Iterable[str]) -> dict[str, str]:
    """Return the texts at content addresses of the form ``tt:N``. One query.

    Raises StoreCorrupt for an address of another form, for a missing text and for one that cannot
    be read (see :func:`decode_text`).
    """
    ids = {address: text_id(address) for address in addresses}
    stored = _TEXTS.rows(db, ids.values())
    rows = {row[0]: decode_text(row[1], row[2]) for row in stored}
    if missing := [address for address, number in ids.items() if number not in rows]:
        raise StoreCorrupt(f"there is no text at {missing[0]}")
    return {address: rows[number] for address, number in ids.items()}


def of_revisions(
    db: Database, revision_ids: Iterable[int], readable: int = 0
) -> dict[int, RevisionText]:
    """Return the texts of the main slots of revisions that are not deleted. One query.

    ``readable`` contains the visibility bits of hidden values that the reader may see.
    """
    revision_texts = {}
    for row in _REVISION_TEXTS.rows(db, revision_ids):
        revision_texts[row[0]] = RevisionText(row[0], row[1], row[2], _text(row[3:], readable))
    return revision_texts


def current(db: Database, keys: Iterable[Key]) -> dict[Key, PageText]:
    """Return the current texts of the main slots of pages, if they exist. One query."""
    rows = _PAGE_TEXTS.rows(db, keys)
    return {(row[1], row[2]): PageText(*(*row[:6], _text(row[6:]))) for row in rows}


def current_ids(db: Database, keys: Iterable[Key]) -> dict[Key, tuple[int, int]]:
    """Return the ids of the pages that exist and of their current revisions. One query.

    Pages with suppressed texts are left out. A cache of texts by revision uses this to check
    whether they are current, which takes a third of the time of reading the texts.
    """
    rows = _LATEST_IDS.rows(db, keys)
    return {(row[1], row[2]): (row[0], row[3]) for row in rows if not is_hidden(row[4], TEXT)}


def text_id(address: str) -> int:
    """Return the id in the text table to which an address refers.

    Raises StoreCorrupt for an address of another form.
    """
    digits = address.removeprefix(_TEXT_TABLE).partition("?")[0]
    if not address.startswith(_TEXT_TABLE) or not (digits.isascii() and digits.isdigit()):
        raise StoreCorrupt(f"content stored at {address!r} cannot be read")
    return int(digits)


def _text(columns: Row, readable: int = 0) -> str | None:
    """Return the text in the columns ``_BODY``, None if the reader may not see it."""
    bits, address, raw, flags = columns
    if is_hidden(bits & ~readable_bits(bits, readable), TEXT):
        return None
    if raw is None:
        raise StoreCorrupt(f"there is no text at tt:{text_id(address)}")
    return decode_text(raw, flags)


LONGEST_TEXT = 64 * 1024 * 1024
"""Maximum size in bytes of a decompressed text; larger ones are regarded as decompression bombs."""

_KNOWN = frozenset({"", "utf-8", "utf8", "gzip"})


def decode_text(raw: bytes | str, flags: str) -> str:
    """Return the text in a row of the text table; bytes that are not UTF-8 become U+FFFD.

    Raises StoreCorrupt for texts that only MediaWiki can read (serialised objects, external
    storage) and for compressed data that is damaged, truncated or too long.
    """
    if isinstance(raw, str) and "gzip" not in flags:
        _check_known(flags)
        return raw
    return stored_bytes(raw, flags).decode("utf-8", "replace")


def stored_bytes(raw: bytes | str, flags: str) -> bytes:
    """Return the text in a row of the text table as bytes, to which its size and hash refer.

    Raises StoreCorrupt like :func:`decode_text`.
    """
    names = _check_known(flags)
    data = raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else bytes(raw)
    return inflate(data) if "gzip" in names else data


def _check_known(flags: str) -> set[str]:
    names = {flag.strip() for flag in flags.split(",")}
    if unknown := names - _KNOWN:
        raise StoreCorrupt(f"text stored as {', '.join(sorted(unknown))} cannot be read")
    return names


def inflate(raw: bytes) -> bytes:
    """Return decompressed data of PHP's ``gzdeflate``, a deflate stream without header or checksum.

    Raises StoreCorrupt if it is damaged, truncated or too long.
    """
    decompressor = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = decompressor.decompress(raw, LONGEST_TEXT + 1)
    except zlib.error as error:
        raise StoreCorrupt(f"compressed text is broken: {error}") from error
    if len(text) > LONGEST_TEXT:
        raise StoreCorrupt(f"compressed text grows beyond {LONGEST_TEXT} bytes")
    if not decompressor.eof:
        raise StoreCorrupt("compressed text is cut short")
    return text
