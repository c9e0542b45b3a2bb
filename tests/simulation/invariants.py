"""Invariants of a store, which hold whatever happened to the processes that wrote it."""

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
from wikiapi.filerepo.folder import UploadFolder
from wikiapi.filerepo.sha1 import from_hex

ACCEPTED, UNKNOWN = "accepted", ""
PROCESS = "process "
"""The beginning of a line in the trace with the exit status of a process."""
_DONE = """
    SELECT 'edit', comment_text FROM revision JOIN comment ON comment_id = rev_comment_id
    UNION ALL
    SELECT 'edit', comment_text FROM archive JOIN comment ON comment_id = ar_comment_id
    UNION ALL
    SELECT CASE log_action WHEN 'restore' THEN 'undelete' ELSE log_type END, comment_text
    FROM logging JOIN comment ON comment_id = log_comment_id
"""
"""Kinds and marks of writes: edits from revisions, all others from the log."""
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
"""Names and hashes of all file versions, and the stored names of old and deleted ones."""


class Write(NamedTuple):
    """A requested write; ``outcome`` is an error code, ACCEPTED, or UNKNOWN."""

    mark: str
    kind: str
    outcome: str


def writes_of(trace: Iterable[str]) -> list[Write]:
    """Return the writes in a trace."""
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
    """Yield the violated invariants of a store, given the trace of all events."""
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
    """Check that each accepted write is stored once, and a refused one is not."""
    done = Counter(row for row in db.execute(_DONE) if MARK.fullmatch(row[1]))
    for write in writes:
        times = done.pop((write.kind, write.mark), 0)
        expected = {ACCEPTED: (1,), UNKNOWN: (0, 1)}.get(write.outcome, (0,))
        if times not in expected:
            yield f"{write} was done {times} times"
    written = {write.mark for write in writes}
    yield from (f"nobody asked for {mark}" for _, mark in done if mark not in written)


def _failures_without_cause(trace: list[str]) -> Iterator[str]:
    """Check that the server fails only after an injected fault, and readers see whole pages."""
    had_fault = False
    for line in trace:
        if line.startswith(PROCESS):
            had_fault = False
        elif FAULT in line:
            had_fault = True
        elif ("internal_api_error" in line and not had_fault) or ": wrong: " in line:
            yield line


def _lost_edits(db: sqlite3.Connection) -> Iterator[str]:
    """Check that each revision has all lines of its parent, since no write removes any."""
    lines: dict[int, set[str]] = {}
    parents: dict[int, int] = {}
    for revision, parent, text in db.execute(_TEXTS):
        lines[revision], parents[revision] = set(MARK.findall(text)), parent
    for revision, parent in parents.items():
        if lost := lines.get(parent, set()) - lines[revision]:
            yield f"revision {revision} has lost {sorted(lost)}"


def _missing_files(db: sqlite3.Connection, files: Path, writes: list[Write]) -> Iterator[str]:
    """Check that each accepted upload is listed, and each file version has its data."""
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
