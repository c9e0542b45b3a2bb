"""The files in a folder with its subfolders, or in a ZIP or tar archive.

Only the name of a file is used and never its path, so an archive cannot write outside the target
folder. The limits on reading, unpacking and memory apply to the actual data, not to the sizes that
an archive declares.
"""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from lzma import LZMAError
from pathlib import Path
from typing import IO, Any

from wikiapi.errors import DumpError
from wikiapi.importing.compression import unpacked
from wikiapi.importing.source import DumpLimits, open_source

_MAX_ENTRIES = 1_000_000
_LARGEST_DIRECTORY = 1 << 26
"""The largest size in bytes of a ZIP archive's central directory, which is read at once."""
_LARGEST_HEADER = 1 << 20
"""The largest size in bytes of the headers before the content of a tar archive's entry."""
_LIMITS = DumpLimits(total_bytes=1 << 41)
_PIECE = 1 << 16
_BROKEN = (
    OSError,
    EOFError,
    ValueError,
    ArithmeticError,
    LookupError,
    RuntimeError,  # encrypted
    zlib.error,
    LZMAError,
    zipfile.BadZipFile,
    tarfile.TarError,
)
"""The exceptions that the standard library raises for damaged or unknown archives."""


class BadMember(Exception):
    """A file in an archive cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file of a folder or archive. ``size`` is its declared size in bytes.

    ``name`` has no folders. A file of a folder has a ``path``. A member of an archive has ``open``
    instead, which must be called before the next member is requested.
    """

    name: str
    size: int
    path: Path | None = None
    open: Callable[[], IO[bytes]] | None = None

    def copy(self, target: Path, most: int) -> None:
        """Write the content to a new file.

        Raises:
            BadMember: the member is damaged, or longer than ``most`` bytes.
            DumpError: the archive exceeds a limit.
            OSError: the target cannot be written.
        """
        size = 0
        with target.open("wb") as file:
            for piece in self._pieces():
                size += len(piece)
                if size > most:
                    raise BadMember(f"it is longer than the {self.size} bytes that it declares")
                file.write(piece)

    def _pieces(self) -> Iterator[bytes]:
        opened: IO[bytes] | None = None
        try:
            opened = self.open() if self.open else None
            while opened and (piece := opened.read(_PIECE)):
                yield piece
        except DumpError:
            raise
        except (NotImplementedError, *_BROKEN) as error:
            raise BadMember(f"it cannot be unpacked: {error}") from error
        finally:
            if opened:
                opened.close()


def members(place: Path) -> Iterator[Member]:
    """Yield the files of a folder or an archive, without links and hidden files.

    The files of a folder or ZIP archive are ordered by depth and name, those of a tar archive are
    in its own order.

    Raises:
        DumpError: it cannot be read, is not an archive of a known kind, or exceeds a limit.
    """
    if place.is_dir():
        yield from _in_folder(place)
        return
    try:
        is_zip = zipfile.is_zipfile(place)
    except OSError as error:
        raise DumpError(f"cannot read {place}: {error.strerror}") from error
    yield from _in_zip(place) if is_zip else _in_tar(place)


def _in_folder(folder: Path) -> Iterator[Member]:
    waiting = deque([folder])
    while waiting:
        place = waiting.popleft()
        try:
            with os.scandir(place) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
            for entry in entries:
                if entry.name.startswith(".") or entry.is_symlink():
                    continue
                if entry.is_dir():
                    waiting.append(Path(entry.path))
                elif entry.is_file():
                    yield Member(entry.name, entry.stat().st_size, Path(entry.path))
        except OSError as error:
            raise DumpError(f"cannot read {place}: {error.strerror}") from error


class _BoundedReads(io.FileIO):
    """A file that refuses large reads, with which a hostile archive would fill the memory."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > _LARGEST_DIRECTORY:
            raise DumpError("the archive has too many entries: unpack it, and name the folder")
        return super().read(-1 if size is None else size)


def _in_zip(place: Path) -> Iterator[Member]:
    with closing(_BoundedReads(place)) as file:
        try:
            archive = zipfile.ZipFile(file)
        except _BROKEN as error:
            raise DumpError(f"{place} is not a ZIP archive: {error}") from error
        entries = archive.infolist()
        if len(entries) > _MAX_ENTRIES:
            raise DumpError(f"{place} has more than {_MAX_ENTRIES} entries")
        parts = {entry: _zip_name(entry).replace("\\", "/").split("/") for entry in entries}
        for entry in sorted(entries, key=lambda entry: (len(parts[entry]), parts[entry])):
            name = parts[entry][-1]
            if name and not name.startswith(".") and "__MACOSX" not in parts[entry]:
                yield Member(name, entry.file_size, open=partial(archive.open, entry))


def _zip_name(entry: zipfile.ZipInfo) -> str:
    """Return the path of an entry; many programs write UTF-8 without setting the flag for it."""
    if entry.flag_bits & 0x800:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


class _Unpacked(io.RawIOBase):
    """An unpacked tar archive as a file. Reading beyond the position ``may_read`` is an error."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""
        self.position = 0
        self.may_read = 0

    def read(self, size: int = -1, /) -> bytes:
        if not self._rest:
            self._rest = next(self._pieces, b"")
        size = len(self._rest) if size < 0 else size
        data, self._rest = self._rest[:size], self._rest[size:]
        self.position += len(data)
        if self.position > self.may_read:
            raise DumpError("the archive has an entry whose name or attributes are too long")
        return data


def _in_tar(place: Path) -> Iterator[Member]:
    with open_source(str(place)) as source:
        stream = _Unpacked(unpacked(source, _LIMITS))
        stream.may_read = _LARGEST_HEADER
        try:
            archive: Any = tarfile.open(fileobj=stream, mode="r|")  # noqa: SIM115 - of a stream
            count = 0
            while entry := archive.next():
                count += 1
                if count > _MAX_ENTRIES:
                    raise DumpError(f"{place} has more than {_MAX_ENTRIES} entries")
                name = entry.name.replace("\\", "/").rpartition("/")[2]
                # Media files are never sparse, and a sparse file can declare any size.
                is_file = entry.isreg() and not entry.issparse()
                if is_file and name and not name.startswith("."):
                    stream.may_read = max(archive.offset, stream.position) + _LARGEST_HEADER
                    yield Member(name, entry.size, open=partial(archive.extractfile, entry))
                # Neither is needed, and both grow with the archive.
                archive.members.clear()
                archive.pax_headers.clear()
                stream.may_read = max(archive.offset, stream.position) + _LARGEST_HEADER
        except DumpError:
            raise
        except _BROKEN as error:
            raise DumpError(f"{place} is not a ZIP or tar archive: {error}") from error
