"""Extended metadata: what several sources say of a file, each value with its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.types.timestamp import iso

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.filerepo.file import File, FileVersion

_SOURCE = "mediawiki-metadata"


def extended_metadata(file: File, version: FileVersion) -> Mapping[str, Any]:
    """The extended metadata of a version: its moment, and a name made of the title.

    That is what MediaWiki knows without extensions. A foreign repository has put its own together,
    and that is taken as it is.
    """
    if file.extended_metadata is not None:
        return file.extended_metadata
    text = file.title.text
    stem, _, _ = text.rpartition(".")
    return {
        "DateTime": {"value": iso(version.timestamp), "source": _SOURCE, "hidden": ""},
        "ObjectName": {"value": stem or text, "source": _SOURCE},
    }
