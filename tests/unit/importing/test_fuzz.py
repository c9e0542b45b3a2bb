"""Whatever bytes come: records or a DumpError, and never half of a page in the store."""

from __future__ import annotations

import gzip
import io
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.importing.xmldump import dump, page, redirect, revision
from wikiapi.config import Config
from wikiapi.errors import DumpError
from wikiapi.factory import open_site
from wikiapi.importing.compression import unpacked
from wikiapi.importing.importer import DumpImporter
from wikiapi.importing.source import DumpLimits, DumpSource
from wikiapi.importing.xml.reader import read_records
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate

pytestmark = pytest.mark.slow

PLAIN = dump(
    page("A", 1, revision(1, "one"), revision(2, "two", parent=1, more="<minor/>")),
    page("Template:B", 2, more=redirect("A"), ns=10),
    page("C", 3, revision(5, "é & <b>", who="<ip>192.0.2.1</ip>")),
)
PACKED = gzip.compress(PLAIN)
LIMITS = DumpLimits(ratio_free_bytes=1 << 16, total_bytes=1 << 22)
PIECES = (
    b"", b"<", b">", b"&", b"</page>", b"<page>", b"<revision>", b"<text>", b"</text>",
    b"<!--", b"<![CDATA[", b"]]>", b"<!DOCTYPE a>", b"&#0;", b"&amp;", b"\xff", b"\0",
    b"-1", b"99999999999999999999", b"<id>", b"<?x ?>", b"\xed\xa0\x80", b"_",
)  # fmt: skip
Edits = st.lists(
    st.tuples(st.integers(0, len(PLAIN)), st.integers(0, 40), st.sampled_from(PIECES)),
    max_size=4,
)


def edited(data: bytes, edits: Sequence[tuple[int, int, bytes]]) -> bytes:
    for position, removed, inserted in edits:
        data = data[:position] + inserted + data[position + removed :]
    return data


def read(data: bytes) -> None:
    source = DumpSource(io.BytesIO(data), "test", len(data))
    try:
        for _ in read_records(unpacked(source, LIMITS), LIMITS):
            pass
    except DumpError:
        return


@given(Edits)
@settings(max_examples=400)
def test_reader_refuses_or_reads(edits: list[tuple[int, int, bytes]]) -> None:
    read(edited(PLAIN, edits))


@given(st.binary(max_size=200))
def test_reader_takes_any_bytes(data: bytes) -> None:
    read(data)


@given(Edits, st.sampled_from([b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"]))
def test_unpackers_take_any_bytes(edits: list[tuple[int, int, bytes]], magic: bytes) -> None:
    read(edited(PACKED, edits))
    read(magic + edited(PACKED, edits)[len(magic) :])


@given(Edits)
@settings(max_examples=40)
def test_store_is_whole_whatever_comes(edits: list[tuple[int, int, bytes]]) -> None:
    data = edited(PLAIN, edits)
    db = Database("sqlite:///:memory:")
    migrate.upgrade(db)
    importer = DumpImporter(open_site(Config(), database=db), items_per_transaction=1)
    with suppress(DumpError):
        importer.import_dump(DumpSource(io.BytesIO(data), "test", len(data)))
    orphans = db.execute_sql(
        "SELECT rev_id FROM revision WHERE rev_page NOT IN (SELECT page_id FROM page)"
    )
    empty = db.execute_sql(
        "SELECT page_id FROM page WHERE page_latest NOT IN (SELECT rev_id FROM revision)"
    )
    textless = db.execute_sql(
        "SELECT rev_id FROM revision WHERE rev_id NOT IN (SELECT slot_revision_id FROM slots)"
    )
    db.close()
    assert (orphans, empty, textless) == ([], [], [])
