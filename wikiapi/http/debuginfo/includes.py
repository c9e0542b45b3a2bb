"""The source files that answer requests: ours and the plugins'."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from wikiapi.http.debuginfo.sizes import readable_size

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType


class IncludedFiles:
    """Lists loaded source files, and looks again only when further modules have been loaded."""

    def __init__(self, packages: Iterable[str]) -> None:
        """Take the names of the packages whose files are listed."""
        self._packages = frozenset(packages)
        self._seen = (0, tuple[tuple[str, str], ...]())

    def list(self) -> tuple[tuple[str, str], ...]:
        """Pairs of a file's name within its package and its size, in order of name."""
        count = len(sys.modules)
        seen, files = self._seen
        if seen != count:
            files = tuple(sorted(self._find()))
            self._seen = (count, files)
        return files

    def _find(self) -> Iterable[tuple[str, str]]:
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in self._packages and (file := _source(module)):
                yield _name(name, file), readable_size(file.stat().st_size)


def _source(module: ModuleType) -> Path | None:
    path = getattr(module, "__file__", None)
    file = Path(path) if path else None
    return file if file and file.is_file() else None


def _name(module: str, file: Path) -> str:
    """``wikiapi/api/main.py``: where the file lies below its top-level package, not on the disk."""
    folder = module if file.stem == "__init__" else module.rpartition(".")[0]
    return "/".join([*folder.split("."), file.name]) if folder else file.name
