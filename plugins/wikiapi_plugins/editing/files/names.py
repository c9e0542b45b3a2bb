"""Finding the name under which an upload is published."""

from __future__ import annotations

import re
from typing import NamedTuple

from wikiapi.api import Arr
from wikiapi.errors import ApiError
from wikiapi.languages import Message, plain_list
from wikiapi.site import Site
from wikiapi.title import FILE, Title
from wikiapi.wikitext import byte_length

_MAX_BYTES = 240
"""Longest name in bytes: archive names put a timestamp before it, and have at most 255 bytes."""
_LEGAL = frozenset(
    " %!\"$&'()*,-.0123456789;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz~+"
)
_REFERENCE = re.compile(r"&[A-Za-z0-9\x80-\U0010ffff]++;")
"""Matches what is a character reference, or looks like one: it is illegal in the name of a file."""
_PROHIBITED = frozenset(
    (
        *("html", "htm", "xhtml", "xht", "shtml", "jhtml", "mhtml", "mht", "xml", "js", "jsb"),
        *("php", "phtml", "php3", "php4", "php5", "phps", "phar", "pl", "py", "cgi"),
        *("exe", "scr", "dll", "msi", "vbs", "bat", "com", "pif", "cmd", "vxd", "cpl"),
    )
)
"""Extensions that nobody may upload, at any position in a name with several."""
_EXTENSIONS = {
    "image/png": "png",
    "image/gif": "gif",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/tiff": "tif",
    "image/svg+xml": "svg",
    "application/pdf": "pdf",
    "application/ogg": "ogg",
    "video/webm": "webm",
    "text/plain": "txt",
}
"""Extensions for names that have none, by MIME type."""


class Destination(NamedTuple):
    """The name of an upload, or the ``problem`` with it, in which case there may be no title."""

    desired: str
    title: Title | None
    extension: str
    problem: ApiError | None = None


def destination(site: Site, desired: str, mime: str) -> Destination:
    """Return the name under which a file is published whose uploader called it ``desired``.

    Illegal characters, and those that separate folders, are replaced by hyphens, and a name without
    an extension gets the one of the MIME type.
    """
    parsed = site.titles.try_parse(desired)
    name = parsed.dbkey if parsed and parsed.ns == FILE and not parsed.interwiki else desired
    if byte_length(name) > _MAX_BYTES:
        return Destination(desired, None, "", ApiError("filename-toolong", "filename-toolong"))
    name = "".join(char if char in _LEGAL or char >= "\x80" else "-" for char in name)
    title = None if _REFERENCE.search(name) else _file_title(site, name)
    if title is None:
        illegal = ApiError("illegal-filename", "illegal-filename", name, data={"filename": name})
        return Destination(desired, None, "", illegal)
    first, *extensions = title.dbkey.split(".")
    if not extensions and (guessed := _EXTENSIONS.get(mime)):
        title = _file_title(site, f"{title.dbkey}.{guessed}") or title
        extensions = [guessed]
    extension = extensions[-1].strip() if extensions else ""
    stem = ".".join([first, *extensions[:-1]])
    problem = _problem(site, stem, extensions, extension)
    return Destination(desired, title, extension, problem)


def _problem(site: Site, stem: str, extensions: list[str], extension: str) -> ApiError | None:
    if not extension:
        return ApiError("filetype-missing", "filetype-missing")
    allowed = tuple(dict.fromkeys(site.config.editing.upload_types))
    prohibited = [one for one in extensions if one.lower() in _PROHIBITED]
    if prohibited or extension.lower() not in allowed:
        data: dict[str, object] = {"filetype": extension, "allowed": Arr(allowed, "ext")}
        if prohibited:
            data["blacklisted"] = Arr(prohibited, "ext")
        refused = plain_list(prohibited or [extension], "comma")
        message = Message(
            "filetype-banned-type",
            (refused, plain_list(allowed, "comma"), len(allowed), len(prohibited) or 1),
        )
        return ApiError("filetype-banned", message, data=data)
    if not stem:
        return ApiError("filename-tooshort", "filename-tooshort")
    if stem.startswith("."):
        name = f"{stem}.{extension}"
        return ApiError("illegal-filename", "illegal-filename", name, data={"filename": name})
    return None


def _file_title(site: Site, name: str) -> Title | None:
    """Return the title of the file with a name; ``None`` if no file can have that name."""
    title = site.titles.try_parse(f"File:{name}")
    if title is None or title.ns != FILE or title.interwiki or title.fragment or not title.dbkey:
        return None
    return title if title.dbkey.isprintable() else None
