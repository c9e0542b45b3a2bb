"""A disk that is nearly full: a file system in memory where that can be mounted, or a limit."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class SmallDisk:
    """A folder for whose files there is only so much room.

    Where nothing could be mounted ``limit`` is what each file may have, which whoever writes there
    must set for itself; 0 is no limit.
    """

    def __init__(self, folder: Path, *, is_mounted: bool) -> None:
        """Take a folder without a limit."""
        self.folder, self.limit = folder, 0
        self.is_mounted = is_mounted
        self._ballast = folder / "ballast"

    def leave(self, size: int) -> None:
        """Let there be room for so many bytes more."""
        if not self.is_mounted:
            self.limit = size
            return
        state = os.statvfs(self.folder)
        free = state.f_bavail * state.f_frsize
        self._ballast.write_bytes(b"\0" * (free - size))

    def make_room(self) -> None:
        """Let there be room for everything."""
        self.limit = 0
        self._ballast.unlink(missing_ok=True)


@contextmanager
def small_disk(folder: Path, size: int, *, mounting: bool = True) -> Iterator[SmallDisk]:
    """Yield a disk of a size, mounted in a new folder if this process may mount one."""
    folder.mkdir()
    is_mounted = mounting and _mount(folder, size)
    try:
        yield SmallDisk(folder, is_mounted=is_mounted)
    finally:
        if is_mounted:
            # Lazily: connections of threads that have ended are closed when they are collected.
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _mount(folder: Path, size: int) -> bool:
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "wikiapi-test", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True
