"""Compression of answers, for clients that ask for it."""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import brotli  # type: ignore[import-untyped]
import zstandard
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SMALLEST = 256
"""Bytes below which a compressed answer would hardly be smaller."""


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, 5, mtime=0)


def _brotli(data: bytes) -> bytes:
    return cast("bytes", brotli.compress(data, quality=4))


def _zstandard(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=3).compress(data)


CODINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "zstd": _zstandard,
    "br": _brotli,
    "gzip": _gzip,
}
"""Our preference among codings that a client likes equally: the cheapest first."""


@lru_cache(maxsize=128)
def choose_coding(accept_encoding: str) -> str | None:
    """The best coding a client accepts by its ``Accept-Encoding``, ``None`` for none at all."""
    accepted = parse_accept_header(accept_encoding, Accept)
    qualities = {coding: accepted.quality(coding) for coding in CODINGS}
    best = max(qualities, key=lambda coding: qualities[coding])
    return best if qualities[best] > 0 else None


def compress(body: bytes, accept_encoding: str) -> tuple[bytes, str | None]:
    """A body, compressed where it helps, and the coding it is in."""
    coding = choose_coding(accept_encoding) if len(body) >= SMALLEST else None
    return (CODINGS[coding](body), coding) if coding else (body, None)
