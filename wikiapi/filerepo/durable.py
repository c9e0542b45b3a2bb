"""Durable changes to files and folders, which survive a power failure.

A file's data and its directory entry are synced separately: the entry belongs to its folder.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

_FAILED = (errno.EIO, errno.ENOSPC, errno.EDQUOT)
"""Errors of a failed sync. Any other means that the system cannot sync this kind of file."""

_synced: set[tuple[Path, int]] = set()
"""The folders, with their inodes, whose directory entries this process has synced.

Syncing a folder takes 2 ms even if nothing in it has changed, and an upload uses seven folders.
"""


def sync(path: Path) -> None:
    """Flush a file's data, or a folder's entries, to disk where the system supports it.

    Raises:
        OSError: the disk is full or broken, or the file does not exist.
    """
    try:
        handle = os.open(path, os.O_RDONLY)
    except PermissionError:  # Windows cannot open folders.
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno in _FAILED:
            raise
    finally:
        os.close(handle)


def make_folder(path: Path, root: Path) -> None:
    """Create a folder below a root durably, with its missing parents.

    Existing folders below the root are synced too, once in each process: another process may have
    created them without having synced them yet.

    Raises:
        OSError: the folder cannot be created, or the disk is broken.
    """
    with suppress(FileNotFoundError):
        if (path, path.stat().st_ino) in _synced:
            return
    if root in path.parents:
        make_folder(path.parent, root)
    elif not path.parent.is_dir():
        make_folder(path.parent, path.parent)
    path.mkdir(exist_ok=True)
    sync(path.parent)
    _synced.add((path, path.stat().st_ino))


def replace(complete: Path, target: Path) -> None:
    """Durably rename a complete file to another, which it replaces."""
    sync(complete)
    complete.replace(target)
    sync(target.parent)
