"""The paths of files in an upload folder.

The layout is MediaWiki's: the folders of ``a/ab/Name.png`` are digits of the MD5 of the name,
earlier versions are under ``archive/``, and the thumbnails of a file are in a folder with its name.
"""

from __future__ import annotations

import hashlib
from urllib.parse import quote

# Extensions with the same meaning; the second is MediaWiki's normal form.
_SAME_EXTENSION = {"htm": "html", "jpeg": "jpg", "mpeg": "mpg", "tiff": "tif", "ogv": "ogg"}


def hash_path(name: str, levels: int) -> str:
    """Return the hashed folders of a file with a slash after each: ``a/ab/`` for two levels."""
    digest = hashlib.md5(name.encode("utf-8"), usedforsecurity=False).hexdigest()
    return "".join(f"{digest[:level]}/" for level in range(1, levels + 1))


def file_path(name: str, levels: int, archive_name: str = "") -> str:
    """Return the path of a file, or of an earlier version of it, quoted for a URL."""
    if archive_name:
        return f"archive/{hash_path(name, levels)}{quote(archive_name, safe='')}"
    return hash_path(name, levels) + quote(name, safe="")


def extension(name: str) -> str:
    """Return the lower-case extension of a name, in MediaWiki's normal form."""
    stem, _, after = name.rpartition(".")
    lower = after.lower() if stem else ""
    return _SAME_EXTENSION.get(lower, lower)


def expand(url: str, server: str) -> str:
    """Return the full URL of an address that may lack the scheme or the server."""
    if url.startswith("//"):
        return f"{server.partition('//')[0]}{url}"
    return server + url if url.startswith("/") else url
