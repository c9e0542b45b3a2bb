"""Answering requests for originals, thumbnails, and the icons of file types and the wiki."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from PIL import Image, ImageDraw, ImageFont
from werkzeug.exceptions import RequestedRangeNotSatisfiable
from werkzeug.utils import send_file

from wikiapi.errors import BudgetExceeded, StoreTimeout, StoreUnavailable
from wikiapi.http import Reply, WebRequest
from wikiapi.site import Site
from wikiapi_plugins.web.reader.addresses import Addresses
from wikiapi_plugins.web.reader.files.filelocator import FileLocator
from wikiapi_plugins.web.reader.files.thumbnails import Thumbnails
from wikiapi_plugins.web.reader.settings import Settings
from wikiapi_plugins.web.replies import content_policy, content_reply, redirect_reply, web_app

Answer = Reply | WSGIApplication

logger = logging.getLogger("wikiapi.reader")

_KEPT_SECONDS = 600
_TEXT = "text/plain; charset=utf-8"
_UNKNOWN = "application/octet-stream"
_SHOWN = ("image/", "audio/", "video/")
_SHOWN_TYPES = frozenset({"application/ogg"})
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    # An SVG file that is opened directly may have styles, but runs no scripts.
    "Content-Security-Policy": content_policy(
        style_src="'unsafe-inline'", img_src="'self' data:", media_src="'self'"
    )
    + "; sandbox",
}


class FileServer:
    """Serves the files of one wiki."""

    def __init__(
        self,
        site: Site,
        settings: Settings,
        addresses: Addresses,
        may_read: Callable[[WebRequest], bool],
    ) -> None:
        """Use the configured folders; on a private wiki, ``may_read`` decides about requests."""
        self._site = site
        self._may_read = may_read
        self._addresses = addresses
        self._is_private = site.config.permissions.is_private
        self._locator = FileLocator(site)
        self._thumbnails = Thumbnails(site, settings)

    def originals(self, mounted: str) -> WSGIApplication:
        """Return the application for paths below the upload folder."""
        return web_app(self._bounded(self._original), mounted)

    def thumbnails(self, mounted: str) -> WSGIApplication:
        """Return the application for paths below the folder of thumbnails."""
        return web_app(self._bounded(self._thumbnail), mounted)

    def _bounded(self, answer: Callable[[WebRequest], Answer]) -> Callable[[WebRequest], Answer]:
        """Check the access of each request, limit its time, and answer errors."""

        def bounded(request: WebRequest) -> Answer:
            if self._is_private and not self._may_read(request):
                return content_reply(b"This wiki is private.\n", _TEXT, status=403)
            try:
                with self._site.answering():
                    return answer(request)
            except (BudgetExceeded, StoreTimeout, StoreUnavailable) as error:
                logger.warning("%s: %s", ascii(request.path), error)
                return content_reply(b"The server is too busy now.\n", _TEXT, status=503)

        return bounded

    def _original(self, request: WebRequest) -> Answer:
        located = self._locator.find(request.path.removeprefix("/"))
        if located is None:
            return _nothing(request)
        return self._sent(located.path, located.version.mime, located.file.name)

    def _thumbnail(self, request: WebRequest) -> Answer:
        of_file, _, name = request.path.removeprefix("/").rpartition("/")
        located = self._locator.find(of_file)
        thumbnail = self._thumbnails.find(located, name) if located else None
        if thumbnail is None:
            return _nothing(request)
        if thumbnail.path is None:
            return redirect_reply(self._addresses.below(request.root, thumbnail.url))
        return self._sent(thumbnail.path, thumbnail.mime, name)

    def _sent(self, path: Path, mime: str, name: str) -> WSGIApplication:
        kept_by = "private" if self._is_private else "public"
        # Files other than images, audio and video are sent as attachments, because browsers could
        # otherwise open them as pages of this server.
        cache = f"{kept_by}, max-age={_KEPT_SECONDS}"
        is_shown = mime.startswith(_SHOWN) or mime in _SHOWN_TYPES

        def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            try:
                response = send_file(
                    path,
                    environ,
                    mimetype=mime if is_shown else _UNKNOWN,
                    as_attachment=not is_shown,
                    download_name=name,
                )
            except RequestedRangeNotSatisfiable as refused:
                return refused.get_response(environ)(environ, start_response)
            response.headers.update(_HEADERS | {"Cache-Control": cache})
            return response(environ, start_response)

        return app


def _nothing(_: WebRequest) -> Reply:
    return content_reply(b"There is no such file.\n", _TEXT, status=404)


_NAME = re.compile(r"/fileicon(?:-([a-z0-9]{1,4}))?\.png\Z", re.ASCII)
_KEPT = "public, max-age=86400"
_FAVICON_SIDE = 32
_GROUND, _LINES = (11, 90, 107), ((7, 9, 25, 9), (7, 16, 25, 16), (7, 23, 18, 23))
"""The colours and lines of ``static/icon.svg``."""
_PAPER, _EDGE, _INK = (248, 249, 250), (114, 119, 125), (64, 68, 74)
_OUTLINE = ((26, 10), (74, 10), (96, 32), (96, 110), (26, 110))
_FOLD = ((74, 10), (74, 32), (96, 32))


def answer_icon(request: WebRequest) -> Reply:
    """Return the icon with a name such as ``fileicon-pdf.png``."""
    match = _NAME.match(request.path)
    if match is None:
        text = b"There is nothing at this address.\n"
        return content_reply(text, "text/plain; charset=utf-8", status=404)
    return content_reply(icon(match[1] or ""), "image/png", cache=_KEPT)


def answer_favicon(_: object) -> Reply:
    """Return ``favicon.ico``, the icon of the wiki."""
    return content_reply(favicon(), "image/x-icon", cache=_KEPT)


@lru_cache(maxsize=1)
def favicon() -> bytes:
    """Return the icon of the reader in the ICO format."""
    side = _FAVICON_SIDE - 1
    picture = Image.new("RGBA", (_FAVICON_SIDE, _FAVICON_SIDE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((0, 0, side, side), 7, fill=_GROUND)
    for line in _LINES:
        draw.line(line, fill=(255, 255, 255), width=3)
    written = io.BytesIO()
    picture.save(written, "ICO", sizes=[(16, 16), (_FAVICON_SIDE, _FAVICON_SIDE)])
    return written.getvalue()


@lru_cache(maxsize=64)
def icon(extension: str) -> bytes:
    """Return a PNG image of a sheet of paper with a file extension, of 120 by 120 pixels."""
    picture = Image.new("RGBA", (120, 120), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    draw.polygon(_OUTLINE, fill=_PAPER, outline=_EDGE, width=2)
    draw.polygon(_FOLD, fill=_EDGE)
    font = ImageFont.load_default(22)
    draw.text((61, 76), extension.upper() or "?", fill=_INK, font=font, anchor="mm")
    written = io.BytesIO()
    picture.save(written, "PNG", optimize=True)
    return written.getvalue()
