"""A store that is whole, of each kind of database, for tests that break it."""

from __future__ import annotations

import pytest

from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.importing.finish import finish_import
from wikiapi.store.database import Database
from wikiapi.testing import DeclaredUser, Edit
from wikiapi.testing.sites import ContentWriter

PAGES = {
    "Alpha": [Edit("first", user="Ada"), Edit("[[Beta]] [[Category:Letters]]", user="Bo")],
    "Beta": "{{T}} ünï",
    "Template:T": "t [https://example.org/ x]",
}


@pytest.fixture
def db(db: Database) -> Database:
    site = open_site(Config(), database=db)
    ContentWriter(site, [DeclaredUser("Ada"), DeclaredUser("Bo")]).write(PAGES, [])
    finish_import(site)
    return db
