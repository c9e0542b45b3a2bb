"""What must hold in a store, whatever has happened to the processes that wrote it."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from tests.simulation.seams import FAULT
from tests.simulation.writers import MARK, picture
from wikiapi.config import FilesConfig
from wikiapi.filerepo.sha1 import from_hex
from wikiapi_plugins.editing.files.folder import UploadFolder

ACCEPTED, UNKNOWN = "accepted", ""
PROCESS = "process "
"""How a line of the trace begins that says how a process has ended."""
_DONE = """
    SELECT 'edit', comment_text FROM revision JOIN comment ON comment_id = rev_comment_id
    UNION ALL
    SELECT 'edit', comment_text FROM archive JOIN comment ON comment_id = ar_comment_id
    UNION ALL
    SELECT CASE log_action WHEN 'restore' THEN 'undelete' ELSE log_type END, comment_text
    FROM logging JOIN comment ON comment_id = log_comment_id
"""
"""Kinds and marks of writes: only edits are told by their revisions."""
_TEXTS = """
    SELECT rev_id, rev_parent_id, CAST(old_text AS TEXT) FROM revision
    JOIN slots ON slot_revision_id = rev_id JOIN content ON content_id = slot_content_id
    JOIN text ON content_address = 'tt:' || old_id
    UNION ALL
    SELECT ar_rev_id, ar_parent_id, CAST(old_text AS TEXT) FROM archive
    JOIN slots ON slot_revision_id = ar_rev_id JOIN content ON content_id = slot_content_id
    JOIN text ON content_address = 'tt:' || old_id
"""
_VERSIONS = """
    SELECT img_name, img_sha1, NULL, NULL FROM image
    UNION ALL SELECT oi_name, oi_sha1, oi_archive_name, NULL FROM oldimage
    UNION ALL SELECT fa_name, fa_sha1, NULL, fa_storage_key FROM filearchive
"""
"""Names and hashes of all versions, and under which names the earlier and deleted ones are."""


class Write(NamedTuple):
    """A write that was asked for; ``outcome`` is an error's code, ACCEPTED, or UNKNOWN."""

    mark: str
    kind: str
    outcome: str


def writes_of(trace: Iterable[str]) -> list[Write]:
    """Return the writes that a trace tells of."""
    asked: dict[str, str] = {}
    got: dict[str, str] = {}
    for line in trace:
        _, _, words = line.partition(": ")
        match words.split():
            case ["asks", mark, kind]:
                asked[mark] = kind
            case ["got", mark, outcome]:
                got[mark] = outcome
    return [Write(mark, kind, got.get(mark, UNKNOWN)) for mark, kind in asked.items()]


def broken(store: Path, files: Path, trace: list[str]) -> Iterator[str]:
    """Yield what is wrong with a store, given all that has happened to it."""
    writes = writes_of(trace)
    with closing(sqlite3.connect(store)) as db:
        yield from _untrue_answers(db, writes)
        yield from _lost_edits(db)
        yield from _missing_files(db, files, writes)
    yield from _failures_without_cause(trace)
    refused = {write.mark for write in writes if write.outcome not in (ACCEPTED, UNKNOWN)}
    seen = {line.rpartition(" ")[2] for line in trace if ": saw " in line}
    yield from (f"{mark} was refused, and could be read" for mark in sorted(refused & seen))


def _untrue_answers(db: sqlite3.Connection, writes: list[Write]) -> Iterator[str]:
    """Each write that was accepted is there once; one that was refused is not."""
    done = Counter(row for row in db.execute(_DONE) if MARK.fullmatch(row[1]))
    for write in writes:
        times = done.pop((write.kind, write.mark), 0)
        expected = {ACCEPTED: (1,), UNKNOWN: (0, 1)}.get(write.outcome, (0,))
        if times not in expected:
            yield f"{write} was done {times} times"
    written = {write.mark for write in writes}
    yield from (f"nobody asked for {mark}" for _, mark in done if mark not in written)


def _failures_without_cause(trace: list[str]) -> Iterator[str]:
    """The server fails only where something has failed it; a reader never sees half of a page."""
    is_hindered = False
    for line in trace:
        if line.startswith(PROCESS):
            is_hindered = False
        elif FAULT in line:
            is_hindered = True
        elif ("internal_api_error" in line and not is_hindered) or ": wrong: " in line:
            yield line


def _lost_edits(db: sqlite3.Connection) -> Iterator[str]:
    """Nobody removes a line, so that each text has those of the one that it was made of."""
    lines: dict[int, set[str]] = {}
    parents: dict[int, int] = {}
    for revision, parent, text in db.execute(_TEXTS):
        lines[revision], parents[revision] = set(MARK.findall(text)), parent
    for revision, parent in parents.items():
        if lost := lines.get(parent, set()) - lines[revision]:
            yield f"revision {revision} has lost {sorted(lost)}"


def _missing_files(db: sqlite3.Connection, files: Path, writes: list[Write]) -> Iterator[str]:
    """What was uploaded is listed, and each version has its data."""
    versions = list(db.execute(_VERSIONS))
    listed = {sha1 for _, sha1, _, _ in versions}
    for write in writes:
        is_there = write.kind == "upload" and write.outcome == ACCEPTED
        if is_there and _sha1(picture(write.mark)) not in listed:
            yield f"{write} is not listed"
    folder = UploadFolder(FilesConfig(folder=str(files)))
    for name, sha1, archive_name, key in versions:
        if key is not None:
            places = [folder.deleted(key)]
        elif archive_name:
            places = [folder.archived(name, archive_name)]
        else:
            places = [folder.current(name), folder.staged(name, sha1)]
        if sha1 not in (_sha1(place.read_bytes()) for place in places if place.is_file()):
            yield f"{name} has no data ({archive_name or key or 'current'})"


def _sha1(data: bytes) -> str:
    return from_hex(hashlib.sha1(data).hexdigest())
