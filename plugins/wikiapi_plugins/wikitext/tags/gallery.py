"""``<gallery>``: pictures in boxes, one for each line of the tag."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from urllib.parse import unquote

from wikiapi.filerepo import Thumbnail, ThumbRequest
from wikiapi.title import FILE, Title
from wikiapi.wikitext import (
    ParseState,
    TagCall,
    checked_attributes,
    encode_attributes,
    parse_fragment,
)
from wikiapi.wikitext.media import (
    MediaForm,
    MediaUse,
    PageFiles,
    RequestedSize,
    is_vector,
    read_width,
)
from wikiapi_plugins.wikitext.tags import gallery_figures, gallery_thumbs
from wikiapi_plugins.wikitext.tags.gallery_lines import GalleryLine, ShownBox
from wikiapi_plugins.wikitext.tags.gallery_modes import (
    MODES,
    STYLES,
    GalleryLayout,
)

_COUNT = re.compile(r"\s*([+-]?)([0-9]{1,15})", re.ASCII)


def gallery(call: TagCall) -> str:
    """Return a list of boxes; lines with invalid titles are left out."""
    state, attributes = call.state, call.attributes
    usual = state.site.config.gallery
    mode = MODES.get(attributes.get("mode", "").lower(), MODES[usual.mode])
    layout = GalleryLayout(
        mode,
        _size(attributes, "widths", state) or usual.image_width,
        _size(attributes, "heights", state) or usual.image_height,
        "showfilename" in attributes,
    )
    # The caption cannot use arguments of the template around the tag.
    html = parse_fragment(attributes.get("caption", ""), state.expander.root_frame(), state)
    indent = "\n" if state.options.parsoid else "\n\t"
    caption = f'{indent}<li class="gallerycaption">{html}</li>' if html not in ("", "0") else ""
    boxes = "".join(
        [state.media.hold(box) for box in list(_boxes(call.inner or "", layout, state))]
    )
    state.output.module_styles.setdefault(STYLES)
    if mode.module:
        state.output.modules.setdefault(mode.module)
    text = attributes.get("perrow", "")
    match = _COUNT.match(text)
    if not text or (match and match[1] == "-" and int(match[2])):
        rows = usual.images_per_row if mode.has_usual_rows else 0
    else:
        rows = int(match[2]) if match else 0
    written = encode_attributes(_list_attributes(attributes, layout, rows, state))
    if state.options.parsoid:
        # The lines and the caption can be read from the list.
        own = {name: value for name, value in attributes.items() if name != "caption"}
        written += encode_attributes({"data-mw": json.dumps({"attrs": own, "body": {}})})
    return f"<ul{written}>{caption}{boxes}\n</ul>"


def _size(attributes: Mapping[str, str], name: str, state: ParseState) -> int | None:
    """Return a length in pixels; ``None`` if it is not given or not valid."""
    text = attributes.get(name, "")
    word = state.parser.media_words.find(text, ("img_width",))
    size = read_width(text if word is None else word.value or "", state.notices)
    return size.width


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


def _list_attributes(
    attributes: Mapping[str, str], layout: GalleryLayout, rows: int, state: ParseState
) -> dict[str, str]:
    """Return the attributes of the list; ``rows`` is the number of boxes in a row."""
    mode = layout.mode
    allowed = checked_attributes(attributes, "ul", state.fragments)
    if mode.name == "slideshow" and "showthumbnails" in attributes:
        allowed["data-showthumbnails"] = "1"
    own = f"gallery mw-gallery-{mode.name}"
    if classes := allowed.get("class"):
        own = f"{own} {classes}" if state.options.parsoid else f"{classes} {own}"
    allowed["class"] = own
    if rows and mode.has_rows:
        widest = rows * (layout.width + mode.all_padding())
        between = " " if state.options.parsoid and "style" in allowed else ""
        allowed["style"] = f"max-width: {widest}px;{between}{allowed.get('style', '')}"
    return allowed


class GalleryBox:
    """A box, whose HTML is made when its file has been looked up."""

    def __init__(
        self, title: Title, line: GalleryLine, layout: GalleryLayout, state: ParseState
    ) -> None:
        """Create the box for a title, which may be in any namespace; only files can be shown."""
        self._title = title
        self._line = line
        self._layout = layout
        self._state = state
        self._size = RequestedSize(None, None, None)

    @property
    def titles(self) -> Sequence[Title]:
        """The file."""
        return (self._title,)

    @property
    def text(self) -> str:
        """The text below the picture."""
        return self._line.text_of_others

    @property
    def use(self) -> MediaUse | None:
        """The use of the file, without a size, since the gallery determines that."""
        return MediaUse(self._title, in_gallery=True)

    def change_caption(self, change: Callable[[str], str]) -> None:
        """Do nothing, since lines are parsed separately, including their URLs."""

    def is_broken(self, files: PageFiles) -> bool:
        """Return whether the file does not exist."""
        return files.file(self._title) is None

    def requests(self, files: PageFiles) -> Sequence[ThumbRequest]:
        """Return requests for the picture in all sizes that it needs."""
        layout = self._layout
        file = files.file(self._title)
        width, height = layout.mode.bounds(layout.width, layout.height)
        language = self._line.language if file and is_vector(file) else ""
        self._size = RequestedSize(file, width, height, language)
        return self._size.requests()

    def html(self, files: PageFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """Return the box as a list item."""
        file = files.file(self._title)
        text = self._line.text if file and is_vector(file) else self._line.text_of_others
        box = ShownBox(
            self._title,
            file,
            self._line,
            text,
            self._layout,
            self._size,
            thumbnails,
            bool(file and thumbnails and files.is_bad(file.title)),
            files,
            self._state,
        )
        return _WRITERS[self._state.media_form](box)


_WRITERS: Mapping[MediaForm, Callable[[ShownBox], str]] = MappingProxyType(
    {MediaForm.FIGURES: gallery_figures.box_html, MediaForm.THUMBS: gallery_thumbs.box_html}
)
