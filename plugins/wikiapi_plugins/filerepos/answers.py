"""Reads another wiki's answers about files; nothing in them is trusted."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

from wikiapi.api import moment_of
from wikiapi.api.params.types.timestamp import is_real
from wikiapi.filerepo import FileVersion, Size, Uploader
from wikiapi.filerepo.sha1 import from_hex

PREFIX = "File:"
"""The canonical name of the file namespace, which every wiki knows."""

BATCH = 50
"""How many titles a request of an anonymous user may have."""

_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z\Z", re.ASCII)
_MIME = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,90}\Z", re.ASCII)
_WORD = re.compile(r"[A-Z0-9]{1,20}\Z", re.ASCII)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LARGEST = 2**53
_LONGEST_TEXT = 65_536
_DEEPEST = 20
_NEVER = "19700101000000"
_YEARS = range(1970, 9999)
"""Years in which a moment exists in every time zone and an upload is possible."""


def file_titles(names: Iterable[str]) -> dict[str, str]:
    """Return the names by their titles on the other wiki."""
    return {PREFIX + name.replace("_", " "): name for name in names}


def batches(names: list[str]) -> Iterator[list[str]]:
    """Yield the names in batches for one request each."""
    for start in range(0, len(names), BATCH):
        yield names[start : start + BATCH]


def current_versions(query: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the title and current version of each page that has one."""
    for page in objects(query.get("pages")):
        for info in objects(page.get("imageinfo"))[:1]:
            yield text(page, "title"), info


def text(info: Mapping[str, Any], name: str) -> str:
    """Return a member that is a text, without control characters; else an empty one."""
    value = info.get(name)
    return _CONTROLS.sub("\ufffd", value[:_LONGEST_TEXT]) if isinstance(value, str) else ""


def number(info: Mapping[str, Any], name: str) -> int:
    """Return a member that is a whole number from 0 up; else 0."""
    value = info.get(name)
    return value if type(value) is int and 0 <= value <= _LARGEST else 0


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list; none if it is not a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def address(info: Mapping[str, Any], name: str, base: str) -> str:
    """Return a member that is an http or https URL, made absolute; else an empty text."""
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
    return FileVersion(
        timestamp=_timestamp(text(info, "timestamp")),
        uploader=_uploader(text(info, "user"), repository),
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
    """Return the extended metadata that the other wiki has collected."""
    value = info.get("extmetadata")
    entries = value.items() if isinstance(value, dict) else ()
    return {name: _plain(entry, 1) for name, entry in entries if isinstance(entry, dict)}


def title_map(query: Mapping[str, Any], titles: Iterable[str]) -> dict[str, str]:
    """Return the titles that requested ones became by normalisation and redirects."""
    steps: dict[str, str] = {}
    for name in ("normalized", "redirects"):
        for item in objects(query.get(name)):
            steps.setdefault(text(item, "from"), text(item, "to"))
    return {title: _follow(title, steps) for title in titles}


def _follow(title: str, steps: Mapping[str, str]) -> str:
    seen = {title}
    while (following := steps.get(title)) and following not in seen:
        seen.add(following)
        title = following
    return title


def _timestamp(value: str) -> str:
    match = _ISO.match(value)
    if match is None:
        return _NEVER
    digits = "".join(match.groups())
    # An impossible time would be read as another one: the 30th of February as the 2nd of March.
    if not is_real(digits):
        return _NEVER
    return digits if moment_of(digits).year in _YEARS else _NEVER


def _uploader(name: str, repository: str) -> Uploader | None:
    return Uploader(f"{repository}>{name}") if name else None


def _metadata(value: Any, depth: int) -> dict[Any, Any]:
    """Return a list of ``{name, value}`` as a mapping; nested lists have numbers as names."""
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


def _plain(value: Any, depth: int) -> Any:
    """Return a nested value down to a sensible depth."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, dict):
        return {name: _plain(inner, depth + 1) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, depth + 1) for inner in value]
    return _scalar(value)


def _scalar(value: Any) -> str | float | bool | None:
    """Return a text or number; None for anything else and for numbers that clients cannot read."""
    return value if isinstance(value, str | bool) or _is_number(value) else None


def _is_number(value: Any) -> bool:
    if type(value) is int:
        return abs(value) <= _LARGEST
    return type(value) is float and math.isfinite(value)
