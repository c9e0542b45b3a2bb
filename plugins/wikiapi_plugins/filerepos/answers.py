"""Parsing of another wiki's answers about files; nothing in them is trusted."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

from wikiapi.api import moment_of
from wikiapi.filerepo import FileVersion, Size, Uploader, from_hex
from wikiapi.timestamps import is_real

PREFIX = "File:"
"""The canonical name of the file namespace, which every wiki knows."""

BATCH = 50
"""How many titles an anonymous user may name in one request."""

_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z\Z", re.ASCII)
_MIME = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,90}\Z", re.ASCII)
_WORD = re.compile(r"[A-Z0-9]{1,20}\Z", re.ASCII)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LARGEST = 2**53
_LONGEST_TEXT = 65_536
_DEEPEST = 20
_NEVER = "19700101000000"
_YEARS = range(1970, 9999)
"""Accepted years of uploads. In 9999, a conversion to another time zone could overflow."""


def file_titles(names: Iterable[str]) -> dict[str, str]:
    """Return a mapping from titles on the other wiki to the file names."""
    return {PREFIX + name.replace("_", " "): name for name in names}


def batches(names: list[str]) -> Iterator[list[str]]:
    """Yield the names in batches, each for one request."""
    for start in range(0, len(names), BATCH):
        yield names[start : start + BATCH]


def current_versions(query: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the title and the current version of each page that has a file."""
    for page in objects(query.get("pages")):
        for info in objects(page.get("imageinfo"))[:1]:
            yield text(page, "title"), info


def text(info: Mapping[str, Any], name: str) -> str:
    """Return a member that is a string, with control characters replaced; else an empty string."""
    value = info.get(name)
    return _CONTROLS.sub("\ufffd", value[:_LONGEST_TEXT]) if isinstance(value, str) else ""


def number(info: Mapping[str, Any], name: str) -> int:
    """Return a member that is a non-negative integer; else 0."""
    value = info.get(name)
    return value if type(value) is int and 0 <= value <= _LARGEST else 0


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects in a list; an empty list if ``value`` is not a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def address(info: Mapping[str, Any], name: str, base: str) -> str:
    """Return a member that is an http or https URL, made absolute; else an empty string."""
    value = text(info, name)
    if not value:
        return ""
    try:
        url = urljoin(base, value)
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and parts.hostname else ""


def version(info: Mapping[str, Any], repository: str, base: str) -> FileVersion:
    """Return the file version that an item of ``imageinfo`` or ``allimages`` describes."""
    mime, media_type = text(info, "mime"), text(info, "mediatype")
    name = text(info, "user")
    return FileVersion(
        timestamp=_timestamp(text(info, "timestamp")),
        uploader=Uploader(f"{repository}>{name}") if name else None,
        comment=text(info, "comment"),
        size=number(info, "size"),
        dimensions=Size(number(info, "width"), number(info, "height")),
        bits=0,
        mime=mime if _MIME.match(mime) else "unknown/unknown",
        media_type=media_type if _WORD.match(media_type) else "UNKNOWN",
        sha1=from_hex(text(info, "sha1")),
        stored_metadata=_metadata(info.get("metadata"), 0),
        url=address(info, "url", base),
    )


def extended_metadata(info: Mapping[str, Any]) -> dict[str, Any]:
    """Return the extended metadata (``extmetadata``) that the other wiki reports."""
    value = info.get("extmetadata")
    entries = value.items() if isinstance(value, dict) else ()
    return {name: _simplified(entry, 1) for name, entry in entries if isinstance(entry, dict)}


def title_map(query: Mapping[str, Any], titles: Iterable[str]) -> dict[str, str]:
    """Return what each requested title became by normalisation and redirects."""
    steps: dict[str, str] = {}
    for name in ("normalized", "redirects"):
        for item in objects(query.get(name)):
            steps.setdefault(text(item, "from"), text(item, "to"))
    return {title: _follow(title, steps) for title in titles}


def _follow(title: str, steps: Mapping[str, str]) -> str:
    visited = {title}
    while (following := steps.get(title)) and following not in visited:
        visited.add(following)
        title = following
    return title


def _timestamp(value: str) -> str:
    match = _ISO.match(value)
    if match is None:
        return _NEVER
    digits = "".join(match.groups())
    # An impossible date would be read as a later one: 30 February as 2 March.
    if not is_real(digits):
        return _NEVER
    return digits if moment_of(digits).year in _YEARS else _NEVER


def _metadata(value: Any, depth: int) -> dict[Any, Any]:
    """Return a list of ``{name, value}`` as a mapping; in nested lists the names are numbers."""
    return {
        item["name"]: _metadata_value(item.get("value"), depth + 1)
        for item in objects(value)
        if type(_scalar(item.get("name"))) in (int, str)
    }


def _metadata_value(value: Any, depth: int) -> Any:
    if not isinstance(value, list):
        return _scalar(value)
    if depth > _DEEPEST:
        return None
    inner = _metadata(value, depth)
    is_list = all(name == index for index, name in enumerate(inner))
    return list(inner.values()) if is_list else inner


def _simplified(value: Any, depth: int) -> Any:
    """Return a nested value, with None for whatever is nested deeper than ``_DEEPEST``."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, dict):
        return {name: _simplified(inner, depth + 1) for name, inner in value.items()}
    if isinstance(value, list):
        return [_simplified(inner, depth + 1) for inner in value]
    return _scalar(value)


def _scalar(value: Any) -> str | float | bool | None:
    """Return a scalar; None for other values and for numbers that JSON clients cannot read."""
    if type(value) is int:
        return value if abs(value) <= _LARGEST else None
    if type(value) is float:
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | bool) else None
