"""Where files lie below an upload folder: hashed folders, archives, thumbnails.

The layout is MediaWiki's: ``a/ab/Name.png`` by the MD5 of the name, earlier versions under
``archive/``, thumbnails in a folder per file named after its name.
"""

from __future__ import annotations

import hashlib
from urllib.parse import quote

# Two names for one format; the second is what MediaWiki calls it.
_SAME_EXTENSION = {"htm": "html", "jpeg": "jpg", "mpeg": "mpg", "tiff": "tif", "ogv": "ogg"}


def hash_path(name: str, levels: int) -> str:
    """Return the folders of a file, each with a slash at its end: ``a/ab/`` for two levels."""
    digest = hashlib.md5(name.encode("utf-8"), usedforsecurity=False).hexdigest()
    return "".join(f"{digest[:level]}/" for level in range(1, levels + 1))


def file_path(name: str, levels: int, archive_name: str = "") -> str:
    """Return the path of a file, or of its earlier version, quoted for a URL."""
    if archive_name:
        return f"archive/{hash_path(name, levels)}{quote(archive_name, safe='')}"
    return hash_path(name, levels) + quote(name, safe="")


def extension(name: str) -> str:
    """Return the lower-case extension of a name, in MediaWiki's normal form."""
    stem, _, after = name.rpartition(".")
    found = after.lower() if stem else ""
    return _SAME_EXTENSION.get(found, found)


def expand(url: str, server: str) -> str:
    """Return a full URL of an address that may lack scheme or server."""
    if url.startswith("//"):
        return f"{server.partition('//')[0]}{url}"
    return server + url if url.startswith("/") else url
