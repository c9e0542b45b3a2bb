from __future__ import annotations

import bz2
import gzip
import importlib
import io
import lzma
import random
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.unit.importing.xmldump import dump, page
from wikiapi.errors import DumpError
from wikiapi.importing.compression import unpacked, unpacked_ahead
from wikiapi.importing.source import DumpLimits, DumpSource, open_source

pytestmark = pytest.mark.slow

_random = random.Random(7)
PLAIN = dump(*(page(f"Page {n} {_random.random()}", n) for n in range(1, 3000)))
# Larger than a piece, so that every decoder is asked more than once.
assert len(PLAIN) > 500_000


def multistream(data: bytes) -> bytes:
    third = len(data) // 3
    parts = (data[:third], data[third : 2 * third], data[2 * third :])
    return b"".join(bz2.compress(part) for part in parts)


def seven_zip(data: bytes, *names: str) -> bytes:
    py7zr = pytest.importorskip("py7zr")
    file = io.BytesIO()
    with py7zr.SevenZipFile(file, "w") as archive:
        for name in names or ("dump.xml",):
            archive.writestr(data, name)
    return file.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "gz of two members": lambda data: gzip.compress(data[:999]) + gzip.compress(data[999:]),
    "bz2": bz2.compress,
    "bz2 multistream": multistream,
    "xz": lzma.compress,
    "xz with padding": lambda data: lzma.compress(data[:99]) + b"\0" * 8 + lzma.compress(data[99:]),
    "zst": zstandard.compress,
    "zst of two frames": lambda data: zstandard.compress(data[:9]) + zstandard.compress(data[9:]),
    "7z": seven_zip,
}


def unpack(data: bytes, **limits: int) -> bytes:
    source = DumpSource(io.BytesIO(data), "test", len(data))
    return b"".join(unpacked(source, DumpLimits(**limits)))


@pytest.mark.parametrize("kind", PACKERS)
def test_every_kind_is_unpacked(kind: str) -> None:
    assert unpack(PACKERS[kind](PLAIN)) == PLAIN


@pytest.mark.parametrize("kind", PACKERS)
def test_thread_unpacks_the_same(kind: str) -> None:
    data = PACKERS[kind](PLAIN)
    source = DumpSource(io.BytesIO(data), "test", len(data))
    assert b"".join(unpacked_ahead(source, DumpLimits())) == PLAIN
    assert not unpacking()


def unpacking() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if "_unpack" in thread.name]


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zst"])
def test_thread_raises_where_the_data_is_damaged_and_ends(kind: str) -> None:
    data = bytearray(PACKERS[kind](PLAIN))
    data[-400:-300] = bytes(100)
    read: dict[str, list[bytes]] = {"here": [], "by a thread": []}
    for function, pieces in zip((unpacked, unpacked_ahead), read.values(), strict=True):
        with pytest.raises(DumpError, match="damaged"):
            take(function(DumpSource(io.BytesIO(data), "test", len(data)), DumpLimits()), pieces)
    assert read["by a thread"] == read["here"]
    assert not unpacking()


def take(pieces: Iterable[bytes], into: list[bytes]) -> None:
    for piece in pieces:
        into.append(piece)  # noqa: PERF402


def test_thread_ends_with_its_reader() -> None:
    data = bz2.compress(PLAIN)
    pieces = unpacked_ahead(DumpSource(io.BytesIO(data), "test", len(data)), DumpLimits())
    next(pieces)
    assert unpacking()
    pieces.close()  # type: ignore[attr-defined]
    assert not unpacking()


def test_pipe_is_read_without_a_thread() -> None:
    pieces = unpacked_ahead(DumpSource(io.BytesIO(bz2.compress(PLAIN)), "test"), DumpLimits())
    next(pieces)
    assert not unpacking()


@pytest.mark.parametrize("kind", PACKERS)
def test_position_ends_at_the_size(kind: str) -> None:
    data = PACKERS[kind](PLAIN)
    source = DumpSource(io.BytesIO(data), "test", len(data))
    list(unpacked(source, DumpLimits()))
    assert 0 < source.position <= len(data)
    assert source.position > len(data) // 2


