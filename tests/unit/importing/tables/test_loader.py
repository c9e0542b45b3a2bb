from __future__ import annotations

import gzip
import io
from collections.abc import Callable

import pytest

from tests.unit.importing.tables.sqldump import PAGE, page_rows, sql_dump
from wikiapi.errors import DumpError
from wikiapi.importing.source import DumpSource
from wikiapi.importing.tables import loader
from wikiapi.importing.tables.layouts import LAYOUTS
from wikiapi.importing.tables.loader import TableReport
from wikiapi.languages.collation import collation
from wikiapi.pages.links.collation import recorded_collation
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import Page

Load = Callable[[bytes], TableReport]

PAGES = sql_dump("page", PAGE, page_rows((1, 0, "A"), (2, 14, 'It\\\'s_\\\\_\\"x\\"')))


def test_pages(site: Site, load: Load) -> None:
    report = load(gzip.compress(PAGES))
    assert (report.table, report.rows, report.skipped) == ("page", 2, 0)
    times = ("20260101000000", "20260101000001")
    assert site.db.execute(Page.select()) == [
        (1, 0, "A", 0, 0, 0.1, *times, 1, 10, "wikitext", None),
        (2, 14, 'It\'s_\\_"x"', 0, 0, 0.2, *times, 2, 10, "wikitext", None),
    ]
    assert load(gzip.compress(PAGES)).already_done


def test_what_was_there_is_replaced(site: Site, load: Load) -> None:
    load(PAGES)
    load(sql_dump("page", PAGE, page_rows((3, 0, "C"))))
    assert site.db.execute_sql("SELECT page_id FROM page") == [(3,)]


def test_links_with_their_targets(site: Site, load: Load) -> None:
    load(sql_dump("linktarget", "lt_id lt_namespace lt_title", "(71,0,'B'),(72,10,'Box')"))
    load(sql_dump("pagelinks", "pl_from pl_from_namespace pl_target_id", "(1,0,71)", "(2,14,71)"))
    load(sql_dump("templatelinks", "tl_from tl_from_namespace tl_target_id", "(1,0,72)"))
    assert site.db.execute_sql("SELECT * FROM pagelinks") == [(1, 71, 0), (2, 71, 14)]
    assert site.db.execute_sql("SELECT * FROM templatelinks") == [(1, 72, 0)]


def test_links_derived_here_go_with_the_numbers_of_their_targets(site: Site, load: Load) -> None:
    site.db.execute_sql("INSERT INTO pagelinks VALUES (1, 1, 0)")
    load(sql_dump("templatelinks", "tl_from tl_from_namespace tl_target_id", "(1,0,72)"))
    load(sql_dump("linktarget", "lt_id lt_namespace lt_title", "(72,10,'Box')"))
    assert site.db.execute_sql("SELECT * FROM pagelinks") == []
    assert site.db.execute_sql("SELECT * FROM templatelinks") == [(1, 72, 0)]


@pytest.mark.parametrize("table", ["pagelinks", "templatelinks"])
def test_links_of_an_older_layout(site: Site, load: Load, table: str) -> None:
    at = table[0] + "l"
    columns = f"{at}_from {at}_namespace {at}_title {at}_from_namespace"
    load(sql_dump(table, columns, "(1,0,'B',0),(1,10,'Box',0),(2,0,'B',14)"))
    assert site.db.execute_sql(
        f"SELECT {at}_from, lt_namespace, lt_title, {at}_from_namespace FROM {table}"
        f" JOIN linktarget ON lt_id = {at}_target_id ORDER BY 1, 2"
    ) == [(1, 0, "B", 0), (1, 10, "Box", 0), (2, 0, "B", 14)]


OLD_CATEGORIES = (
    "cl_from cl_to cl_sortkey cl_timestamp cl_sortkey_prefix cl_collation cl_type",
    (
        "(1,'Birds','\\x01','2025-02-03 04:05:06','b\\nc','uca-default-u-kn','page'),"
        "(9,'Birds','X','2025-02-03 04:05:06','','uppercase','page'),"
        "(2,'Birds','X','2025-02-03 04:05:06','','uppercase','subcat')"
    ),
)
CATEGORIES = (
    "cl_from cl_sortkey cl_timestamp cl_sortkey_prefix cl_type cl_collation_id cl_target_id",
    (
        "(1,'\\x01','2025-02-03 04:05:06','b\\nc','page',7,71),"
        "(9,'X','2025-02-03 04:05:06','','page',7,71),"
        "(2,'X','2025-02-03 04:05:06','','subcat',7,71)"
    ),
)


@pytest.mark.parametrize("layout", [OLD_CATEGORIES, CATEGORIES])
def test_categories_are_sorted_by_our_collation(
    site: Site, load: Load, layout: tuple[str, str]
) -> None:
    load(PAGES)
    load(sql_dump("linktarget", "lt_id lt_namespace lt_title", "(71,14,'Birds')"))
    report = load(sql_dump("categorylinks", *layout))
    assert (report.rows, report.skipped) == (2, 1)
    assert site.db.execute_sql(
        "SELECT cl_from, lt_title, cl_sortkey, cl_sortkey_prefix, cl_type, collation_name"
        " FROM categorylinks JOIN linktarget ON lt_id = cl_target_id"
        " JOIN collation ON collation_id = cl_collation_id"
    ) == [
        (1, "Birds", "B C\nA", "b\nc", "page", "uppercase"),
        (2, "Birds", 'IT\'S \\ "X"', "", "subcat", "uppercase"),
    ]


