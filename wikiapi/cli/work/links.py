"""``wikiapi links``: derive the link tables from the pages' texts."""

from __future__ import annotations

from contextlib import closing

from wikiapi.cli.support.linking import derive_links
from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.heap import collected_rarely
from wikiapi.importing.finish import finish_unless_done
from wikiapi.pages.links.update import mark_all
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.store.write.bulk import loading


def run(config: Config, everything: bool, jobs: int, recent_days: int) -> None:
    """Derive the links of pending pages or of all, then recent changes and counters."""
    with collected_rarely(), closing(Database(config.database.url)) as db:
        migrate.upgrade(db)
        site = open_site(config, database=db)
        if everything:
            mark_all(db)
        with loading(db):
            derive_links(site, jobs)
        finish_unless_done(site, recent_days)
