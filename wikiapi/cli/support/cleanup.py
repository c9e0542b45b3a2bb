"""Removes the files that a command created if it fails before it has stored anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from wikiapi.errors import StoreError, WikiapiError
from wikiapi.importing.tables.layouts import LAYOUTS
from wikiapi.importing.tables.loader import is_loaded
from wikiapi.store.database import Database
from wikiapi.store.models import Logging, Page

_SQLITE = "sqlite:///"
_COMPANIONS = ("", "-wal", "-shm", "-journal")


@contextmanager
def removing_on_failure(database_url: str, config: Path | None = None) -> Iterator[None]:
    """If the block fails, remove the files that it created, unless the store contains data.

    After an interruption the files are kept, since the command can be resumed.

    Args:
        database_url: the URL of the store that the block may create.
        config: the configuration file that the block may create.
    """
    new = _NewFiles(database_url, config)
    try:
        yield
    except WikiapiError:
        new.remove_unless_used()
        raise


class _NewFiles:
    """The files that a run can create, which are those that do not exist before it."""

    def __init__(self, database_url: str, config: Path | None) -> None:
        """Note which of the files exist."""
        self._store: Path | None = None
        if database_url.startswith(_SQLITE):
            path = Path(database_url.removeprefix(_SQLITE))
            self._store = None if path.exists() else path
        self._url = database_url
        self._config = config if config and not config.exists() else None

    def remove_unless_used(self) -> None:
        """Remove the new files, unless the store contains data or was there before."""
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
