"""What a command leaves behind that fails before it has stored anything: nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from wikiapi.dump.tables.layouts import LAYOUTS
from wikiapi.dump.tables.loader import is_loaded
from wikiapi.errors import StoreError, WikiapiError
from wikiapi.store.database import Database
from wikiapi.store.models import Logging, Page

_SQLITE = "sqlite:///"
_COMPANIONS = ("", "-wal", "-shm", "-journal")


@contextmanager
def leaving_nothing(database_url: str, config: Path | None = None) -> Iterator[None]:
    """Remove the files that the block creates if it fails, unless the store holds something.

    What is interrupted stays, since it can be resumed.

    Args:
        database_url: the store that the block may create.
        config: the configuration file that it may create.
    """
    made = _Footprint(database_url, config)
    try:
        yield
    except WikiapiError:
        made.remove_unless_used()
        raise


class _Footprint:
    """The files that a run may create: those that do not exist before it."""

    def __init__(self, database_url: str, config: Path | None) -> None:
        """Look at what exists."""
        self._store: Path | None = None
        if database_url.startswith(_SQLITE):
            path = Path(database_url.removeprefix(_SQLITE))
            self._store = None if path.exists() else path
        self._url = database_url
        self._config = config if config and not config.exists() else None

    def remove_unless_used(self) -> None:
        """Remove the new files of an import that has failed, if the store holds nothing."""
        if self._store is None or self._is_used():
            return
        for suffix in _COMPANIONS:
            self._store.with_name(self._store.name + suffix).unlink(missing_ok=True)
        if self._config is not None:
            self._config.unlink(missing_ok=True)

    def _is_used(self) -> bool:
        with suppress(StoreError), closing(Database(self._url, read_only=True)) as db:
            has_rows = (
                db.row(column.model.select(column).limit(1)) is not None
                for column in (Page.page_id, Logging.log_id)
            )
            return any(has_rows) or any(is_loaded(db, table) for table in LAYOUTS)
        return False