def test_categories_are_sorted_by_the_wikis_collation(site: Site, load: Load) -> None:
    load(PAGES)
    load(sql_dump("linktarget", "lt_id lt_namespace lt_title", "(71,14,'Birds')"))
    data = sql_dump("categorylinks", *CATEGORIES)
    source = DumpSource(io.BytesIO(data), "test", len(data))
    loader.load_table(site.db, source, order=collation("identity", "en"))
    assert site.db.execute_sql(
        "SELECT cl_sortkey, collation_name FROM categorylinks"
        " JOIN collation ON collation_id = cl_collation_id"
    ) == [("b c\nA", "identity"), ('It\'s \\ "x"', "identity")]
    assert recorded_collation(site.db) == "identity"


def test_categories_need_the_pages(load: Load) -> None:
    with pytest.raises(DumpError, match="load the dump of 'page' before that of 'categorylinks'"):
        load(sql_dump("categorylinks", *CATEGORIES))


def test_files_by_their_targets(site: Site, load: Load) -> None:
    load(sql_dump("linktarget", "lt_id lt_namespace lt_title", "(71,6,'P.png'),(72,0,'P.png')"))
    rows = "(1,0,71),(1,0,72),(1,0,73)"
    report = load(sql_dump("imagelinks", "il_from il_from_namespace il_target_id", rows))
    assert report.skipped == 2
    assert site.db.execute_sql("SELECT il_from, il_to FROM imagelinks") == [(1, "P.png")]


@pytest.mark.parametrize(
    ("columns", "values"),
    [
        ("el_id el_from el_to_domain_index el_to_path", "(7,1,'https://org.example.','/x')"),
        ("el_id el_from el_to el_index", "(7,1,'https://example.org/x','https://org.example./x')"),
    ],
)
def test_external_links(site: Site, load: Load, columns: str, values: str) -> None:
    load(sql_dump("externallinks", columns, values))
    assert site.db.execute_sql("SELECT * FROM externallinks") == [
        (7, 1, "https://org.example.", "/x")
    ]


IMAGE = (
    "img_name img_size img_width img_height img_metadata img_bits img_media_type img_major_mime"
    " img_minor_mime img_description_id img_actor img_timestamp img_sha1"
)


def test_uploaders_are_not_published(site: Site, load: Load) -> None:
    row = "('P.png',9,2,3,_binary '\\0\\Z{}',8,'BITMAP','image','png',55,66,'20250101000000','x')"
    load(sql_dump("image", IMAGE, row))
    assert site.db.execute_sql(
        "SELECT img_name, img_metadata, actor_name, comment_text FROM image"
        " JOIN actor ON actor_id = img_actor JOIN comment ON comment_id = img_description_id"
    ) == [("P.png", b"\0\x1a{}", "Unknown user", "")]


def test_numbers_and_nulls(site: Site, load: Load) -> None:
    columns = "pp_page pp_propname pp_value pp_sortkey"
    rows = "(1,'a','x',NULL),(1,'b','',-1.5e3),(1,'c',0x6869,.5)"
    load(sql_dump("page_props", columns, rows))
    assert site.db.execute_sql("SELECT pp_value, pp_sortkey FROM page_props") == [
        ("x", None),
        ("", -1500.0),
        ("hi", 0.5),
    ]


@pytest.mark.parametrize("killed_after", [1, 2, 3])
def test_loading_goes_on_where_it_stopped(
    site: Site, load: Load, monkeypatch: pytest.MonkeyPatch, killed_after: int
) -> None:
    monkeypatch.setattr(loader, "ROWS_PER_BATCH", 3)
    monkeypatch.setattr(loader, "_BATCHES_PER_TRANSACTION", 2)
    rows = [page_rows(*((n, 0, f"P{n}") for n in range(s, s + 10))) for s in (1, 11, 21)]
    data = sql_dump("page", PAGE, *rows)

    transactions = []

    def dying(_: Database) -> None:
        transactions.append(1)
        if len(transactions) > killed_after:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(loader, "set_unfinished", dying)
        with pytest.raises(KeyboardInterrupt):
            load(data)
    assert 0 < site.db.execute_sql("SELECT count(*) FROM page")[0][0] < 30
    report = load(data)
    assert 0 < report.rows < 30
    assert site.db.execute_sql("SELECT page_id, page_title FROM page ORDER BY 1") == [
        (n, f"P{n}") for n in range(1, 31)
    ]


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_table_loads_in_its_present_layout(site: Site, load: Load, name: str) -> None:
    """All columns as the store has them, and no row: nothing is unknown, nothing missing."""
    for need in LAYOUTS[name].needs:
        if need is Page:
            load(PAGES)
        else:
            site.db.execute_sql("INSERT INTO change_tag_def VALUES (1, 'x', 0, 0)")
    report = load(sql_dump(name, " ".join(LAYOUTS[name].model._meta.columns)))
    assert (report.table, report.rows) == (name, 0)