@pytest.mark.parametrize("kind", [kind for kind in PACKERS if kind not in ("7z", "plain")])
def test_pieces_are_bounded(kind: str) -> None:
    data = PACKERS[kind](PLAIN)
    source = DumpSource(io.BytesIO(data), "test", len(data))
    assert max(map(len, unpacked(source, DumpLimits()))) <= 65536


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "7z"])
def test_data_that_ends_too_early_is_refused(kind: str) -> None:
    with pytest.raises(DumpError, match=r"ends too early|cannot be (read|unpacked)"):
        unpack(PACKERS[kind](PLAIN)[:-40])


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zst", "7z"])
def test_damaged_data_is_refused(kind: str) -> None:
    data = bytearray(PACKERS[kind](PLAIN))
    middle = len(data) // 2
    data[middle : middle + 50] = bytes(50)
    with pytest.raises(DumpError, match=r"damaged|cannot be (read|unpacked)"):
        unpack(bytes(data))


def test_garbage_behind_the_data_is_refused() -> None:
    with pytest.raises(DumpError, match="damaged"):
        unpack(gzip.compress(PLAIN) + b"garbage")


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zst", "7z"])
def test_bomb_is_stopped_by_its_ratio(kind: str) -> None:
    bomb = PACKERS[kind](bytes(3_000_000))
    with pytest.raises(DumpError, match="expands to more than 50"):
        unpack(bomb, ratio=50, ratio_free_bytes=100_000)


def test_bytes_are_limited_altogether() -> None:
    with pytest.raises(DumpError, match="more than 1000 bytes unpacked"):
        unpack(gzip.compress(PLAIN), total_bytes=1000)


def test_window_of_zstandard_is_limited() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=24)
    data = zstandard.ZstdCompressor(compression_params=parameters).compressobj().compress(PLAIN * 9)
    packed = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    data = packed.compress(PLAIN * 9) + packed.flush()
    with pytest.raises(DumpError, match="damaged"):
        unpack(data, window_bytes=1 << 20)


def test_archive_of_several_files_is_refused() -> None:
    with pytest.raises(DumpError, match="contains 2 files"):
        unpack(seven_zip(PLAIN, "a.xml", "b.xml"))


def test_archive_needs_a_file() -> None:
    source = DumpSource(io.BytesIO(seven_zip(PLAIN)), "standard input")
    with pytest.raises(DumpError, match="cannot be read from standard input"):
        list(unpacked(source, DumpLimits()))


def test_reader_may_leave_an_archive_early() -> None:
    data = seven_zip(PLAIN * 4)
    source = DumpSource(io.BytesIO(data), "test", len(data))
    pieces = unpacked(source, DumpLimits())
    assert next(pieces).startswith(b"<mediawiki")
    pieces.close()  # type: ignore[attr-defined]


def test_missing_py7zr_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    data = seven_zip(PLAIN)

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(DumpError, match=r"pip install 'wikiapi-server\[sevenzip\]'"):
        unpack(data)


def test_identity_is_that_of_the_content(tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in "abc")
    first.write_bytes(b"x" * 2_000_000 + b"1")
    second.write_bytes(first.read_bytes())
    third.write_bytes(b"x" * 2_000_000 + b"2")
    identities = []
    for path in (first, second, third):
        with open_source(str(path)) as source:
            identities.append(source.identity)
            assert source.read(1 << 30) + source.read(1 << 30) == path.read_bytes()
    assert identities[0] == identities[1] != identities[2]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(gzip.compress(PLAIN))

    monkeypatch.setattr("sys.stdin", Stdin)
    with open_source("-") as source:
        assert source.size is None
        assert b"".join(unpacked(source, DumpLimits())) == PLAIN


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DumpError, match="No such file"):
        open_source(str(tmp_path / "none.xml"))
