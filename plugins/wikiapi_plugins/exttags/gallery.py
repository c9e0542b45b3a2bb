"""``<gallery>``: one image a line, in boxes of one size.

The modes traditional and nolines; others are laid out like traditional, as unknown ones are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from wikiapi.title.namespaces import FILE
from wikiapi.wikitext.declarations import ExtensionTag
from wikiapi.wikitext.html.attributes import checked_attributes, encode_attributes
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.inline.imageoptions import read_options
from wikiapi.wikitext.inline.images import boxed_image

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.call import TagCall

_LINE = re.compile(r"([^|]+)(?:\|(.*))?\Z", re.DOTALL)
_PIXELS = re.compile(r"[ ]*([0-9]{1,4})[ ]*(?:px)?[ ]*\Z", re.ASCII)
_DEFAULT = 120
_BOX_PADDING = 5
_BORDER = 8


@dataclass(frozen=True, slots=True)
class _Layout:
    """Sizes in pixels. ``padding`` lies between an image and the border of its box."""

    mode: str
    width: int
    height: int
    per_row: int
    padding: int
    shows_names: bool


def gallery(call: TagCall) -> str:
    """The list of boxes."""
    layout = _layout(call)
    items = "".join(_item(call, layout, title, text) for title, text in _images(call))
    attributes = checked_attributes(call.attributes, "ul")
    css = f"gallery mw-gallery-{layout.mode}"
    attributes["class"] = f"{css} {attributes['class']}" if "class" in attributes else css
    if layout.per_row:
        box = layout.width + layout.padding + _BOX_PADDING + _BORDER
        style = attributes.get("style", "")
        attributes["style"] = f"max-width: {box * layout.per_row}px;{style}"
    return f"<ul{encode_attributes(attributes)}>\n{_caption(call)}{items}</ul>"


def _caption(call: TagCall) -> str:
    caption = call.attributes.get("caption", "")
    return f'\t<li class="gallerycaption">{call.parse(caption)}</li>\n' if caption else ""


def _layout(call: TagCall) -> _Layout:
    nolines = call.attributes.get("mode", "").lower() == "nolines"
    return _Layout(
        "nolines" if nolines else "traditional",
        _pixels(call, "widths") or _DEFAULT,
        _pixels(call, "heights") or _DEFAULT,
        _pixels(call, "perrow"),
        0 if nolines else 30,
        "showfilename" in call.attributes,
    )


def _pixels(call: TagCall, name: str) -> int:
    match = _PIXELS.match(call.attributes.get(name, ""))
    return int(match[1]) if match else 0


def _images(call: TagCall) -> list[tuple[Title, str]]:
    found = []
    for line in (call.inner or "").split("\n"):
        match = _LINE.match(line)
        if not match or not match[1].strip():
            continue
        name = unquote(match[1]) if "%" in match[1] else match[1]
        title = call.site.titles.try_parse(name, FILE)
        if title and title.dbkey and not title.interwiki:
            found.append((title, match[2] or ""))
    call.state.load_files(title for title, _ in found if title.ns == FILE)
    return found


def _item(call: TagCall, layout: _Layout, title: Title, text: str) -> str:
    options = read_options(call.parse(text.strip()))
    options.format, options.align, options.border = "", "", ""
    options.width, options.height = layout.width, layout.height
    options.caption = options.caption.strip()
    image, exists = boxed_image(title, options, call.state)
    sizes = f"width: {layout.width + layout.padding}px;" if exists else ""
    if layout.padding:
        sizes = f"{sizes} height: {layout.height + layout.padding}px;".lstrip()
    name = _name(call, title) if layout.shows_names else ""
    width = layout.width + layout.padding + _BOX_PADDING
    return (
        f'\t\t<li class="gallerybox" style="width: {width}px">'
        f'\n\t\t\t<div class="thumb" style="{sizes}">{image}</div>'
        f'\n\t\t\t<div class="gallerytext">{name}{options.caption}</div>\n\t\t</li>\n'
    )


def _name(call: TagCall, title: Title) -> str:
    attributes = {
        "href": call.site.page_path(title),
        "class": "galleryfilename galleryfilename-truncate",
        "title": title.prefixed_text,
    }
    return f"<a{encode_attributes(attributes)}>{escape_text(title.text)}</a>\n"


DECLARATION = ExtensionTag("gallery", gallery)
