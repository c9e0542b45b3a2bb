"""What follows once table dumps have been loaded, whether in one run or in several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store import generation
from wikiapi.store.models import UpdateLog
from wikiapi.store.write import search

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.store.database import Database

_LOADED = "wikiapi-unfinished-table-"
_PAGE = "page"


def note_loaded(db: Database, table: str) -> None:
    """Note that something follows; call inside the transaction that loads rows of the table."""
    db.insert_many(UpdateLog, [(_LOADED + table, None)], on_conflict="replace")


def finish_tables(site: Site) -> None:
    """Do what follows from the tables that were loaded since this was done last, in any run.

    The full-text index is made anew where it was the table of pages, and plugins are told.
    """
    db = site.db
    query = UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_key.startswith(_LOADED))
    loaded = {key.removeprefix(_LOADED) for (key,) in db.rows(query)}
    if not loaded:
        return
    if _PAGE in loaded:
        search.rebuild(db)
    site.plugins.hook.on_import_finished(site=site)
    # Noted last: whoever is killed before it does all of this again, and plugins are told again.
    with db.atomic():
        generation.advance(db)
        db.run(UpdateLog.delete().where(UpdateLog.ul_key.startswith(_LOADED)))
