"""Shards of an export: files with the results of some pages, which are merged into the export.

A job of a scheduler makes one shard. The file is a database of :class:`State`, and can be copied to
another machine when it is finished.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from glob import escape
from pathlib import Path

import apsw

from wikiapi.site import Site
from wikiapi_plugins.export import ExportError, Shard
from wikiapi_plugins.export.running import (
    STORED_RESULTS,
    BatchResult,
    Export,
    count,
    stored_results,
)
from wikiapi_plugins.export.state import State

_FINISHED = "shard"
_NUMBERS = re.compile(r"\.shard-([0-9]+)-of-([0-9]+)\Z", re.ASCII)


def path_of(path: Path, shard: Shard) -> Path:
    """Return the path of a shard's file, beside that of the export."""
    return path.with_name(f"{path.name}.shard-{shard.number}-of-{shard.total}")


def open_state(path: Path, shard: Shard, fingerprint: str) -> State:
    """Open the state of a shard, or create it; it is one of this export, and of no other shard."""
    return State(path_of(path, shard), _fingerprint(fingerprint, shard))


def _fingerprint(fingerprint: str, shard: Shard) -> str:
    return f"{fingerprint} {shard.number}/{shard.total}"


class MergedShards:
    """The results in the files of all shards beside an export."""

    def __init__(self, path: Path, fingerprint: str) -> None:
        """Find the files.

        Raises:
            ExportError: a shard is missing or not finished, or the files are not those of the same
                export of the same store.
        """
        files = {}
        for file in path.parent.glob(f"{escape(path.name)}.shard-*"):
            if match := _NUMBERS.search(file.name):
                files[Shard(int(match[1]), int(match[2]))] = file
        if not files:
            raise ExportError(f"there are no shards of {path}: make them with --shard first")
        totals = {shard.total for shard in files}
        if len(totals) > 1:
            raise ExportError(f"{path} has shards of several exports: remove those of the others")
        shards = [Shard(number, *totals) for number in range(1, max(totals) + 1)]
        if missing := [shard for shard in shards if shard not in files]:
            raise ExportError(f"{path_of(path, missing[0])} is missing")
        self._files = [files[shard] for shard in shards]
        for shard, file in zip(shards, self._files, strict=True):
            _check(file, _fingerprint(fingerprint, shard))

    def count(self, site: Site, namespaces: Sequence[int]) -> int:
        """Return the number of pages."""
        return count(site, namespaces)

    @contextmanager
    def after(
        self, page: int, site: Site, namespaces: Sequence[int], export: Export
    ) -> Iterator[Iterator[BatchResult]]:
        """Provide the results of the pages with larger ids, in the order of their ids."""
        yield self._results(page)

    def _results(self, page: int) -> Iterator[BatchResult]:
        for file in self._files:
            with closing(_opened(file)) as db:
                yield from stored_results(db.execute(STORED_RESULTS, (page,)))


def _check(file: Path, fingerprint: str) -> None:
    """Check the state of a shard.

    Raises:
        ExportError: it is not finished, or of another export.
    """
    try:
        with closing(_opened(file)) as db:
            facts = dict(db.execute("SELECT name, value FROM progress"))
    except apsw.Error as error:
        raise ExportError(f"{file} cannot be read: {error}") from error
    if facts.get("fingerprint") != fingerprint:
        raise ExportError(
            f"{file} was made with other options, by another version, or from another state of the"
            " wiki"
        )
    if not facts.get(_FINISHED):
        raise ExportError(f"{file} is not finished: run its command again")


def finish(state: State) -> None:
    """Mark a shard as finished, and remove what only its workers need."""
    with state.atomic():
        state.write("DELETE FROM names", iter([()]))
        state.finish_step(_FINISHED)
    state.compact()


def is_finished(state: State) -> bool:
    """Return whether a shard is finished."""
    return state.is_done(_FINISHED)


def _opened(file: Path) -> apsw.Connection:
    return apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
