"""Thumbnails and the requests for them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from wikiapi.filerepo.scaling import Size, ThumbParams

if TYPE_CHECKING:
    from wikiapi.filerepo.file import File, FileVersion

ICON_SIZE = Size(120, 120)
"""The size of the icon shown for a file that cannot be shown as a picture."""

# The extensions that have their own icon in resources/assets/file-type-icons.
_ICONS = re.compile(
    r"(?:c|cpp|deb|djvu|dvi|exe|h|html|iso|jar|mov|mp3|o|ogg|pdf|ps|rm|rpm|tar|tex|ttf|txt|xcf)\Z"
)


class ThumbRequest(NamedTuple):
    """A request for a thumbnail of a version of a file."""

    file: File
    version: FileVersion
    params: ThumbParams


class Thumbnail(NamedTuple):
    """A picture of a file.

    ``url`` is a full URL or a path on this server; ``size`` is the size at which to show it. If
    ``is_original`` is true, the picture is the file itself.
    """

    url: str
    size: Size
    is_original: bool = False
    mime: str = ""


def icon(extension: str, script_path: str) -> Thumbnail:
    """Return the icon for a file that cannot be shown as a picture."""
    name = f"fileicon-{extension}.png" if _ICONS.match(extension) else "fileicon.png"
    url = f"{script_path}/resources/assets/file-type-icons/{name}"
    return Thumbnail(url, ICON_SIZE, mime="image/png")


def enlarged(params: ThumbParams, percent: int) -> ThumbParams:
    """Return the parameters for a screen of higher density, such as 150 or 200 per cent."""
    return replace(
        params,
        width=None if params.width is None else _enlarged(params.width, percent),
        height=None if params.height is None else _enlarged(params.height, percent),
    )


def _enlarged(pixels: int, percent: int) -> int:
    return (pixels * percent + 50) // 100
