"""ImageMap: ``<imagemap>``, an image whose areas link to different pages."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from wikiapi.filerepo import File, Size, Thumbnail, ThumbRequest
from wikiapi.hookspecs import hookimpl
from wikiapi.languages import Plain
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.title import FILE, Title
from wikiapi.wikitext import (
    ExtensionTag,
    ParseState,
    TagCall,
    encode_attributes,
    error_element,
    finished_attributes,
    trim,
)
from wikiapi.wikitext.media import Image, MediaForm, MediaUse, PageFiles
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.imagemap.areas import Areas, Mistake, read_areas

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "ImageMap",
            description="Pictures with several links",
            tags=(DECLARATION,),
            messages=FOLDER / "messages",
            resources=lambda: read_modules(FOLDER / "resources"),
        ),
    )


def imagemap(call: TagCall) -> str:
    """Return the picture with its map, or an error message."""
    state = call.state
    try:
        lines = []
        for number, line in enumerate((call.inner or "").split("\n"), 1):
            stripped = trim(line)
            if stripped and not stripped.startswith("#"):
                lines.append((number, stripped))
        name, _, options = lines[0][1].partition("|") if lines else ("", "", "")
        title = state.site.titles.try_parse(name)
        if title is None or title.ns != FILE or title.interwiki:
            raise Mistake("imagemap_no_image")
        image = _image(call, title, options)
        state.links.close_batch()
        areas = read_areas(lines[1:], state)
        return state.media.hold(ImageWithMap(title, image, areas, state))
    except Mistake as mistake:
        text = state.messages.html(mistake.key, Plain(mistake.param))
        return _error_html(mistake, text, state)


def _error_html(mistake: Mistake, text: str, state: ParseState) -> str:
    if state.options.parsoid:
        params = [mistake.param] if mistake.param else []
        return error_element(mistake.key, params, text, **{"class": "error"})
    return f'<p class="error">{text}</p>'


def _image(call: TagCall, title: Title, options: str) -> Image:
    call.state.output.images.setdefault(title.dbkey)
    return Image(title, call.parse(options), call.state)


DECLARATION = ExtensionTag("imagemap", imagemap)


class ImageWithMap:
    """An image whose own link is replaced by the links of areas."""

    def __init__(self, title: Title, image: Image, areas: Areas, state: ParseState) -> None:
        """Wrap an image, to which the other methods delegate."""
        self._title = title
        self._image = image
        self._areas = areas
        self._state = state

    @property
    def titles(self) -> Sequence[Title]:
        """The titles of the image."""
        return self._image.titles

    @property
    def text(self) -> str:
        """The text of the image."""
        return self._image.text

    @property
    def use(self) -> MediaUse | None:
        """The use of the image."""
        return self._image.use

    def change_caption(self, change: Callable[[str], str]) -> None:
        """Change the caption of the image."""
        self._image.change_caption(change)

    def is_broken(self, files: PageFiles) -> bool:
        """Return whether the file does not exist."""
        return self._image.is_broken(files)

    def requests(self, files: PageFiles) -> Sequence[ThumbRequest]:
        """Return the sizes in which the image is needed."""
        return self._image.requests(files)

    def html(self, files: PageFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """Return the image with its areas, or an error message."""
        html = self._image.html(files, thumbnails)
        file, thumbnail = files.file(self._title), thumbnails[0] if thumbnails else None
        state = self._state
        mapped = None
        if file and thumbnail and file.current.dimensions.width:
            drawn = DrawnMap(self._areas, file, thumbnail.size, state)
            mapped = _WRITERS[state.media_form](html, drawn)
        if mapped is None:
            mistake = Mistake("imagemap_invalid_image")
            return _error_html(mistake, state.messages.html(mistake.key), state)
        state.output.module_styles.setdefault("ext.imagemap.styles")
        return mapped


_NONE = "none"
"""The position of a description that is not shown."""


@dataclass(slots=True)
class DrawnMap:
    """The areas of a file that is shown in a size."""

    areas: Areas
    file: File
    size: Size
    state: ParseState

    @property
    def resource(self) -> str:
        """The path of the page of the file."""
        return self.state.site.page_path(self.file.title)

    def usemap(self) -> dict[str, str]:
        """Return the attribute that leads from a picture to the map; empty without areas."""
        return {"usemap": f"#{self._name()}"} if self.areas.clickable else {}

    def html(self) -> str:
        """Return the ``map`` element; empty without areas."""
        inside = "".join(f"<area{one} />" for one in self._drawn())
        return f'<map name="{self._name()}">{inside}</map>' if inside else ""

    def linked(self, image: str, otherwise: str) -> str:
        """Return a picture within the link of the rest of its area, if there is one."""
        default = self.areas.default
        if default is None:
            return otherwise
        has_tip = default.title and not (self.state.options.parsoid and default.is_named_by_url)
        tip = {"title": default.title} if has_tip else {}
        return f"<a{finished_attributes({**default.attributes, **tip})}>{image}</a>"

    def _drawn(self) -> list[str]:
        scale = self.size.width / self.file.current.dimensions.width
        elements = []
        for area in self.areas.clickable:
            # Halves are rounded away from zero.
            coords = (int(math.copysign(abs(one * scale) + 0.5, one)) for one in area.coords)
            shape = {"shape": area.shape, "coords": ",".join(map(str, coords))}
            named = {"alt": area.title, "title": area.title} if area.title else {}
            elements.append(finished_attributes({**area.attributes, **shape, **named}))
        return elements

    def _name(self) -> str:
        # As in MediaWiki, the name is a hash of the areas, so that different maps do not share one.
        data = "".join(f"<area{one}>\n" for one in self._drawn()).encode()
        return f"ImageMap_{hashlib.md5(data, usedforsecurity=False).hexdigest()[:16]}"


# Figures

_MEDIA = re.compile(r"<(a|span)\b([^<>]*+)><img\b([^<>]*?) /></\1>")
_TIP = re.compile(r' title="([^"]*)"')
_WRAPPER = re.compile(
    r'<(?:figure|span)((?: (?!class=|typeof=)[^ =>]+="[^"]*"|'
    r' class="([^"]*)"| typeof="([^"]*)")*)>'
)
_CAPTION = re.compile(r"<figcaption>.*\Z", re.DOTALL)
_RESOURCE = re.compile(r' resource="[^"]*"')


def figure_with_map(html: str, drawn: DrawnMap) -> str | None:
    """Return a figure with an image and its areas; ``None`` if there is no image."""
    media, wrapper = _MEDIA.search(html), _WRAPPER.match(html)
    if not (media and wrapper):
        return None
    caption = _CAPTION.search(html[media.end() :])
    tip = _TIP.search(media[2])
    # An inline image has a tooltip instead of a caption, and that is escaped already.
    end = caption[0] if caption else f"<figcaption>{tip[1] if tip else ''}</figcaption></figure>"
    own = drawn.usemap()
    if drawn.areas.desc != _NONE:
        own["resource"] = drawn.resource
    image = f"<img{_RESOURCE.sub('', media[3])}{finished_attributes(own)} />"
    unlinked = f"<span{media[2]}>{image}</span>" if media[1] == "span" else f"<span>{image}</span>"
    kind = wrapper[3] or ""
    classes = [*(wrapper[2] or "").split(), "noresize"]
    if kind != "mw:File/Thumb" and drawn.areas.desc != _NONE:
        classes.append(f"mw-ext-imagemap-desc-{drawn.areas.desc}")
    picture = drawn.linked(image, unlinked) + drawn.html()
    return f'<figure class="{" ".join(classes)}" typeof="{kind}">{picture}{end}'


# The form of MediaWiki before 1.41

_LINKED = re.compile(r"(?:<a\b[^<>]*+>)?<img\b([^<>]*?) />(?:</a>)?")
_MAGNIFY = 'class="magnify"'
_ICON_SIDE = 20
_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='20' height='20'%3E"
    "%3Ccircle cx='10' cy='10' r='9' fill='%23fff' stroke='%2336c' stroke-width='2'/%3E"
    "%3Cpath d='M10 9v6M10 5v2' stroke='%2336c' stroke-width='2'/%3E%3C/svg%3E"
)


def thumb_with_map(html: str, drawn: DrawnMap) -> str | None:
    """Return an image with its areas and a link to its page; ``None`` if there is no image."""
    media = _LINKED.search(html)
    if media is None:
        return None
    image = f"<img{media[1]}{finished_attributes(drawn.usemap())} />"
    area = drawn.html()
    picture = f"{drawn.linked(image, '')}{area}" if drawn.areas.default else f"{area}{image}"
    size, style = drawn.size, ""
    if drawn.areas.desc != _NONE and _MAGNIFY not in html:
        style = f' style="height: {size.height}px; width: {size.width}px; "'
        # An icon in a corner of the image leads to the page of the file.
        rows, _, columns = drawn.areas.desc.partition("-")
        left = drawn.size.width - _ICON_SIDE if columns == "right" else 0
        # The icon is below the image, from where it is moved up.
        up = _ICON_SIDE if rows == "bottom" else drawn.size.height - 1
        text = drawn.state.messages.text("imagemap_description")
        icon = {"alt": text, "src": _ICON, "style": "border: none;"}
        link = {"href": drawn.resource, "title": text}
        picture += (
            f'<div style="margin-left: {left}px; margin-top: -{up}px; text-align: left;">'
            f"<a{encode_attributes(link)}><img{encode_attributes(icon)} /></a></div>"
        )
    box = f'<div class="noresize"{style}>{picture}</div>'
    return html[: media.start()] + box + html[media.end() :]


_WRITERS: Mapping[MediaForm, Callable[[str, DrawnMap], str | None]] = MappingProxyType(
    {MediaForm.FIGURES: figure_with_map, MediaForm.THUMBS: thumb_with_map}
)
