"""Checks the content of an upload before anything is made of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wikiapi.api import Arr
from wikiapi.dump.files.mediafile import BadMedia, MediaFacts, read_media
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain
from wikiapi.site import Site
from wikiapi_plugins.editing.files import filetypes
from wikiapi_plugins.editing.files.svgcheck import HostileSvg, check_svg


@dataclass(frozen=True, slots=True)
class Verified:
    """A file that may be published under its name."""

    path: Path
    facts: MediaFacts


def check_size(site: Site, size: int) -> None:
    """Refuse empty and too large files.

    Raises:
        ApiError: ``empty-file`` or ``file-too-large``.
    """
    if not size:
        raise ApiError.of("empty-file", "empty-file")
    most = site.config.editing.upload_bytes
    if size > most:
        raise ApiError.of("file-too-large", "file-too-large", most)


def check_part(path: Path, mime: str, extension: str) -> None:
    """Refuse content that is dangerous, even if more of it is to come.

    Raises:
        ApiError: ``verification-error``.
    """
    if mime in filetypes.BANNED:
        raise refusal("filetype-badmime", mime)
    if filetypes.has_script(path, filetypes.SVG if extension == "svg" else mime):
        raise refusal("uploadscripted")


def verify(path: Path, mime: str, extension: str) -> Verified:
    """Return the facts about a file, whose name ends with its extension.

    Args:
        path: the file.
        mime: its type by its content.
        extension: that of the name it is to get.

    Raises:
        ApiError: ``verification-error``.
    """
    check_part(path, mime, extension.lower())
    if extension and not filetypes.fits(mime, f"x.{extension}"):
        raise refusal("filetype-mime-mismatch", extension, mime)
    if mime == filetypes.SVG or extension.lower() == "svg":
        try:
            check_svg(path)
        except HostileSvg as error:
            raise refusal(*error.args) from error
    try:
        return Verified(path, read_media(path))
    except BadMedia as error:
        raise refusal("upload-unreadable", str(error)) from error


def refusal(key: str, *params: str) -> ApiError:
    """Return the error of a file whose content is refused, with the reason in its details."""
    message = Message(key, tuple(Plain(param) for param in params))
    return ApiError(message, "verification-error", {"details": Arr((key, *params), "detail")})
