"""The genders that users have told, by which some languages name the namespaces of users."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from time import monotonic

from wikiapi.store.database import Database
from wikiapi.store.models import User, UserProperties

_KEPT_SECONDS = 30
"""For how long the genders are not read again, as changes by other processes are not noticed."""
_GENDERS = ("male", "female")


class Genders:
    """The genders of a wiki's users, read by one query when they are first needed, and later again.

    Can be used by several threads.
    """

    def __init__(self, db: Database) -> None:
        """Read from a database."""
        self._db = db
        self._lock = threading.Lock()
        self._by_name: Mapping[str, str] = {}
        self._read_at: float | None = None

    def __getitem__(self, name: str) -> str:
        """Return ``male``, ``female``, or "" for a user who has told neither, by user name."""
        if self._read_at is None or monotonic() - self._read_at > _KEPT_SECONDS:
            with self._lock:
                read_at = monotonic()
                query = (
                    UserProperties.select(User.user_name, UserProperties.up_value)
                    .join(User, on=User.user_id == UserProperties.up_user)
                    .where(
                        UserProperties.up_property == "gender",
                        UserProperties.up_value.in_(_GENDERS),
                    )
                )
                self._by_name = dict(self._db.execute(query))
                self._read_at = read_at
        return self._by_name.get(name, "")

    def forget(self) -> None:
        """Read again at the next use, because a user has changed the preference."""
        self._read_at = None
