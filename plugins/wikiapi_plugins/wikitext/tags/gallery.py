"""``<gallery>``: pictures in boxes, one for each line of the tag."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from wikiapi.title import FILE
from wikiapi.wikitext import (
    ExtensionTag,
    ParseState,
    TagCall,
    checked_attributes,
    encode_attributes,
    parse_fragment,
)
from wikiapi.wikitext.media.options import read_width
from wikiapi_plugins.wikitext.tags.gallery_box import (
    MODES,
    STYLES,
    TRADITIONAL,
    GalleryBox,
    GalleryLayout,
    GalleryLine,
    GalleryMode,
)

DEFAULT_SIZE = 120
"""The default for the largest width and height of a picture, in pixels."""
_COUNT = re.compile(r"\s*\+?([0-9]{1,15})", re.ASCII)


def gallery(call: TagCall) -> str:
    """Return a list of boxes; lines with invalid titles are left out."""
    state, attributes = call.state, call.attributes
    mode = MODES.get(attributes.get("mode", "").lower(), TRADITIONAL)
    layout = GalleryLayout(
        mode,
        _size(attributes, "widths", state),
        _size(attributes, "heights", state),
        "showfilename" in attributes,
    )
    caption = _caption(attributes, state)
    boxes = "".join(
        [state.media.hold(box) for box in list(_boxes(call.inner or "", layout, state))]
    )
    _note_modules(mode, state)
    shown = encode_attributes(_list_attributes(attributes, layout))
    return f"<ul{shown}>{caption}{boxes}\n</ul>"


def _size(attributes: Mapping[str, str], name: str, state: ParseState) -> int:
    text = attributes.get(name, "")
    found = state.parser.media_words.find(text, ("img_width",))
    size = read_width(text if found is None else found.value or "", state.notices)
    return size.width or DEFAULT_SIZE


def _caption(attributes: Mapping[str, str], state: ParseState) -> str:
    """Return the parsed caption. It cannot use arguments of the template around the tag."""
    html = parse_fragment(attributes.get("caption", ""), state.expander.root_frame(), state)
    return f'\n\t<li class="gallerycaption">{html}</li>' if html not in ("", "0") else ""


def _boxes(text: str, layout: GalleryLayout, state: ParseState) -> Iterator[GalleryBox]:
    for source in text.split("\n"):
        name, _, rest = source.partition("|")
        if not name:
            continue
        if "%" in source:
            name = unquote(name, errors="replace")
        title = state.site.titles.try_parse(name, FILE)
        if title is not None:
            html = parse_fragment(rest, state.expander.root_frame(), state)
            yield GalleryBox(title, GalleryLine.read(html, state), layout, state)


def _note_modules(mode: GalleryMode, state: ParseState) -> None:
    state.output.module_styles.setdefault(STYLES)
    if mode.module:
        state.output.modules.setdefault(mode.module)


def _list_attributes(attributes: Mapping[str, str], layout: GalleryLayout) -> dict[str, str]:
    mode = layout.mode
    found = checked_attributes(attributes, "ul")
    if mode.name == "slideshow" and "showthumbnails" in attributes:
        found["data-showthumbnails"] = "1"
    own = f"gallery mw-gallery-{mode.name}"
    found["class"] = f"{found['class']} {own}" if found.get("class") else own
    if (rows := _rows(attributes)) and mode.has_rows:
        widest = rows * (layout.width + mode.all_padding())
        found["style"] = f"max-width: {widest}px;{found.get('style', '')}"
    return found


def _rows(attributes: Mapping[str, str]) -> int:
    """Return the number of boxes in a row; 0 for as many as fit."""
    match = _COUNT.match(attributes.get("perrow", ""))
    return int(match[1]) if match else 0


DECLARATION = ExtensionTag("gallery", gallery)
