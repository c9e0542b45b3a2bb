"""Decompresses dumps as a stream of bounded pieces, and recognises what is not a dump.

The first bytes of a file determine its format.
"""

from __future__ import annotations

import bz2
import importlib
import lzma
import queue
import re
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple, Protocol

import zstandard

from wikiapi.errors import DumpError
from wikiapi.importing.source import DumpLimits, DumpSource

PIECE = 1 << 16


def unpacked(source: DumpSource, limits: DumpLimits) -> Iterator[bytes]:
    """Yield the XML of a dump in pieces of at most a few hundred kilobytes.

    Raises:
        DumpError: the compressed data is damaged, ends too early, or exceeds the limits.
    """
    formats = (unpack for magic, unpack in _FORMATS if source.head.startswith(magic))
    unpack = next(formats, _uncompressed)
    total = 0
    for piece in _joined(unpack(source, limits)):
        total += len(piece)
        if total > limits.total_bytes:
            raise DumpError(f"more than {limits.total_bytes} bytes unpacked")
        if total > limits.ratio_free_bytes and total > limits.ratio * source.position:
            raise DumpError(f"a compressed byte expands to more than {limits.ratio} bytes")
        yield piece


def unpacked_ahead(source: DumpSource, limits: DumpLimits) -> Iterator[bytes]:
    """Yield the XML of a dump as `unpacked` does, of compressed files by a thread in advance.

    Decoders let other threads run, so that unpacking takes another core than parsing.

    Raises:
        DumpError: as for `unpacked`.
    """
    pieces = unpacked(source, limits)
    # A thread that waits for a pipe could not be ended; py7zr has a thread of its own.
    if source.size is None or not source.head.startswith(_UNPACKED_AHEAD):
        yield from pieces
        return
    pipe = _Pipe()
    thread = threading.Thread(target=_unpack, args=(pieces, pipe), daemon=True)
    thread.start()
    try:
        yield from pipe.pieces()
    finally:
        pipe.stop()
        thread.join()


def _unpack(pieces: Iterator[bytes], pipe: _Pipe) -> None:
    with suppress(_Stopped):
        try:
            for piece in pieces:
                pipe.put(piece)
            pipe.put(None)
        except _Stopped:
            raise
        except Exception as error:  # raised in the reader
            pipe.put(error)


_AHEAD = 16
"""Pieces that wait for the reader, some kilobytes each."""


class _Stopped(Exception):
    """Raised in the unpacking thread to end it when the reader has stopped."""


