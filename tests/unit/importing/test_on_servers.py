"""A newer dump, pruning and table dumps in stores on MariaDB and PostgreSQL."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.servers import SERVER_PARAMS, running_or_skipped
from tests.unit.importing.tables.sqldump import PAGE, page_rows, sql_dump
from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.importing.deletion import prune, settle_displaced
from wikiapi.importing.finish import finish_import
from wikiapi.importing.importer import DumpImporter
from wikiapi.importing.source import DumpSource
from wikiapi.importing.tables.loader import load_table
from wikiapi.pages.links.update import LinksUpdate
from wikiapi.site import Site
from wikiapi.store.check.references import check_references
from wikiapi.store.database import Database
from wikiapi.store.models import Archive, Image, Page, PageLinks, Revision
from wikiapi.store.schema import migrate

IMAGE = (
    "img_name img_size img_width img_height img_metadata img_bits img_media_type img_major_mime"
    " img_minor_mime img_description_id img_actor img_timestamp img_sha1"
)
IMAGE_ROW = "('P.png',9,2,3,'\\0{}',8,'BITMAP','image','png',55,66,'20250101000000','x')"


@pytest.fixture(params=SERVER_PARAMS, scope="module")
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    with running_or_skipped(request.param) as server:
        yield server.create("imports")


@pytest.fixture(scope="module")
def there(url: str) -> Iterator[Site]:
    with closing(Database(url)) as db:
        migrate.upgrade(db)
        yield open_site(Config(), database=db)


def source(data: bytes) -> DumpSource:
    return DumpSource(io.BytesIO(data), "test", len(data))


def imported(site: Site, *items: str, for_pruning: bool = False) -> None:
    DumpImporter(site, for_pruning=for_pruning).import_dump(source(dump(*items)))
    if for_pruning:
        prune(site.db)
    settle_displaced(site.db)
    LinksUpdate(site).run()
    finish_import(site)


def test_newer_dumps_and_tables(there: Site) -> None:
    db = there.db
    low, box = page("Low", 3), page("Template:Box", 4, revision(4, "[[X]]"), ns=10)
    imported(there, low, box, page("A", 5, revision(5, "{{Box}}", who="<ip>192.0.2.7</ip>")))
    changed = page("Template:Box", 4, revision(8, "[[Y]]", day=2), ns=10)
    moved = page("B", 5, revision(9, "{{Box}}", day=2))
    imported(there, page("A", 3, revision(7, "of three", day=2)), changed, moved)
    assert db.execute(Page.select(Page.page_id, Page.page_title).order_by(Page.page_id)) == [
        (3, "A"),
        (4, "Box"),
        (5, "B"),
    ]
    assert db.execute(Archive.select(Archive.ar_rev_id)) == []
    imported(there, page("A", 3, revision(7, "x", day=2)), box, for_pruning=True)
    # The page that is newer than the dump stays; a later one has it no more.
    late = page("Z", 6, revision(20, "z", day=9))
    imported(there, page("A", 3, revision(7, "x", day=2)), late, for_pruning=True)
    assert db.execute(Archive.select(Archive.ar_rev_id).order_by(Archive.ar_rev_id)) == [(5,), (9,)]
    imported(there, page("B", 5, revision(5, "{{Box}}"), revision(9, "{{Box}}", day=2)))
    assert db.execute(Archive.select(Archive.ar_rev_id)) == []
    assert len(db.execute(Revision.select(Revision.rev_id).where(Revision.rev_page == 5))) == 2
    assert list(check_references(db)) == []
    targets = sql_dump("linktarget", "lt_id lt_namespace lt_title", "(71,0,'É')")
    load_table(db, source(targets))
    load_table(db, source(sql_dump("page", PAGE, page_rows((1, 0, "A"), (2, 0, "É\\\\")))))
    load_table(db, source(sql_dump("pagelinks", "pl_from pl_namespace pl_title", "(1,0,'É')")))
    load_table(db, source(sql_dump("image", IMAGE, IMAGE_ROW)))
    assert db.execute(Page.select(Page.page_title).order_by(Page.page_id)) == [("A",), ("É\\",)]
    assert db.execute(PageLinks.select()) == [(1, 71, 0)]
    ((metadata,),) = db.execute(Image.select(Image.img_metadata))
    assert bytes(metadata) == b"\0{}"
