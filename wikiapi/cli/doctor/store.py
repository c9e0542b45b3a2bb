"""The store as a database: whether it can be reached, its layout, its permissions."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from wikiapi.cli.advice import advice_for
from wikiapi.cli.doctor.declaration import note, problem, warning
from wikiapi.store import migrate
from wikiapi.store.models import ALL_MODELS
from wikiapi.store.write.bulk import missing_indexes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.cli.doctor.patient import Patient
    from wikiapi.config import Config
    from wikiapi.store.check.finding import Finding
    from wikiapi.store.database import Database

_NAME = "store"
_SQLITE = "sqlite:///"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def check_reachable(patient: Patient) -> Iterator[Finding]:
    """The database answers."""
    if patient.config and patient.store is None and patient.store_error:
        error = patient.store_error
        yield problem(_NAME, str(error), advice_for(error))


def check_layout(db: Database) -> Iterator[Finding]:
    """The layout is the one that this version knows, or MediaWiki's."""
    version = migrate.version(db)
    has_pages = migrate.has_table(db, "page")
    if not version and not has_pages:
        yield problem(_NAME, "the database has no tables", "`wikiapi import DUMP` makes them.")
    elif not version:
        text = "this is a database of MediaWiki's own: it is served, and never written to"
        advice = "Put the wiki's name, paths and namespaces into wikiapi.toml."
        yield note(_NAME, text, advice)
    elif version > migrate.LATEST:
        text = f"the store has layout {version}, this wikiapi knows {migrate.LATEST}"
        yield problem(_NAME, text, "`pip install --upgrade wikiapi`")
    elif version < migrate.LATEST:
        text = f"the store has layout {version}, {migrate.LATEST} is needed"
        yield problem(_NAME, text, "`wikiapi db upgrade` does it; copy the store first.")


def check_permissions(config: Config) -> Iterator[Finding]:
    """The file is its owner's alone: it holds suppressed texts and addresses."""
    url = config.database.url
    path = Path(url.removeprefix(_SQLITE))
    if not url.startswith(_SQLITE) or not path.is_file():
        return
    if path.stat().st_mode & _OTHERS:
        mode = stat.filemode(path.stat().st_mode)
        text = f"{path} may be opened by others ({mode}): it holds what the API hides"
        yield warning(_NAME, text, f"`chmod 600 {path}`")


def check_tables(db: Database) -> Iterator[Finding]:
    """Tables and indexes are complete."""
    if not migrate.has_table(db, "page"):
        return
    names = [model._meta.table_name for model in ALL_MODELS]
    missing = [name for name in names if not migrate.has_table(db, name)]
    if missing and migrate.version(db):
        text = f"tables are missing: {_listed(missing)}"
        yield problem(_NAME, text, "Import the dump again into a new store.")
    elif missing:
        text = f"this MediaWiki is not 1.45: its database lacks {_listed(missing)}"
        yield warning(_NAME, text, "What needs them answers with an error; update.php makes them.")
    if migrate.version(db) and (lacking := missing_indexes(db)):
        text = f"{len(lacking)} indexes are missing, so queries are slow: {_listed(lacking)}"
        yield warning(_NAME, text, "An import was stopped: `wikiapi links` makes them again.")


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown
