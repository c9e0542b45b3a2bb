"""MediaWiki's media types: what sort of thing a file of a MIME type is."""

from __future__ import annotations

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
    """The value of ``img_media_type`` for a MIME type; ``UNKNOWN`` for one nobody told us of."""
    return _BY_MIME.get(mime) or _BY_MAJOR.get(mime.partition("/")[0], "UNKNOWN")
