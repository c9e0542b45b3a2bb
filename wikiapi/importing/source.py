"""The source of a dump's bytes, a file or standard input, and the limits that it must keep."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, cast

from wikiapi.errors import DumpError

__all__ = ["limits_for"]

STDIN = "-"
_HEAD = 1 << 20
_TAIL = 1 << 16


class DumpSource:
    """The compressed bytes of one dump. ``position`` is the number of bytes read so far."""

    def __init__(self, file: BinaryIO, name: str, size: int | None = None) -> None:
        """Read the head of a file; ``size`` is None for a pipe, which can be read only once."""
        self.name = name
        self.size = size
        self.position = 0
        self._file = file
        self.head = self._head = read_fully(file.read, _HEAD)
        digest = hashlib.sha256(f"{self.size}:".encode())
        digest.update(self.head)
        if self.size is not None and self.size > len(self.head):
            self._file.seek(-min(_TAIL, self.size), os.SEEK_END)
            digest.update(self._file.read(_TAIL))
            self._file.seek(len(self.head))
        self.identity = digest.hexdigest()[:32]

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes, or none at the end."""
        data, self._head = self._head[:size], self._head[size:]
        if not data:
            try:
                data = self._file.read(size)
            except OSError as error:
                raise DumpError(f"cannot read {self.name}: {error.strerror}") from error
        self.position += len(data)
        return data

    def seekable(self) -> BinaryIO:
        """Return the file itself, at its start, for an archive format that needs to seek.

        Raises:
            DumpError: the file can be read only once.
        """
        if self.size is None:
            raise DumpError(f"a .7z archive cannot be read from {self.name}: name a file")
        self._file.seek(0)
        return self._file

    def __enter__(self) -> DumpSource:
        """Return the source, which is closed at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._file.close()


def open_source(name: str) -> DumpSource:
    """Open the file at a path, or standard input for ``-``.

    Raises:
        DumpError: the file cannot be read.
    """
    if name == STDIN:
        return DumpSource(sys.stdin.buffer, "standard input")
    path = Path(name)
    try:
        file = path.open("rb")
        size = path.stat().st_size if path.is_file() else None
    except OSError as error:
        raise DumpError(f"cannot read {name}: {error.strerror}") from error
    return DumpSource(cast("BinaryIO", file), name, size)


def read_fully(read: Callable[[int], bytes], size: int) -> bytes:
    """Return the next ``size`` bytes of a file whose reads may return less; fewer at its end."""
    parts = []
    while size and (part := read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


@dataclass(frozen=True, slots=True)
class DumpLimits:
    """Limits of the dump reader. A dump that exceeds one is refused with a DumpError."""

    text_chars: int = 20_971_520
    """Characters of the texts in all slots of a revision."""
    field_chars: int = 131_072
    """Characters of a title, a comment or the parameters of a log entry."""
    name_chars: int = 1_000
    """Characters of any other element, and of all attributes of a tag together."""
    token_bytes: int = 131_072
    """Bytes of one tag or comment, attributes included."""
    depth: int = 32
    """Depth of nested elements."""
    entries: int = 10_000
    """Namespaces of a wiki, or slots of a revision."""
    ratio: int = 1_000
    """Bytes that a compressed byte may expand to, on average since the start."""
    ratio_free_bytes: int = 33_554_432
    """Unpacked bytes below which the ratio is not checked."""
    total_bytes: int = 1 << 46
    """Unpacked bytes of a whole dump."""
    window_bytes: int = 1 << 27
    """Bytes of memory for the window of a decompressor."""


def limits_for(article_size: int) -> DumpLimits:
    """Return limits with texts of up to ten times ``article_size``, that of the largest page."""
    return DumpLimits(text_chars=10 * article_size)
