"""Images with EXIF, IPTC and XMP data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wikiapi.filerepo.media.flatten import flatten
from wikiapi.filerepo.media.image import ImageHandler
from wikiapi.filerepo.metadata import ERROR

if TYPE_CHECKING:
    from collections.abc import Mapping

_VERSION_KEY = "MEDIAWIKI_EXIF_VERSION"
_LEADING_NUMBER = re.compile(r"\s*([0-9]{1,9})", re.ASCII)


class ExifHandler(ImageHandler):
    """A format whose metadata is a mapping of EXIF names; version 1 knew no lists in it."""

    def common_metadata(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """The mapping without its version; empty when the file could not be read."""
        if ERROR in metadata:
            return {}
        return {key: value for key, value in metadata.items() if key != _VERSION_KEY}

    def convert_metadata(self, metadata: Mapping[str, Any], version: str) -> Mapping[str, Any]:
        """Version 1 has texts in place of lists."""
        match = _LEADING_NUMBER.match(version)
        if not match or int(match[1]) != 1 or metadata.get(_VERSION_KEY) != 2:
            return metadata
        converted = {key: _flat(key, value) for key, value in metadata.items()}
        return converted | {_VERSION_KEY: 1}


def _flat(key: str, value: Any) -> Any:
    if key == "Software" and isinstance(value, list) and value and isinstance(value[0], list):
        name, *rest = (*value[0], "", "")
        return f"{name} (Version {rest[0]})" if rest[0] else str(name)
    return flatten(value) if isinstance(value, dict | list) else value
