"""Dumps in .7z archives, through the optional package py7zr.

py7zr pushes what it unpacks into a writer. A thread of its own does that here, a few pieces ahead
of the reader.
"""

from __future__ import annotations

import importlib
import queue
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from wikiapi.errors import DumpError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.dump.limits import DumpLimits
    from wikiapi.dump.source import DumpSource

_AHEAD = 4
_PIECE = 1 << 18
_LZMA, _LZMA2, _PPMD = b"\x03\x01\x01", b"\x21", b"\x03\x04\x01"
_MISSING = "reading .7z needs the package py7zr: pip install 'wikiapi[sevenzip]'"


class _Stopped(Exception):
    """The reader has gone; raised in the unpacking thread to end it."""


class _Pipe:
    """A bounded queue from the unpacking thread to the reader; None marks the end."""

    def __init__(self) -> None:
        self._queue: queue.Queue[bytes | BaseException | None] = queue.Queue(_AHEAD)
        self._stopped = threading.Event()

    def put(self, item: bytes | BaseException | None) -> None:
        while not self._stopped.is_set():
            with suppress(queue.Full):
                self._queue.put(item, timeout=0.1)
                return
        raise _Stopped

    def pieces(self) -> Iterator[bytes]:
        while (item := self._queue.get()) is not None:
            if isinstance(item, BaseException):
                raise DumpError(f"the archive cannot be unpacked: {item}") from item
            yield item

    def stop(self) -> None:
        self._stopped.set()


class _Writer:
    """What py7zr writes an archive member to."""

    def __init__(self, pipe: _Pipe) -> None:
        self._pipe = pipe
        self._size = 0

    def write(self, data: bytes) -> int:
        for start in range(0, len(data), _PIECE):
            self._pipe.put(bytes(data[start : start + _PIECE]))
        self._size += len(data)
        return len(data)

    def read(self, _size: int | None = None) -> bytes:
        return b""

    def seek(self, offset: int, _whence: int = 0) -> int:
        return offset

    def flush(self) -> None:
        """Nothing is held back."""

    def size(self) -> int:
        return self._size

    def close(self) -> None:
        """The end of a member is not the end of the archive."""


class _Factory:
    def __init__(self, pipe: _Pipe) -> None:
        self._pipe = pipe

    def create(self, _filename: str) -> _Writer:
        return _Writer(self._pipe)


def unpacked(source: DumpSource, limits: DumpLimits) -> Iterator[bytes]:
    """The one file that an archive holds.

    Raises:
        DumpError: py7zr is not installed, the archive cannot be read, or to unpack it takes more
            memory than it may.
    """
    file = source.seekable()
    pipe = _Pipe()
    # Whatever py7zr raises stands for a broken archive: it has no base class for that.
    try:
        archive = _py7zr().SevenZipFile(file, "r")
        names = [entry.filename for entry in archive.list() if not entry.is_directory]
        window = max(_windows(archive), default=0)
    except DumpError:
        raise
    except Exception as error:
        raise DumpError(f"the archive cannot be read: {error}") from error
    if len(names) != 1:
        raise DumpError(f"the archive holds {len(names)} files; a dump's holds one")
    if window > 2 * limits.window_bytes:
        raise DumpError(f"unpacking the archive takes {window >> 20} MiB of memory for its window")
    thread = threading.Thread(target=_extract, args=(archive, pipe), daemon=True)
    thread.start()
    try:
        for piece in pipe.pieces():
            source.position = file.tell()
            yield piece
    finally:
        pipe.stop()
        thread.join()


def _windows(archive: Any) -> Iterator[int]:
    """The memory that each of the archive's methods asks for, by its properties in the header.

    py7zr does not look at that. The forms are those of https://www.7-zip.org/sdk.html.
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


def _py7zr() -> Any:
    try:
        return importlib.import_module("py7zr")
    except ImportError as error:
        raise DumpError(_MISSING) from error


def _extract(archive: Any, pipe: _Pipe) -> None:
    with suppress(_Stopped):
        try:
            archive.extractall(factory=_Factory(pipe))
        except _Stopped:
            raise
        except Exception as error:  # goes to the reader, which raises it
            pipe.put(error)
        else:
            pipe.put(None)
