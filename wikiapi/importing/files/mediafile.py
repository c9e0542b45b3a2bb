"""Reads the columns of the image tables that come from the file itself."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from wikiapi.filerepo.sha1 import sha1_of_file
from wikiapi.workers.pool import JobFailed, Limits, WorkerPool, WorkerUnavailable

__all__ = ["BadMedia", "MediaFacts", "image_row", "read_media"]

LARGEST_FILE = 1 << 32
_UNKNOWN = "application/octet-stream"
_SECONDS = 30.0
"""The processor time that reading a picture may take."""
_MEMORY = 512 * 1024 * 1024
_PATIENCE = 300.0

workers: Final = WorkerPool(
    Path(__file__).with_name("picturefile.py"), Limits(_SECONDS, _MEMORY), most_idle=1
)
"""Processes that read pictures, since a hostile file can cost much time and memory."""


class BadMedia(Exception):
    """The file must not be imported; the text says why."""


@dataclass(frozen=True, slots=True)
class MediaFacts:
    """The columns of the image tables that come from the file. ``sha1`` is in base 36."""

    size: int
    width: int
    height: int
    bits: int
    mime: str
    media_type: str
    sha1: str
    metadata: dict[str, Any]


def read_media(path: Path) -> MediaFacts:
    """Return the facts about a file.

    Raises:
        BadMedia: the file is too large, damaged, unsafe, or not the kind of picture that its name
            says.
        OSError: the file cannot be read.
    """
    size = path.stat().st_size
    if size > LARGEST_FILE:
        raise BadMedia(f"larger than {LARGEST_FILE} bytes")
    mime = mimetypes.guess_type(path.name)[0] or _UNKNOWN
    facts: Mapping[str, Any] = _picture_facts(path) if mime.startswith("image/") else {}
    mime = facts.get("mime", mime)
    return MediaFacts(
        size,
        facts.get("width", 0),
        facts.get("height", 0),
        facts.get("bits", 0),
        mime,
        media_type(mime),
        sha1_of_file(path),
        facts.get("metadata", {}),
    )


def image_row(
    name: str, facts: MediaFacts, comment: int, actor: int, timestamp: str
) -> tuple[Any, ...]:
    """Return a row of the table ``image``; ``comment`` and ``actor`` are ids."""
    major, _, minor = facts.mime.partition("/")
    metadata = json.dumps({"data": facts.metadata or []}, ensure_ascii=False, separators=(",", ":"))
    return (
        *(name, facts.size, facts.width, facts.height, metadata.encode(), facts.bits),
        *(facts.media_type, major, minor, comment, actor, timestamp, facts.sha1),
    )


def _picture_facts(path: Path) -> Mapping[str, Any]:
    """Return the facts about a picture, see :func:`wikiapi.importing.files.picturefile.work`."""
    # A file that cannot be opened raises OSError, not BadMedia.
    with path.open("rb"):
        pass
    try:
        facts: Mapping[str, Any] = workers.run(str(path.absolute()), _PATIENCE).result
    except JobFailed as error:
        raise BadMedia(f"it cannot be read: {error}") from error
    except WorkerUnavailable as error:
        raise OSError(f"no process to read pictures is running: {error}") from error
    if "refused" in facts:
        raise BadMedia(facts["refused"])
    return facts


_BY_MIME = {
    "image/svg+xml": "DRAWING",
    "image/x-xcf": "BITMAP",
    "image/vnd.djvu": "BITMAP",
    "application/ogg": "MULTIMEDIA",
    "application/pdf": "OFFICE",
    "application/json": "TEXT",
    "application/javascript": "EXECUTABLE",
    "application/zip": "ARCHIVE",
    "application/gzip": "ARCHIVE",
    "application/x-7z-compressed": "ARCHIVE",
}
_BY_MAJOR = {"image": "BITMAP", "audio": "AUDIO", "video": "VIDEO", "text": "TEXT"}


def media_type(mime: str) -> str:
    """Return the value of ``img_media_type`` for a MIME type, ``UNKNOWN`` for an unknown one."""
    return _BY_MIME.get(mime) or _BY_MAJOR.get(mime.partition("/")[0], "UNKNOWN")
