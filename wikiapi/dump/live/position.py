"""How far a store has followed a live wiki, kept in ``updatelog`` with what it took over."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from wikiapi.store.models import UpdateLog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.store.database import Database

_KEY = "wikiapi-followed-"
_WALK_KEY = "wikiapi-following-"


@dataclass(frozen=True, slots=True)
class Walk:
    """Where an update is on its way: since when (14 digits), and the wiki's own continuation.

    With it an update that was cut short takes the changes in the same batches as one that was not,
    and so writes the same rows.
    """

    since: str
    more: Mapping[str, str]


def load_position(db: Database, address: str) -> str | None:
    """The time of the last change taken over, 14 digits; None before the first update."""
    return _get(db, _key(_KEY, address))


def save_position(db: Database, address: str, moment: str) -> None:
    """Note the time of a change; call inside the transaction that takes it over."""
    known = load_position(db, address) or ""
    _put(db, _key(_KEY, address), max(moment, known))


def load_walk(db: Database, address: str) -> Walk | None:
    """Where the last update was cut short; None if it was not."""
    value = _get(db, _key(_WALK_KEY, address))
    return Walk(**json.loads(value)) if value else None


def save_walk(db: Database, address: str, walk: Walk | None) -> None:
    """Note where an update is, None at its end; call inside the transaction of a batch."""
    key = _key(_WALK_KEY, address)
    if walk is not None:
        _put(db, key, json.dumps(asdict(walk)))
    else:
        db.run(UpdateLog.delete().where(UpdateLog.ul_key == key))


def _get(db: Database, key: str) -> str | None:
    value = db.scalar(UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == key))
    return str(value) if value else None


def _put(db: Database, key: str, value: str) -> None:
    db.insert_many(UpdateLog, [(key, value)], on_conflict="replace")


def _key(prefix: str, address: str) -> str:
    return prefix + sha256(address.encode()).hexdigest()[:32]
