"""Icons for files that cannot be displayed, drawn when they are first requested."""

from __future__ import annotations

import io
import re
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from wikiapi.http import Reply
from wikiapi_plugins.web.replies import content_reply
from wikiapi_plugins.web.requests import WebRequest

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
