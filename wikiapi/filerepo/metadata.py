"""What is known of a file's content (camera, frames, duration), from the form it is stored in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wikiapi.store.phpvalues import BadPhpValue, loads

ERROR = "_error"
"""The key of the raw text where metadata cannot be read."""

_LONGEST = 2**53
"""Seconds; a longer duration is none."""


def decode_metadata(stored: bytes | str | None) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values of a stored text, and the content addresses of those stored elsewhere.

    JSON is ``{"data": {...}, "blobs": {...}}``, older rows have a serialised PHP array. A text that
    is neither is the value of ``_error``, as MediaWiki shows it.
    """
    text = stored.decode("utf-8", "replace") if isinstance(stored, bytes) else stored or ""
    if not text:
        return {}, {}
    if text.startswith("{"):
        return _from_json(text)
    try:
        value = loads(text)
    except BadPhpValue:
        return {ERROR: text}, {}
    if isinstance(value, list):
        value = dict(enumerate(value))
    return (value if isinstance(value, dict) else {ERROR: text}), {}


def _from_json(text: str) -> tuple[dict[str, Any], dict[str, str]]:
    try:
        envelope = json.loads(text)
    except (ValueError, RecursionError):
        return {ERROR: text}, {}
    data, blobs = envelope.get("data"), envelope.get("blobs")
    return (
        data if isinstance(data, dict) else {},
        {str(k): str(v) for k, v in blobs.items()} if isinstance(blobs, dict) else {},
    )


def decode_blob(text: str) -> Any:
    """Return a value that is stored separately, as JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def pairs(value: Any) -> list[tuple[str | int, Any]]:
    """Return the entries of a metadata value: PHP has one kind of array for lists and mappings."""
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def seconds(metadata: Mapping[str, Any]) -> float:
    """Return the duration of an animation or recording; 0 for still pictures and invalid values."""
    duration = metadata.get("duration")
    if isinstance(duration, bool) or not isinstance(duration, int | float):
        return 0.0
    return float(duration) if abs(duration) <= _LONGEST else 0.0