class _Pipe:
    """A bounded queue from the unpacking thread to the reader; None marks the end."""

    def __init__(self) -> None:
        self._queue: queue.Queue[bytes | Exception | None] = queue.Queue(_AHEAD)
        self._stopped = threading.Event()

    def put(self, item: bytes | Exception | None) -> None:
        while not self._stopped.is_set():
            with suppress(queue.Full):
                self._queue.put(item, timeout=0.1)
                return
        raise _Stopped

    def put_pieces(self, data: bytes) -> None:
        for start in range(0, len(data), _PIECE):
            self.put(bytes(data[start : start + _PIECE]))

    def pieces(self) -> Iterator[bytes]:
        while (item := self._queue.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item

    def stop(self) -> None:
        self._stopped.set()


def _joined(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield larger pieces, since a hostile file can make a decoder yield single bytes."""
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        if size and size + len(piece) > PIECE:
            yield b"".join(waiting)
            waiting, size = [], 0
        if piece:
            waiting.append(piece)
            size += len(piece)
    if size:
        yield b"".join(waiting)


def _uncompressed(source: DumpSource, _limits: DumpLimits) -> Iterator[bytes]:
    while piece := source.read(PIECE):
        yield piece


class _Decoder(Protocol):
    """The common interface of the decoders of bz2 and lzma, and of the wrapper of zlib's."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """zlib's decoder with the interface of those of bz2 and lzma, which buffer their input."""

    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(zlib.MAX_WBITS | 16)

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def needs_input(self) -> bool:
        return not self._decoder.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._decoder.decompress(self._decoder.unconsumed_tail + data, max_length)


def _members(source: DumpSource, new_decoder: Callable[[], _Decoder]) -> Iterator[bytes]:
    """Unpack one member after another; multistream dumps have one for every hundred pages."""
    rest = b""
    while True:
        # Zero bytes before a member are padding.
        while not (data := rest.lstrip(b"\0")):
            if not (rest := source.read(PIECE)):
                return
        decoder = new_decoder()
        while not decoder.eof:
            if not data and decoder.needs_input and not (data := source.read(PIECE)):
                raise DumpError("the compressed data ends too early")
            try:
                piece = decoder.decompress(data, PIECE)
            except (OSError, EOFError, lzma.LZMAError, zlib.error, MemoryError) as error:
                raise DumpError(f"the compressed data is damaged: {error}") from error
            data = b""
            yield piece
        rest = decoder.unused_data


def _xz(source: DumpSource, limits: DumpLimits) -> Iterator[bytes]:
    memory = 2 * limits.window_bytes
    return _members(source, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memory))


def _zstandard(source: DumpSource, limits: DumpLimits) -> Iterator[bytes]:
    unpacker = zstandard.ZstdDecompressor(max_window_size=limits.window_bytes)
    try:
        with unpacker.stream_reader(source, read_across_frames=True, closefd=False) as reader:  # type: ignore[arg-type]
            while piece := reader.read(PIECE):
                yield piece
    except zstandard.ZstdError as error:
        raise DumpError(f"the compressed data is damaged: {error}") from error


# 7z. py7zr writes what it unpacks to a file object, which a separate thread does.

SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c"
"""How a 7z archive begins."""
_PIECE = 1 << 18
_LZMA, _LZMA2, _PPMD = b"\x03\x01\x01", b"\x21", b"\x03\x04\x01"
_MISSING = "reading .7z needs the package py7zr: pip install 'wikiapi-server[sevenzip]'"


class MemberWriter:
    """A file object that py7zr writes an archive member to."""

    def __init__(self, take: Callable[[bytes], object]) -> None:
        """Pass each piece of the member to a function."""
        self._take = take
        self._size = 0

    def write(self, data: bytes) -> int:
        self._take(data)
        self._size += len(data)
        return len(data)

    def read(self, _size: int | None = None) -> bytes:
        return b""

    def seek(self, offset: int, _whence: int = 0) -> int:
        return offset

    def flush(self) -> None:
        """Do nothing, since no bytes are buffered."""

    def size(self) -> int:
        return self._size

    def close(self) -> None:
        """Do nothing: not all versions of py7zr call it at the end of a member."""


class _Factory:
    def __init__(self, pipe: _Pipe) -> None:
        self._pipe = pipe

    def create(self, _filename: str) -> MemberWriter:
        return MemberWriter(self._pipe.put_pieces)


def open_seven_zip(file: BinaryIO, limits: DumpLimits, name: str = "the archive") -> Any:
    """Return a 7z archive as a ``py7zr.SevenZipFile``; ``name`` is for errors.

    Raises:
        DumpError: py7zr is not installed, the archive cannot be read, or unpacking it requires more
            memory than the limits allow.
    """
    try:
        py7zr = importlib.import_module("py7zr")
    except ImportError as error:
        raise DumpError(_MISSING) from error
    # Any exception of py7zr means a damaged archive; they have no common base class.
    try:
        archive = py7zr.SevenZipFile(file, "r")
        window = max(_window_sizes(archive), default=0)
    except Exception as error:
        raise DumpError(f"{name} cannot be read: {error}") from error
    if window > 2 * limits.window_bytes:
        raise DumpError(f"unpacking {name} requires a window of {window >> 20} MiB of memory")
    return archive


def members_of(archive: Any) -> list[str]:
    """Return the names of the files in a 7z archive."""
    return [entry.filename for entry in archive.list() if not entry.is_directory]


def _seven_zip(source: DumpSource, limits: DumpLimits) -> Iterator[bytes]:
    """Yield the content of the single file in a 7z archive.

    Raises:
        DumpError: py7zr is not installed, the archive cannot be read, or unpacking it requires more
            memory than the limits allow.
    """
    file = source.seekable()
    archive, pipe = open_seven_zip(file, limits), _Pipe()
    names = members_of(archive)
    if len(names) != 1:
        raise DumpError(f"the archive contains {len(names)} files; that of a dump contains one")
    thread = threading.Thread(target=_extract, args=(archive, pipe), daemon=True)
    thread.start()
    try:
        for piece in pipe.pieces():
            source.position = file.tell()
            yield piece
    finally:
        pipe.stop()
        thread.join()


def _window_sizes(archive: Any) -> Iterator[int]:
    """Yield the bytes of memory that each compression method requires, read from the header.

    py7zr does not check them. The format is described at https://www.7-zip.org/sdk.html.
    """
    streams = archive.header.main_streams
    for folder in streams.unpackinfo.folders if streams else ():
        for coder in folder.coders:
            method, properties = coder["method"], coder["properties"] or b""
            if method == _LZMA2:
                bits = properties[0]
                yield (2 | bits & 1) << (bits // 2 + 11)
            elif method in (_LZMA, _PPMD):
                yield int.from_bytes(properties[1:5], "little")


def _extract(archive: Any, pipe: _Pipe) -> None:
    with suppress(_Stopped):
        try:
            archive.extractall(factory=_Factory(pipe))
        except _Stopped:
            raise
        except Exception as error:  # raised in the reader
            pipe.put(DumpError(f"the archive cannot be unpacked: {error}"))
        else:
            pipe.put(None)


_FORMATS: tuple[tuple[bytes, Callable[[DumpSource, DumpLimits], Iterator[bytes]]], ...] = (
    (b"\x1f\x8b", lambda source, _: _members(source, _Gzip)),
    (b"BZh", lambda source, _: _members(source, bz2.BZ2Decompressor)),
    (b"\xfd7zXZ\0", _xz),
    (b"\x28\xb5\x2f\xfd", _zstandard),
    (SEVEN_ZIP, _seven_zip),
)


_UNPACKED_AHEAD = tuple(magic for magic, _ in _FORMATS if magic != SEVEN_ZIP)


# Files that are not dumps


class _Kind(NamedTuple):
    """A kind of file: how it can begin, in lower case, and what it is and what to do with it."""

    beginnings: tuple[bytes, ...]
    text: str


_ARCHIVE = "is an archive of files: unpack it, and import the dump in it"
_NOT_DUMPS = (
    _Kind(
        (b"<!doctype html", b"<html"),
        "is an HTML page, not a dump: it was downloaded from the address of a page; download the"
        " file that the page links to",
    ),
    _Kind(
        (b"-- mysql dump", b"-- mariadb dump", b"create table", b"insert into", b"/*!"),
        "is an SQL dump: `wikiapi import-tables` loads those of Wikimedia's tables",
    ),
    _Kind(
        (b"sqlite format 3\0",),
        "is an SQLite database: `wikiapi serve --database FILE` serves a MediaWiki's database as"
        " it is",
    ),
    _Kind((b"pk\x03\x04", b"rar!"), _ARCHIVE),
    _Kind((b"{", b"["), "is JSON, not a dump in XML"),
)
_BLANKS = b"\xef\xbb\xbf \t\r\n"


def is_address(name: str) -> bool:
    """Return whether a name is a URL rather than the path of a file."""
    return re.match(r"(?:https?|ftp):/", name, re.IGNORECASE) is not None


def check_is_dump(source: DumpSource, limits: DumpLimits) -> None:
    """Check that a file can be a dump by its beginning.

    Raises:
        DumpError: the file is not a dump; the message says what it seems to be.
    """
    if not source.head:
        raise DumpError(f"{source.name} is empty")
    pieces = unpacked(source, limits)
    try:
        head = next(pieces, b"")
    except DumpError as error:
        raise DumpError(f"{source.name}: {error}") from error
    finally:
        pieces.close()  # type: ignore[attr-defined]
    if not head.strip(_BLANKS):
        raise DumpError(f"{source.name} is empty once it is unpacked")
    if head.startswith(b"ustar", 257):
        raise DumpError(f"{source.name} {_ARCHIVE}")
    start = head.lstrip(_BLANKS)[:64].lower()
    for kind in _NOT_DUMPS:
        if start.startswith(kind.beginnings):
            raise DumpError(f"{source.name} {kind.text}")
    if not start.startswith(b"<"):
        raise DumpError(f"{source.name} is not a dump: it does not begin with XML")
