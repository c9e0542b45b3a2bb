"""Checking the content of an upload before it is stashed or published."""

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
    """A file whose content was checked against its extension, and the facts about it."""

    path: Path
    facts: MediaFacts


def check_size(site: Site, size: int) -> None:
    """Refuse files that are empty or too large.

    Raises:
        ApiError: ``empty-file`` or ``file-too-large``.
    """
    if not size:
        raise ApiError.of("empty-file", "empty-file")
    most = site.config.editing.upload_bytes
    if size > most:
        raise ApiError.of("file-too-large", "file-too-large", most)


def check_part(path: Path, mime: str, extension: str) -> None:
    """Refuse dangerous content. It is also used for single chunks of a file.

    Raises:
        ApiError: ``verification-error``.
    """
    if mime in filetypes.BANNED:
        raise refusal("filetype-badmime", mime)
    if filetypes.has_script(path, filetypes.SVG if extension == "svg" else mime):
        raise refusal("uploadscripted")


def verify(path: Path, mime: str, extension: str) -> Verified:
    """Check a file, and return the facts about it.

    Args:
        path: the file; its name must have the extension.
        mime: its MIME type, found from its content.
        extension: the extension under which it is to be published.

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
    """Return the error for refused content, with the reason in its ``details``."""
    message = Message(key, tuple(Plain(param) for param in params))
    return ApiError(message, "verification-error", {"details": Arr((key, *params), "detail")})
