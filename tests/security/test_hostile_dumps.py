"""What a dump may cost: memory and time stay in bounds whatever stands in it."""

from __future__ import annotations

import gzip
import io
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest

from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.errors import DumpError
from wikiapi.importing.compression import unpacked
from wikiapi.importing.importer import DumpImporter
from wikiapi.importing.source import DumpLimits, DumpSource
from wikiapi.importing.xml.reader import read_records
from wikiapi.site import Site
from wikiapi.store.write.ids import CACHE_SIZE, Comments

LIMITS = DumpLimits()
MARK = b"@@"
MAX_MEMORY = 100 << 20
NAME = b"n" * (LIMITS.name_chars - 10)
FIELD = b"f" * (LIMITS.field_chars - 10)


def around(document: bytes, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a document with pieces in place of the mark."""
    before, after = document.split(MARK)
    return chain((before,), pieces, (after,))


def in_revision(pieces: Iterable[bytes]) -> Iterator[bytes]:
    return around(dump(page("A", 1, revision(1, "x", more="@@"))), pieces)


def in_page(pieces: Iterable[bytes]) -> Iterator[bytes]:
    return around(dump(page("A", 1, revision(1, "x") + "@@")), pieces)


def in_namespaces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    head = dump().replace(b"</namespaces>", b"@@</namespaces>")
    return around(head, pieces)


def numbered(piece: bytes, count: int) -> Iterator[bytes]:
    return (piece.replace(b"#", b"%d" % number) for number in range(2, count + 2))


ENTRY = (
    b"<logitem><id>#</id><timestamp>2024-01-01T00:00:00Z</timestamp><comment>#" + FIELD
    + b"</comment><type>a</type><action>b</action><logtitle>A</logtitle><params>" + FIELD
    + b"</params></logitem>"
)  # fmt: skip
REVISION = (
    b"<revision><id>#</id><timestamp>2024-01-01T00:00:00Z</timestamp><contributor>"
    b"<username>User #</username><id>0</id></contributor><comment>#" + FIELD
    + b"</comment><text>x</text></revision>"
)  # fmt: skip
SLOT = b"<content><role>#" + NAME + b"</role><model>" + NAME + b"</model><text/></content>"
HEAVY: dict[str, Callable[[], Iterator[bytes]]] = {
    "contributors": lambda: in_revision(
        repeat(b"<contributor><username>%s</username></contributor>" % NAME, 9_000)
    ),
    "slots": lambda: in_revision(numbered(SLOT, 9_000)),
    "namespaces": lambda: in_namespaces(
        repeat(b"<namespace key='7'>%s</namespace>" % NAME, 9_000)
    ),
    "attributes of namespaces": lambda: in_namespaces(
        repeat(b"<namespace key='7' x='%s'/>" % NAME[:900], 9_000)
    ),
    "log entries": lambda: around(dump("@@"), numbered(ENTRY, 300)),
    "comments": lambda: in_page(numbered(REVISION, 600)),
    "titles that no page can have": lambda: around(
        dump("@@"),
        numbered(
            b"<page><title>[#%s</title><ns>0</ns><id>#</id></page>" % FIELD, 600
        ),
    ),
}  # fmt: skip
"""Documents that would fill the memory if what they hold was kept."""


@pytest.mark.parametrize("name", HEAVY)
def test_memory_of_an_import_is_bounded(
    make_site: Callable[..., Site], tmp_path: Path, name: str
) -> None:
    site = make_site(path=tmp_path / "wiki.sqlite")
    packed = gzip.compress(b"".join(HEAVY[name]()), 1)
    importer = DumpImporter(site)
    tracemalloc.start()
    try:
        report = importer.import_dump(DumpSource(io.BytesIO(packed), "test", len(packed)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MAX_MEMORY
    assert len(report.refused) <= 100
    assert sum(map(len, report.refused)) < 100_000


def test_long_summaries_are_not_remembered(make_site: Callable[..., Site]) -> None:
    comments = Comments(make_site().db)
    texts = ["short", "l" * 60_000]
    assert comments.ids(texts) == comments.ids(texts) == {"short": 1, "l" * 60_000: 2}
    assert list(comments._ids) == ["short"]
    assert CACHE_SIZE * 4 * 500 <= MAX_MEMORY


LONG = {
    "a name": revision(1, "x", who=f"<username>{'ä' * 128}</username>"),
    "a name with a number": revision(1, "x", who=f"<ip>{'1' * 256}</ip>"),
    "a hash": revision(1, "x", more=f"<sha1>{'1' * 1_001}</sha1>"),
    "a comment": revision(1, "x", more=f"<comment>{'c' * 131_073}</comment>"),
    "a tag": revision(1, "x", more=f"<u a='{'c' * 999_999}'/>"),
    "an attribute": revision(1, "x", attributes=f" sha1='{'c' * 1_001}'"),
    "many attributes": revision(
        1, "x", attributes="".join(f" a{number}='xxxx'" for number in range(300))
    ),
    "the size of a text": revision(1, "x", attributes=f" bytes='{2**32}'"),
    "a size below 0": revision(1, "x", attributes=" bytes='-1'"),
    "two slots of one name": revision(
        1, "x", more="<content><role>s</role><text bytes='1'>a</text></content>"
        "<content><role>s</role><text>a</text></content>"
    ),
    "two main slots": revision(1, "x", more="<content><role>main</role><text>a</text></content>"),
    "the size of a file": revision(1, "x") + (
        "<upload><timestamp>2024-01-01T00:00:00Z</timestamp><filename>A.png</filename>"
        f"<size>{10**17}</size></upload>"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_what_is_too_long_is_refused_with_the_line(
    make_site: Callable[..., Site], name: str
) -> None:
    site = make_site()
    data = dump(page("A", 1, LONG[name]))
    with pytest.raises(DumpError, match=r"line \d+: "):
        DumpImporter(site).import_dump(DumpSource(io.BytesIO(data), "test", len(data)))
    assert site.db.execute_sql("SELECT count(*) FROM revision") == [(0,)]


GROWING: dict[str, Callable[[int], bytes]] = {
    "attributes": lambda n: dump(
        revision(1, "x", attributes="".join(f" a{i}=''" for i in range(n // 8)))
    ),
    "prefixes": lambda n: dump("<u" + "".join(f" xmlns:a{i}='x'" for i in range(n // 16)) + "/>"),
    "a comment": lambda n: dump(f"<!--{'-x' * (n // 2)}-->"),
    "comments": lambda n: dump("<!-- -->" * n),
    "instructions": lambda n: dump("<?x y?>" * n),
    "references": lambda n: dump(page("A", 1, revision(1, "&" * n))),
    "sections of characters": lambda n: dump(
        page("A", 1, revision(1, "@")).replace("@", "<![CDATA[x]]>" * n)
    ),
    "unknown elements": lambda n: dump(page("A", 1, more="<u/>" * n)),
    "unknown elements of many names": lambda n: dump(
        page("A", 1, more="".join(f"<u{i}/>" for i in range(n)))
    ),
    "known elements": lambda n: dump(page("A", 1, revision(1, "x", more="<minor/>" * n))),
    "texts in pieces": lambda n: dump(
        page("A", 1, revision(1, "@")).replace("@", "x<u/>" * n)
    ),
    "a title of references": lambda n: dump(page("&a;" * n, 1)),
    "restrictions": lambda n: dump(page("A", 1, more=f"<restrictions>{'a=b:' * n}</restrictions>")),
}  # fmt: skip
_N = 12_000


@pytest.mark.parametrize("name", GROWING)
def test_time_grows_with_the_length_alone(name: str) -> None:
    made = [GROWING[name](count) for count in (_N, 2 * _N, 4 * _N)]
    times = [min(spent(data) for _ in range(3)) for data in made]
    # Four times as long would take sixteen times as long, were it quadratic.
    assert times[2] < 8 * times[0] + 0.1


def spent(data: bytes) -> float:
    started = time.process_time()
    try:
        for _ in read_records(data[at : at + 65536] for at in range(0, len(data), 65536)):
            pass
    except DumpError:
        pass
    return time.process_time() - started


def test_bytes_that_come_one_by_one_are_joined() -> None:
    """A parser looks at an unfinished tag anew with each piece: so pieces are never tiny."""
    data = dump(page("A", 1, revision(1, "x" * 100_000)))
    packed = b"".join(
        gzip.compress(data[at : at + 1]) + gzip.compress(b"") for at in range(len(data))
    )
    pieces = list(unpacked(DumpSource(io.BytesIO(packed), "test", len(packed)), LIMITS))
    assert b"".join(pieces) == data
    assert len(pieces) <= 2 + 2 * len(data) // 65_536


def test_a_window_that_is_too_large_is_not_made() -> None:
    py7zr = pytest.importorskip("py7zr")
    for filters in (
        [{"id": py7zr.FILTER_LZMA2, "preset": 1}],
        [{"id": py7zr.FILTER_LZMA, "preset": 1}],
        [{"id": py7zr.FILTER_X86}, {"id": py7zr.FILTER_LZMA2, "preset": 1}],
        [{"id": py7zr.FILTER_PPMD, "order": 6, "mem": 24}],
    ):
        file = io.BytesIO()
        with py7zr.SevenZipFile(file, "w", filters=filters) as archive:
            archive.writestr(dump(), "dump.xml")
        source = DumpSource(io.BytesIO(file.getvalue()), "test", len(file.getvalue()))
        assert b"".join(unpacked(source, LIMITS)) == dump()
        with pytest.raises(DumpError, match="requires a window of"):
            list(unpacked(source, DumpLimits(window_bytes=1 << 18)))
