"""Values that expire, by key, in MediaWiki's table ``objectcache``.

All processes of a wiki share them, and they survive a restart. An expired entry is never returned
by ``get``; its row stays until ``delete_expired`` removes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from wikiapi.site import Site
from wikiapi.store import CompiledQuery
from wikiapi.store.engines.dialect import OnConflict
from wikiapi.store.models.writing import ObjectCache
from wikiapi.timestamps import compact, moment_of

_LONGEST_KEY = 255
_SKEW = timedelta(minutes=1)
"""By how much the clocks of the machines that share a database may differ."""
_END_OF_TIME = "99991231235959"


def _expires_within(earliest: Any, latest: Any) -> Any:
    return (ObjectCache.exptime > earliest) & (ObjectCache.exptime <= latest)


_VALID_ENTRY = CompiledQuery(
    lambda key, earliest, latest: ObjectCache.select(ObjectCache.value, ObjectCache.exptime).where(
        ObjectCache.keyname == key, _expires_within(earliest, latest)
    )
)


class Entry(NamedTuple):
    """A value and when it expires."""

    value: str
    expires: datetime


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries of one kind, by name. The kind and the wiki's id are part of their keys.

    ``lasts`` is for how long an entry is valid, if all are valid equally long. An entry that would
    be valid longer was made before the clock was put back. It counts as expired, since it would
    otherwise outlive its time by as much as the clock was wrong.
    """

    kind: str
    lasts: timedelta | None = None

    def get(self, site: Site, name: str, *, locks: bool = False) -> Entry | None:
        """Return an entry, or ``None`` if there is none or it has expired. One query.

        With ``locks``, nobody else changes it until the transaction ends.
        """
        query = _VALID_ENTRY(self._key(site, name), *self._span(site))
        rows = site.db.execute(query, locks=locks)
        return Entry(rows[0][0], moment_of(rows[0][1])) if rows else None

    def put(self, site: Site, name: str, value: str, expires: datetime) -> None:
        """Store an entry, which replaces an earlier one of this name.

        If others can write during the transaction, it is repeated if there is an earlier one.
        """
        row = (self._key(site, name), value, compact(expires))
        columns = ("keyname", "value", "exptime")
        on_conflict: OnConflict = "error" if site.db.is_sharing else "replace"
        site.db.insert_many(ObjectCache, [row], columns, on_conflict=on_conflict)

    def change(self, site: Site, name: str, value: str) -> None:
        """Give an entry another value; it expires as before."""
        changed = ObjectCache.update(value=value)
        site.db.execute_write(changed.where(ObjectCache.keyname == self._key(site, name)))

    def pop(self, site: Site, name: str) -> str | None:
        """Delete an entry and return its value, even if it has expired; ``None`` without one."""
        key = ObjectCache.keyname == self._key(site, name)
        value: str | None = site.db.scalar(ObjectCache.select(ObjectCache.value).where(key))
        if value is not None:
            site.db.execute_write(ObjectCache.delete().where(key))
        return value

    def delete(self, site: Site, name: str) -> None:
        """Delete an entry, if it exists."""
        site.db.execute_write(
            ObjectCache.delete().where(ObjectCache.keyname == self._key(site, name))
        )

    def delete_expired(self, site: Site) -> None:
        """Delete the expired entries."""
        is_valid = _expires_within(*self._span(site))
        site.db.execute_write(ObjectCache.delete().where(~is_valid, self._is_of_kind(site)))

    def delete_by_value(self, site: Site, beginning: str) -> None:
        """Delete the entries whose values begin with a text."""
        begins = ObjectCache.value.startswith(beginning)
        site.db.execute_write(ObjectCache.delete().where(self._is_of_kind(site), begins))

    def keep_latest(self, site: Site, count: int) -> None:
        """Delete all entries but those that expire last."""
        keys = ObjectCache.select(ObjectCache.keyname).where(self._is_of_kind(site))
        latest = keys.order_by(ObjectCache.exptime.desc(), ObjectCache.keyname)
        surplus = [key for (key,) in site.db.execute(latest)][count:]
        if surplus:
            site.db.execute_write(ObjectCache.delete().where(ObjectCache.keyname.in_(surplus)))

    def _span(self, site: Site) -> tuple[str, str]:
        """Return the times after and until which valid entries expire, of 14 digits."""
        now = site.clock()
        latest = _END_OF_TIME if self.lasts is None else compact(now + self.lasts + _SKEW)
        return compact(now), latest

    def _is_of_kind(self, site: Site) -> Any:
        return ObjectCache.keyname.startswith(self._key(site, ""))

    def _key(self, site: Site, name: str) -> str:
        return f"{site.config.site.wiki_id}:wikiapi-{self.kind}:{name}"[:_LONGEST_KEY]
