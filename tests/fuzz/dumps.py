"""The targets that take dumps: XML that was once one, and tables in SQL."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.fuzz.target import Opened, Target, latin_of
from tests.fuzz.wikis import wikitext_wiki
from tests.unit.importing.tables.sqldump import PAGE, page_rows, sql_dump
from tests.unit.importing.test_fuzz import LIMITS, PIECES, PLAIN, Edits, edited
from wikiapi.errors import DumpError
from wikiapi.importing.compression import unpacked
from wikiapi.importing.source import DumpSource
from wikiapi.importing.tables.layouts import LAYOUTS
from wikiapi.importing.tables.loader import load_table
from wikiapi.importing.tables.sql import TableReader
from wikiapi.importing.xml.reader import read_records

MAX_MEMORY = 32 << 20
"""Bytes that a small dump may take, whatever it claims or unfolds to."""
TABLES = (
    sql_dump("page", PAGE, page_rows((1, 0, "A"), (2, 14, "It\\'s_\\\\_\\\"x\\\""))),
    sql_dump("linktarget", "lt_id lt_namespace lt_title", "(1,0,'A'),(2,0,'B')", "(3,0,'C')"),
    sql_dump("pagelinks", "pl_from pl_namespace pl_title pl_from_namespace", "(1,0,'B',0)"),
    sql_dump("categorylinks", "cl_from cl_to cl_sortkey_prefix cl_timestamp cl_type",
             "(1,'C','','2026-01-01 00:00:00','page')"),
    sql_dump("externallinks", "el_id el_from el_to", "(1,1,'//a.example/b?c')"),
    sql_dump("interwiki", "iw_prefix iw_url iw_api iw_wikiid iw_local iw_trans",
             "('de','https://de.example/$1','','',0,0)"),
)  # fmt: skip
SQL_PIECES = (
    b"", b"(", b")", b",", b";", b"'", b"''", b"\\'", b"\\\\", b"\\0", b"`", b'"', b"NULL", b"0x41",
    b"0x4", b"_binary 'a'", b"-1", b"1.5e9", b".5", b"99999999999999999999", b"-- ", b"#", b"/*",
    b"*/", b"INSERT INTO `page` VALUES ", b"INSERT IGNORE INTO `linktarget` (`lt_id`) VALUES\n",
    b"CREATE TABLE IF NOT EXISTS `image` (\n  `img_name` ", b"\n", b"\0", b"\xff",
    b"\xf0\x9f\x8d\xba", b"'0000-00-00 00:00:00'", b"'20260101000000'", b"'infinity'",
)  # fmt: skip


@contextmanager
def traced_memory() -> Iterator[None]:
    """Trace memory in the block. To begin anew with each input would leak kilobytes each time."""
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


@contextmanager
def bounded_memory() -> Iterator[None]:
    """Check that the block never holds more memory than it may; it must be traced."""
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    yield
    _, most = tracemalloc.get_traced_memory()
    assert most - before < MAX_MEMORY, f"{most - before} bytes"


@contextmanager
def _dump() -> Iterator[Opened]:
    def check(text: str) -> None:
        """Check that there are records, or an error with its line; pages must not overlap."""
        data = text.encode("latin-1")
        source = DumpSource(io.BytesIO(data), "fuzzed", len(data))
        with bounded_memory(), suppress(DumpError):
            for record in read_records(unpacked(source, LIMITS), LIMITS):
                repr(record).encode("utf-8", "strict")

    lines = PLAIN.splitlines(keepends=True)
    shuffled = st.lists(st.sampled_from(lines), max_size=60).map(b"".join)
    inputs = st.one_of(
        st.builds(edited, st.just(PLAIN), Edits), st.builds(edited, shuffled, Edits), st.binary()
    )
    with traced_memory():
        yield Opened(inputs.map(latin_of), check, latin_of, _latin([*lines, *PIECES]))


def _latin(words: Iterable[bytes]) -> list[str]:
    return [word.decode("latin-1") for word in words]


def _edited_tables() -> SearchStrategy[bytes]:
    places = st.integers(0, max(map(len, TABLES)))
    edits = st.tuples(places, st.integers(0, 40), st.sampled_from(SQL_PIECES))
    return st.builds(edited, st.sampled_from(TABLES), st.lists(edits, max_size=4))


class _Undone(Exception):
    """What was loaded is to be forgotten."""


@contextmanager
def _tables() -> Iterator[Opened]:
    with wikitext_wiki() as site, traced_memory():

        def check(text: str) -> None:
            """Check that a table is loaded or refused, and that pieces of it are no other rows."""
            data = text.encode("latin-1")
            with bounded_memory():
                assert _rows([data]) == _rows(data[at : at + 7] for at in range(0, len(data), 7))
                with suppress(DumpError, _Undone), site.db.atomic():
                    loaded = load_table(site.db, DumpSource(io.BytesIO(data), "fuzzed", len(data)))
                    model = LAYOUTS[loaded.table].model
                    # A later row may have the key of an earlier one.
                    assert len(site.db.execute(model.select())) <= loaded.rows
                    raise _Undone

        names = (
            name.encode() for layout in LAYOUTS.values() for name in layout.model._meta.columns
        )
        words = (*SQL_PIECES, *(b"`%s`" % name for name in names))
        inputs = (_edited_tables() | st.binary()).map(latin_of)
        yield Opened(inputs, check, latin_of, _latin(words))


def _rows(pieces: Iterable[bytes]) -> list[object]:
    """Return the rows, and at the end what is wrong with the next one."""
    rows: list[object] = []
    try:
        rows += TableReader(iter(pieces)).rows()
    except DumpError as error:
        rows.append(str(error))
    return rows


DUMP = Target("dump", _dump, 500)
TABLE_DUMP = Target("tables", _tables, 300)
