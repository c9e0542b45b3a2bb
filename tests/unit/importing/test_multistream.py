"""Multistream dumps that workers parse: the store is that of one process."""

from __future__ import annotations

import bz2
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests import clusters
from tests.unit.importing.test_importer import snapshot
from tests.unit.importing.xmldump import dump, page, redirect, revision
from wikiapi.config import Config
from wikiapi.errors import DumpError
from wikiapi.factory import parsing_workers
from wikiapi.importing import multistream
from wikiapi.importing.compression import unpacked
from wikiapi.importing.importer import DumpImporter, ImportReport
from wikiapi.importing.source import DumpLimits, open_source
from wikiapi.importing.xml.reader import read_records
from wikiapi.importing.xml.records import PageHead
from wikiapi.site import Site
from wikiapi.workers import BatchWorkers, batchworkers

NAME = "testwiki-20260101-pages-articles-multistream.xml.bz2"
INDEX = "testwiki-20260101-pages-articles-multistream-index.txt.bz2"
PAGES = [
    *(page(f"Page {n}", n, revision(n, f"Text {n} <é>"), revision(1000 + n, "b", parent=n, day=2))
      for n in range(1, 60)),
    page("Moved", 60, more=redirect("Page 5")),
]  # fmt: skip
Parts = Sequence[bytes]


class Threads(ThreadPoolExecutor):
    """Threads in place of processes, which start at once."""

    def ahead(self) -> int:
        return 2


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> BatchWorkers[DumpLimits]:
    monkeypatch.setattr(multistream, "_BYTES_WORTH_PROCESSES", 0)
    monkeypatch.setattr(multistream, "_BYTES_PER_TASK", 2_000)
    monkeypatch.setattr(batchworkers, "ProcessExecutor", Threads)
    return BatchWorkers(DumpLimits, 2)


def streams(pages: Sequence[str] = PAGES, each: int = 7) -> list[bytes]:
    """Return the streams of a dump, unpacked."""
    head, _, end = dump("\0").partition(b"\0")
    bodies = ["".join(pages[at : at + each]).encode() for at in range(0, len(pages), each)]
    return [head, *bodies, end]


def write(folder: Path, parts: Parts, *, shift: int = 0) -> Path:
    """Write a dump and its index, whose positions are wrong by ``shift``."""
    packed = [bz2.compress(part) for part in parts]
    lines, position = [], 0
    for number, part in enumerate(packed):
        if 0 < number < len(packed) - 1:
            lines += [f"{position + shift}:{number}:A:{n}" for n in range(3)]
        position += len(part)
    (folder / NAME).write_bytes(b"".join(packed))
    (folder / INDEX).write_bytes(bz2.compress("\n".join([*lines, ""]).encode()))
    return folder / NAME


def imported(
    site: Site, path: Path, workers: BatchWorkers[DumpLimits] | None = None
) -> ImportReport:
    with open_source(str(path)) as source:
        return DumpImporter(site, workers=workers).import_dump(source)


@pytest.mark.parametrize("most", [1 << 26, 500], ids=["sent", "too large to be sent"])
def test_store_is_that_of_one_process(
    make_site: Callable[..., Site],
    tmp_path: Path,
    workers: BatchWorkers[DumpLimits],
    monkeypatch: pytest.MonkeyPatch,
    most: int,
) -> None:
    monkeypatch.setattr(multistream, "_MAX_UNPACKED", most)
    path = write(tmp_path, streams())
    alone, together = make_site(), make_site()
    assert imported(alone, path).pages == 60
    assert imported(together, path, workers).revisions == 59 * 2 + 1
    assert snapshot(together) == snapshot(alone)
    assert imported(together, path, workers).already_done


