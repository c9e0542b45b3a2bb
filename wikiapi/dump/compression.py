"""Packed dumps, unpacked as a stream of bounded pieces. The kind is told by the first bytes."""

from __future__ import annotations

import bz2
import lzma
import zlib
from typing import TYPE_CHECKING, Protocol

import zstandard

from wikiapi.dump import sevenzip
from wikiapi.errors import DumpError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wikiapi.dump.limits import DumpLimits
    from wikiapi.dump.source import DumpSource

    Unpacker = Callable[[DumpSource, DumpLimits], Iterator[bytes]]

PIECE = 1 << 16


class _Decoder(Protocol):
    """What zlib, bz2 and lzma have in common once zlib has been wrapped."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """zlib's decoder with the interface of its newer brothers: it keeps its input itself."""

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


def unpacked(source: DumpSource, limits: DumpLimits) -> Iterator[bytes]:
    """The XML of a dump in pieces of at most a few hundred kilobytes.

    Raises:
        DumpError: the packed data is damaged, ends too early, or unfolds beyond the limits.
    """
    total = 0
    for piece in _joined(_unpacker(source.head)(source, limits)):
        total += len(piece)
        if total > limits.total_bytes:
            raise DumpError(f"more than {limits.total_bytes} bytes unpacked")
        if total > limits.ratio_free_bytes and total > limits.ratio * source.position:
            raise DumpError(f"every packed byte unfolds to more than {limits.ratio} bytes")
        yield piece


def _joined(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Pieces that are not too small: some formats make one of each byte, if one wants them to."""
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


def _unpacker(head: bytes) -> Unpacker:
    for magic, unpacker in _KINDS:
        if head.startswith(magic):
            return unpacker
    return _plain


def _plain(source: DumpSource, _limits: DumpLimits) -> Iterator[bytes]:
    while piece := source.read(PIECE):
        yield piece


def _gzip(source: DumpSource, _limits: DumpLimits) -> Iterator[bytes]:
    return _members(source, _Gzip)


def _bzip2(source: DumpSource, _limits: DumpLimits) -> Iterator[bytes]:
    return _members(source, bz2.BZ2Decompressor)


def _xz(source: DumpSource, limits: DumpLimits) -> Iterator[bytes]:
    return _members(source, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, 2 * limits.window_bytes))


def _members(source: DumpSource, new_decoder: Callable[[], _Decoder]) -> Iterator[bytes]:
    """Unpack one member after the other: multistream dumps have one for each hundred pages."""
    rest = b""
    while data := _padding_skipped(rest, source):
        decoder = new_decoder()
        yield from _member(data, decoder, source)
        rest = decoder.unused_data


def _member(data: bytes, decoder: _Decoder, source: DumpSource) -> Iterator[bytes]:
    while True:
        try:
            yield decoder.decompress(data, PIECE)
        except (OSError, EOFError, lzma.LZMAError, zlib.error, MemoryError) as error:
            raise DumpError(f"the packed data is damaged: {error}") from error
        if decoder.eof:
            return
        data = b""
        if decoder.needs_input and not (data := source.read(PIECE)):
            raise DumpError("the packed data ends too early")


def _padding_skipped(rest: bytes, source: DumpSource) -> bytes:
    """The beginning of the next member; zero bytes may stand between two."""
    while not (data := rest.lstrip(b"\0")):
        if not (rest := source.read(PIECE)):
            return b""
    return data


def _zstandard(source: DumpSource, limits: DumpLimits) -> Iterator[bytes]:
    unpacker = zstandard.ZstdDecompressor(max_window_size=limits.window_bytes)
    try:
        with unpacker.stream_reader(source, read_across_frames=True, closefd=False) as reader:  # type: ignore[arg-type]
            while piece := reader.read(PIECE):
                yield piece
    except zstandard.ZstdError as error:
        raise DumpError(f"the packed data is damaged: {error}") from error


_KINDS: tuple[tuple[bytes, Unpacker], ...] = (
    (b"\x1f\x8b", _gzip),
    (b"BZh", _bzip2),
    (b"\xfd7zXZ\0", _xz),
    (b"\x28\xb5\x2f\xfd", _zstandard),
    (b"7z\xbc\xaf\x27\x1c", sevenzip.unpacked),
)
