"""Files that are no table dumps, damaged, or made to cost memory or time."""

from __future__ import annotations

import gzip
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice

import pytest

from tests.unit.importing.tables.sqldump import PAGE, page_rows, sql_dump
from wikiapi.errors import DumpError
from wikiapi.importing.tables.loader import TableReport
from wikiapi.importing.tables.sql import TableReader
from wikiapi.site import Site

pytestmark = pytest.mark.slow

Load = Callable[[bytes], TableReport]

TARGETS = "lt_id lt_namespace lt_title"
SOUND = sql_dump("linktarget", TARGETS, "(1,0,'A'),(2,0,'B')", "(3,0,'C')")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "creates no table"),
        (b"\x00\x01\x02;", "creates no table"),
        (b"SELECT 'it does not end", "this is not a table dump, or the file ends too early"),
        (b"<mediawiki version='0.11'></mediawiki>", "not a table dump"),
        (sql_dump("user", "user_id user_name", "(1,'A')"), "'user' cannot be loaded"),
        (
            sql_dump("linktarget", TARGETS + " lt_more", "(1,0,'A',1)"),
            "column 'lt_more' unknown to",
        ),
        (sql_dump("linktarget", "lt_id lt_title", "(1,'A')"), "has no column 'lt_namespace'"),
        (sql_dump("linktarget", TARGETS, "(1,0)"), "row 1 does not have the form"),
        (sql_dump("linktarget", TARGETS, "(1,0,'A',4)"), "row 1 does not have the form"),
        (sql_dump("linktarget", TARGETS, "(1,0,'A'),(2,0,B)"), "row 2 does not have the form"),
        (sql_dump("linktarget", TARGETS, "(1,0,'A'),(2,SLEEP(9),'B')"), "row 2 does not have"),
        (sql_dump("linktarget", TARGETS, "(1,'x','A')"), "rows 1 to 1 .* not an integer"),
        (sql_dump("linktarget", TARGETS, f"({2**70},0,'A')"), "not an integer of 64 bits"),
        (sql_dump("linktarget", TARGETS, "(1,0,NULL)"), "NULL where"),
        (sql_dump("linktarget", TARGETS, "(1,1.5,'A')"), "not an integer"),
        (SOUND.replace(b"INSERT INTO `linktarget`", b"INSERT INTO `page`"), "before it is created"),
        (SOUND.replace(b"INTO `linktarget`", b"INTO `linktarget` (`lt_x`)"), "no column 'lt_x'"),
        (SOUND.replace(b"INTO `linktarget`", b"INTO `linktarget` ()"), "have no columns"),
        (gzip.compress(SOUND)[:-9], "ends too early"),
    ],
)
def test_what_is_wrong_is_reported_and_nothing_is_written(
    site: Site, load: Load, data: bytes, problem: str
) -> None:
    site.db.execute_sql("INSERT INTO linktarget VALUES (9, 0, 'Before')")
    with pytest.raises(DumpError, match=problem):
        load(data)
    assert site.db.execute_sql("SELECT lt_title FROM linktarget") == [("Before",)]


@pytest.mark.parametrize("end", range(len(SOUND) - 1, SOUND.index(b"INSERT"), -1))
def test_no_cut_is_taken_for_the_end_of_a_row(end: int) -> None:
    """Whatever is cut off: the rows before it are whole, and a row that is not is an error."""
    reader = TableReader(iter([SOUND[:end]]))
    seen = []
    with suppress(DumpError):
        for _, values in reader.rows():
            seen.append(values)
    assert seen == [(b"1", b"0", b"'A'"), (b"2", b"0", b"'B'"), (b"3", b"0", b"'C'")][: len(seen)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_pieces_of_any_size_give_the_same_rows(size: int) -> None:
    data = sql_dump("page", PAGE, page_rows((1, 0, "a\\'),(b"), (2, 0, "it''s\\\\")))
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    expected = [values for _, values in TableReader(iter([data])).rows()]
    assert [values for _, values in TableReader(pieces).rows()] == expected
    assert len(expected) == 2


def test_columns_may_be_named_in_another_order(site: Site, load: Load) -> None:
    named = SOUND.replace(
        b"`linktarget` VALUES", b"`linktarget` (`lt_namespace`,`lt_title`,`lt_id`) VALUES"
    )
    load(named.replace(b"(1,0,'A'),(2,0,'B')", b"(0,'A',1)").replace(b"(3,0,'C')", b"(10,'C',3)"))
    assert site.db.execute_sql("SELECT * FROM linktarget") == [(1, 0, "A"), (3, 10, "C")]


def test_comments_and_strings_hide_no_statements(load: Load) -> None:
    noise = (
        b"-- INSERT INTO `linktarget` VALUES (7,0,'No');\n/* INSERT INTO `x` VALUES (1) */\n"
        b'SET x = \'INSERT INTO `y` VALUES (1);\', `z;` = "a\\";b";\n'
    )
    assert load(noise + SOUND).rows == 3


def endless(head: bytes, piece: bytes, count: int) -> Iterator[bytes]:
    yield head
    for _ in range(count):
        yield piece


def test_a_giant_statement_is_read_in_little_memory() -> None:
    head = SOUND[: SOUND.index(b"VALUES\n") + 7]
    piece = b"(123456,0,'" + b"x" * 200 + b"'),"
    tracemalloc.start()
    rows = TableReader(endless(head, piece * 300, 1_000)).rows()
    counted = enumerate(rows, 1)
    last = deque(islice(counted, 299_999, 300_000), 1)
    with pytest.raises(DumpError, match="ends too early"):
        next(counted)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert last[0][0] == 300_000
    assert peak < 8_000_000


@pytest.mark.parametrize(
    "start", [b"(1,0,'", b"(1,0,'A'", b"(1", b"CREATE", b"SET x = '", b"/*", b"-- ", b"`"]
)
def test_endless_statements_are_refused(start: bytes) -> None:
    head = SOUND[: SOUND.index(b"VALUES\n") + 7] if start[:1] == b"(" else SOUND + start
    rows = TableReader(endless(head + start, b"\\'ab''" * 10_000, 500)).rows()
    with pytest.raises(DumpError):
        list(rows)