@pytest.mark.slow
def test_processes_and_cluster(
    make_site: Callable[..., Site], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(multistream, "_BYTES_WORTH_PROCESSES", 0)
    monkeypatch.setattr(multistream, "_BYTES_PER_TASK", 2_000)
    path = write(tmp_path, streams())
    alone, processes, machines = make_site(), make_site(), make_site()
    imported(alone, path)
    imported(processes, path, parsing_workers(Config(), 2))
    with clusters.running(tmp_path) as cluster:
        imported(machines, path, parsing_workers(Config(), 1, cluster.address))
    assert snapshot(processes) == snapshot(alone) == snapshot(machines)


@pytest.mark.parametrize("damage", ["not packed", "no XML", "cut"])
def test_damaged_stream_keeps_the_pages_before_it(
    make_site: Callable[..., Site],
    tmp_path: Path,
    workers: BatchWorkers[DumpLimits],
    damage: str,
) -> None:
    parts = streams()
    if damage == "no XML":
        parts[4] = parts[4].replace(b"</title>", b"</titel>")
    path = write(tmp_path, parts)
    data = bytearray(path.read_bytes())
    if damage == "not packed":
        middle = len(data) // 2
        data[middle : middle + 60] = bytes(60)
    elif damage == "cut":
        del data[len(data) - 60 :]
    path.write_bytes(data)
    alone, together = make_site(), make_site()
    with pytest.raises(DumpError):
        imported(alone, path)
    with pytest.raises(DumpError, match="in the streams from byte"):
        imported(together, path, workers)
    assert pages(together) == pages(alone)


def pages(site: Site) -> list[object]:
    return site.db.execute_sql("SELECT page_id, page_title FROM page ORDER BY page_id")


def test_records_are_skipped(tmp_path: Path, workers: BatchWorkers[DumpLimits]) -> None:
    path = write(tmp_path, streams())
    with open_source(str(path)) as source:
        starts = multistream.starts_of(source, workers)
        assert starts is not None
        records = list(multistream.read_records(source, starts, workers, DumpLimits(), skip=23))
    with open_source(str(path)) as source:
        alone = list(read_records(unpacked(source, DumpLimits()), DumpLimits(), skip=23))
    assert without_lines(records) == without_lines(alone)
    assert sum(isinstance(record, PageHead) for record in records) == 60 - 23


def without_lines(records: Sequence[object]) -> list[object]:
    """Return the records without the line numbers, which workers count from their first stream."""
    return [record._replace(line=0) if hasattr(record, "line") else record for record in records]


@pytest.mark.parametrize("shift", [1, -3, 10_000_000], ids=["later", "earlier", "beyond"])
def test_wrong_index_is_refused(
    make_site: Callable[..., Site], tmp_path: Path, workers: BatchWorkers[DumpLimits], shift: int
) -> None:
    path = write(tmp_path, streams(), shift=shift)
    with pytest.raises(DumpError, match=r"ends too early|damaged|is not the index of"):
        imported(make_site(), path, workers)


def test_streams_that_cut_pages_are_refused(
    make_site: Callable[..., Site],
    tmp_path: Path,
    workers: BatchWorkers[DumpLimits],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(multistream, "_BYTES_PER_TASK", 1)
    head, *others = streams()
    whole = b"".join(others)
    path = write(tmp_path, [head, whole[:5_000], whole[5_000:], b""])
    with pytest.raises(DumpError, match="in the streams from byte"):
        imported(make_site(), path, workers)


def test_first_stream_has_pages(
    make_site: Callable[..., Site], tmp_path: Path, workers: BatchWorkers[DumpLimits]
) -> None:
    first, second, *others = streams()
    path = write(tmp_path, [first + second, *others])
    with pytest.raises(DumpError, match="first stream of the dump has pages"):
        imported(make_site(), path, workers)


@pytest.mark.parametrize("missing", ["index", "index lines", "workers", "name"])
def test_other_dumps_are_read_by_one_process(
    make_site: Callable[..., Site],
    tmp_path: Path,
    workers: BatchWorkers[DumpLimits],
    monkeypatch: pytest.MonkeyPatch,
    missing: str,
) -> None:
    monkeypatch.setattr(multistream, "read_records", None)
    path = write(tmp_path, streams())
    if missing == "index":
        (tmp_path / INDEX).unlink()
    elif missing == "index lines":
        (tmp_path / INDEX).write_bytes(bz2.compress(b""))
    elif missing == "name":
        path = path.rename(tmp_path / "pages.xml.bz2")
    used = None if missing == "workers" else workers
    assert imported(make_site(), path, used).pages == 60


def test_index_of_a_part_of_a_dump(tmp_path: Path, workers: BatchWorkers[DumpLimits]) -> None:
    path = write(tmp_path, streams())
    part = path.rename(tmp_path / "enwiki-20260101-pages-articles-multistream1.xml-p1p41242.bz2")
    index = "enwiki-20260101-pages-articles-multistream-index1.txt-p1p41242.bz2"
    (tmp_path / INDEX).rename(tmp_path / index)
    with open_source(str(part)) as source:
        starts = multistream.starts_of(source, workers)
    assert starts is not None
    assert len(starts) == len(streams()) - 1
