"""The reference wiki, imported from its dump."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from tests.reference import material
from tests.reference.wikis import configured
from wikiapi.factory import open_site
from wikiapi.importing.finish import finish_import
from wikiapi.importing.importer import DumpImporter
from wikiapi.importing.siteinfo import fill_interwiki
from wikiapi.importing.source import open_source
from wikiapi.pages.links.update import LinksUpdate
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.queries.interwiki import all_rows
from wikiapi.store.schema import migrate


@contextmanager
def imported() -> Iterator[Site]:
    """A site in memory, made from the dump; dumps do not hold the interwiki map, nor files."""
    with (
        configured() as config,
        closing(Database("sqlite:///:memory:")) as db,
        closing(Database(config.database.url, read_only=True)) as reference,
    ):
        migrate.upgrade(db)
        fill_interwiki(db, all_rows(reference))
        site = open_site(config, database=db)
        with open_source(str(material.RECORDED / "refwiki.xml.gz")) as source:
            report = DumpImporter(site).import_dump(source)
        assert report.refused == []
        LinksUpdate(site).run()
        finish_import(site)
        yield site
