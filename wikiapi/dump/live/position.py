"""How far a store has followed a live wiki, kept in ``updatelog`` with what it took over."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from wikiapi.store.models import UpdateLog

if TYPE_CHECKING:
    from wikiapi.store.database import Database

_KEY = "wikiapi-followed-"


def load_position(db: Database, address: str) -> str | None:
    """The time of the last change taken over, 14 digits; None before the first update."""
    query = UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == _key(address))
    value = db.scalar(query)
    return str(value) if value else None


def save_position(db: Database, address: str, moment: str) -> None:
    """Note the time of a change; call inside the transaction that takes it over."""
    known = load_position(db, address) or ""
    row = (_key(address), max(moment, known))
    db.insert_many(UpdateLog, [row], on_conflict="replace")


def _key(address: str) -> str:
    return _KEY + sha256(address.encode()).hexdigest()[:32]
