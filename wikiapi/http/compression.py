"""Compression of answers, whole or in pieces, for clients that accept it."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple, cast

import brotli  # type: ignore[import-untyped]
import zstandard
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from wikiapi.memoize import memoize

SMALLEST = 256
"""Minimum size in bytes of answers that are compressed; smaller ones would hardly shrink."""


_GZIP_LEVEL, _BROTLI_QUALITY, _ZSTANDARD_LEVEL = 5, 4, 3
_GZIP_BITS = 31
"""The ``wbits`` of zlib for the largest window and the header of gzip."""


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, _GZIP_LEVEL, mtime=0)


def _brotli(data: bytes) -> bytes:
    return cast("bytes", brotli.compress(data, quality=_BROTLI_QUALITY))


def _zstandard(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=_ZSTANDARD_LEVEL).compress(data)


class _Packer(NamedTuple):
    """A compressor for a body in pieces. ``push`` flushes its buffer, ``end`` ends the body."""

    add: Callable[[bytes], bytes]
    push: Callable[[], bytes]
    end: Callable[[], bytes]


def _gzip_packer() -> _Packer:
    packer = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, _GZIP_BITS)
    return _Packer(packer.compress, partial(packer.flush, zlib.Z_SYNC_FLUSH), packer.flush)


def _brotli_packer() -> _Packer:
    packer = brotli.Compressor(quality=_BROTLI_QUALITY)
    return _Packer(packer.process, packer.flush, packer.finish)


def _zstandard_packer() -> _Packer:
    packer = zstandard.ZstdCompressor(level=_ZSTANDARD_LEVEL).compressobj()
    push = partial(packer.flush, zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    return _Packer(packer.compress, push, packer.flush)


CODINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "zstd": _zstandard,
    "br": _brotli,
    "gzip": _gzip,
}
"""The supported codings. If a client accepts several equally, the first one, which is fastest, is
used."""

_PACKERS: Mapping[str, Callable[[], _Packer]] = {
    "zstd": _zstandard_packer,
    "br": _brotli_packer,
    "gzip": _gzip_packer,
}


@memoize(128)
def choose_coding(accept_encoding: str) -> str | None:
    """Return the best coding that an ``Accept-Encoding`` header accepts, or ``None``."""
    accepted = parse_accept_header(accept_encoding, Accept)
    qualities = {coding: accepted.quality(coding) for coding in CODINGS}
    best = max(qualities, key=lambda coding: qualities[coding])
    return best if qualities[best] > 0 else None


def compress(body: bytes, accept_encoding: str) -> tuple[bytes, str | None]:
    """Return a body, compressed if it is large enough, and its content coding."""
    coding = choose_coding(accept_encoding) if len(body) >= SMALLEST else None
    return (CODINGS[coding](body), coding) if coding else (body, None)


def compress_pieces(
    pieces: Iterator[bytes], accept_encoding: str
) -> tuple[Iterator[bytes], str | None]:
    """Return a body in pieces, compressed one at a time, and its content coding."""
    coding = choose_coding(accept_encoding)
    return (_packed(pieces, _PACKERS[coding]()), coding) if coding else (pieces, None)


def _packed(pieces: Iterator[bytes], packer: _Packer) -> Iterator[bytes]:
    """Yield compressed pieces, each flushed completely because the client waits for it."""
    for piece in pieces:
        yield packer.add(piece) + packer.push()
    yield packer.end()
