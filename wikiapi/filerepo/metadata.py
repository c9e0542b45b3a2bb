"""Decodes the stored metadata of files, such as camera, frames and duration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wikiapi.store.phpvalues import BadPhpValue, loads

ERROR = "_error"
"""The key that the raw text is returned under if it cannot be decoded."""

_LONGEST = 2**53
"""The longest valid duration in seconds."""


def decode_metadata(stored: bytes | str | None) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values in a stored text, and the content addresses of those stored separately.

    The text is JSON of the form ``{"data": {...}, "blobs": {...}}``, or a serialised PHP array in
    older rows. Any other text is returned as the value of ``_error``, as in MediaWiki.
    """
    text = stored.decode("utf-8", "replace") if isinstance(stored, bytes) else stored or ""
    if not text:
        return {}, {}
    if text.startswith("{"):
        try:
            envelope = json.loads(text)
        except (ValueError, RecursionError):
            return {ERROR: text}, {}
        data, blobs = envelope.get("data"), envelope.get("blobs")
        return (
            data if isinstance(data, dict) else {},
            {str(k): str(v) for k, v in blobs.items()} if isinstance(blobs, dict) else {},
        )
    try:
        value = loads(text)
    except BadPhpValue:
        return {ERROR: text}, {}
    if isinstance(value, list):
        value = dict(enumerate(value))
    return (value if isinstance(value, dict) else {ERROR: text}), {}


def decode_blob(text: str) -> Any:
    """Return a value that is stored separately, from its JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def pairs(value: Any) -> list[tuple[str | int, Any]]:
    """Return the items of a metadata value; PHP has one type for lists and mappings."""
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def seconds(metadata: Mapping[str, Any]) -> float:
    """Return the duration of a file in seconds; 0 for still pictures and invalid values."""
    duration = metadata.get("duration")
    if isinstance(duration, bool) or not isinstance(duration, int | float):
        return 0.0
    return float(duration) if abs(duration) <= _LONGEST else 0.0
