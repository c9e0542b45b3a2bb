"""Reads Wikimedia's multistream dumps by several workers at once.

Such a dump is a bzip2 file of many streams, each of which unpacks to some hundred pages. Its index,
a file beside it, tells where streams begin. The main process reads the file and gives each worker
some streams, which it unpacks and parses; the records come in the order of the file.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import tee
from pathlib import Path
from typing import NamedTuple

from wikiapi.errors import DumpError
from wikiapi.importing.compression import unpacked
from wikiapi.importing.source import DumpLimits, DumpSource, open_source, read_fully
from wikiapi.importing.xml.reader import DumpReader
from wikiapi.importing.xml.records import LogItem, PageEnd, Record
from wikiapi.workers.batchworkers import BatchWorkers
from wikiapi.workers.executor import BatchFailed, working_on

_BZIP2 = b"BZh"
_END = b"</mediawiki>"
_BYTES_WORTH_PROCESSES = 8_000_000
"""Size of a dump from which processes are used, whose start takes as long as parsing some MB."""
_BYTES_PER_TASK = 400_000
_MAX_HEAD = 1 << 20
_MAX_UNPACKED = 1 << 26
"""Unpacked bytes of a task above which the main process parses it, so that memory is bounded."""
_INDEX_LIMITS = DumpLimits()


class Streams(NamedTuple):
    """The streams of one task. ``start`` is their position in the file."""

    start: int
    data: bytes


class Parsed(NamedTuple):
    """What a worker returns: the records before the first error, and the error.

    ``records`` is None if they are too many to be sent.
    """

    records: list[Record] | None
    error: str = ""


def starts_of(source: DumpSource, workers: BatchWorkers[DumpLimits] | None) -> list[int] | None:
    """Return the positions of the streams of a multistream dump by its index.

    None if the dump is no such dump, is small, or has no index beside it.

    Raises:
        DumpError: the index is not that of the dump.
    """
    path = Path(source.name)
    if workers is None or not workers.are_worth(source.size or 0, _BYTES_WORTH_PROCESSES):
        return None
    if source.size is None or "multistream" not in path.name or not source.head.startswith(_BZIP2):
        return None
    name = path.name.replace("multistream", "multistream-index", 1).replace(".xml", ".txt", 1)
    index = path.with_name(name)
    if not index.is_file():
        return None
    starts = [0]
    with open_source(str(index)) as opened:
        for start in _positions(unpacked(opened, _INDEX_LIMITS)):
            if start == starts[-1]:
                continue
            if not starts[-1] < start < source.size:
                text = f"{index} is not the index of {source.name}: remove it to read without it"
                raise DumpError(text)
            starts.append(start)
    return starts if len(starts) > 1 else None


def _positions(pieces: Iterable[bytes]) -> Iterator[int]:
    """Yield the number before the first colon of each line; -1 if there is none."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            number = line.partition(b":")[0]
            yield int(number) if number.isdigit() else -1


def read_records(
    source: DumpSource,
    starts: list[int],
    workers: BatchWorkers[DumpLimits],
    limits: DumpLimits,
    skip: int = 0,
) -> Iterator[Record]:
    """Yield the records of a dump, as :func:`wikiapi.importing.xml.reader.read_records` does.

    Args:
        source: the dump, of which nothing has been read.
        starts: the positions of its streams.
        workers: parse the streams.
        limits: what to refuse.
        skip: how many pages and log entries to skip at the start.

    Raises:
        DumpError: the dump is malformed or hostile, or a worker failed.
    """
    head = _head(read_fully(source.read, starts[1]), limits)
    reader = DumpReader(limits)
    reader.feed(head)
    yield from reader.take()
    try:
        with workers.running(partial(_parser, head)) as runner:
            tasks, sent = tee(_tasks(source, starts))
            records = _ordered(tasks, runner.run(sent), head, source, limits)
            while skip and (record := next(records, None)) is not None:
                skip -= isinstance(record, PageEnd | LogItem)
            yield from records
    except BatchFailed as error:
        raise DumpError(f"parsing the dump failed: {error}") from error


def _head(data: bytes, limits: DumpLimits) -> bytes:
    """Return the unpacked first stream, which describes the wiki.

    Raises:
        DumpError: it is something else.
    """
    with suppress(_TooLarge):
        head = b"".join(_limited(_unpacked(data, "the first stream", limits), _MAX_HEAD))
        if b"<page>" not in head:
            return head
    raise DumpError("the first stream of the dump has pages, which its index does not tell")


def _tasks(source: DumpSource, starts: list[int]) -> Iterator[Streams]:
    """Yield the streams after the first, some at a time, and then what is behind the last."""
    begin = starts[1]
    for start in [*starts[2:], source.size or 0]:
        if start - begin >= _BYTES_PER_TASK or start == source.size:
            yield Streams(begin, read_fully(source.read, start - begin))
            begin = start


def _ordered(
    tasks: Iterable[Streams],
    results: Iterable[Parsed],
    head: bytes,
    source: DumpSource,
    limits: DumpLimits,
) -> Iterator[Record]:
    """Yield the records of the tasks.

    Raises:
        DumpError: a task has an error.
    """
    for task, parsed in zip(tasks, results, strict=True):
        if parsed.records is not None:
            yield from parsed.records
        error = parsed.error
        if parsed.records is None:
            try:
                yield from _records(head, task.data, limits)
            except DumpError as raised:
                error = str(raised)
        if error:
            raise DumpError(f"in the streams from byte {task.start} on of {source.name}: {error}")


def _parser(head: bytes, limits: DumpLimits) -> Callable[[Streams], Parsed]:
    return partial(_parsed, head, limits)


def _parsed(head: bytes, limits: DumpLimits, streams: Streams) -> Parsed:
    """Return the records of some streams, in a worker."""
    working_on(f"the streams from byte {streams.start} on")
    records: list[Record] = []
    try:
        records.extend(_records(head, streams.data, limits, _MAX_UNPACKED))
    except _TooLarge:
        return Parsed(None)
    except DumpError as error:
        return Parsed(records, str(error))
    return Parsed(records)


def _records(head: bytes, data: bytes, limits: DumpLimits, most: int = 1 << 62) -> Iterator[Record]:
    """Yield the records of some streams, which are read as a document of their own.

    Raises:
        DumpError: they are malformed, or their pages do not begin and end with the streams.
        _TooLarge: they unpack to more bytes than ``most``.
    """
    reader = DumpReader(limits)
    reader.feed(head)
    reader.take()
    end = b""
    try:
        for piece in _limited(_unpacked(data, "the streams", limits), most):
            reader.feed(piece)
            yield from reader.take()
            end = (end + piece)[-2 * len(_END) :]
        if not end.rstrip().endswith(_END):
            reader.feed(_END)
        reader.finish()
    except DumpError:
        # As everywhere, what is complete before an error is kept.
        yield from reader.take()
        raise
    yield from reader.take()


class _TooLarge(Exception):
    """Data is larger than it may be."""


def _limited(pieces: Iterator[bytes], most: int) -> Iterator[bytes]:
    for piece in pieces:
        most -= len(piece)
        if most < 0:
            raise _TooLarge
        yield piece


def _unpacked(data: bytes, name: str, limits: DumpLimits) -> Iterator[bytes]:
    return unpacked(DumpSource(io.BytesIO(data), name, len(data)), limits)
