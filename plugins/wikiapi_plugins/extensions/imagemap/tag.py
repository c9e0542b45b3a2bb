"""``<imagemap>``: a file on the first line, an area on each of the others."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator, Sequence

from wikiapi.filerepo import Thumbnail, ThumbRequest
from wikiapi.i18n import Plain
from wikiapi.title import FILE, Title
from wikiapi.wikitext import ExtensionTag, ParseState, TagCall
from wikiapi.wikitext.html.entities import finished_attributes
from wikiapi.wikitext.media.holders import FoundFiles, MediaUse
from wikiapi.wikitext.media.image import Image
from wikiapi.wikitext.syntax import trim
from wikiapi_plugins.extensions.imagemap.areas import Area, Areas, Mistake, read_areas


def imagemap(call: TagCall) -> str:
    """Return the picture with its map, or an error message."""
    state = call.state
    try:
        return _shown(call)
    except Mistake as mistake:
        text = state.messages.text(mistake.key, Plain(mistake.param))
        return f'<p class="error">{text}</p>'


def _shown(call: TagCall) -> str:
    state = call.state
    lines = list(_lines(call.inner or ""))
    name, _, options = lines[0][1].partition("|") if lines else ("", "", "")
    title = state.site.titles.try_parse(name)
    if title is None or title.ns != FILE or title.interwiki:
        raise Mistake("imagemap_no_image")
    image = _image(call, title, options)
    areas = read_areas(lines[1:], state)
    state.output.module_styles.setdefault("ext.imagemap.styles")
    return state.media.hold(ImageWithMap(title, image, areas, state))


def _image(call: TagCall, title: Title, options: str) -> Image:
    call.state.output.images.setdefault(title.dbkey)
    return Image(title, call.parse(options), call.state)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor comments, with their numbers."""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = trim(line)
        if stripped and not stripped.startswith("#"):
            yield number, stripped


DECLARATION = ExtensionTag("imagemap", imagemap)


_MEDIA = re.compile(r"<(a|span)\b([^<>]*+)><img\b([^<>]*?) /></\1>")
_TIP = re.compile(r' title="([^"]*)"')
_WRAPPER = re.compile(
    r'<(?:figure|span)((?: (?!class=|typeof=)[^ =>]+="[^"]*"|'
    r' class="([^"]*)"| typeof="([^"]*)")*)>'
)
_CAPTION = re.compile(r"<figcaption>.*\Z", re.DOTALL)
_RESOURCE = re.compile(r' resource="[^"]*"')


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

    def is_broken(self, found: FoundFiles) -> bool:
        """Return whether the file does not exist."""
        return self._image.is_broken(found)

    def requests(self, found: FoundFiles) -> Sequence[ThumbRequest]:
        """Return the sizes in which the image is needed."""
        return self._image.requests(found)

    def html(self, found: FoundFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """Return a figure with the image and its areas."""
        html = self._image.html(found, thumbnails)
        file, shown = found.file(self._title), thumbnails[0] if thumbnails else None
        media, wrapper = _MEDIA.search(html), _WRAPPER.match(html)
        if not (file and shown and media and wrapper and file.current.dimensions.width):
            text = self._state.messages.text("imagemap_invalid_image")
            return f'<p class="error">{text}</p>'
        caption = _CAPTION.search(html[media.end() :])
        tip = _TIP.search(media[2])
        # An inline image has a tooltip instead of a caption, and that is escaped already.
        end = (
            caption[0] if caption else f"<figcaption>{tip[1] if tip else ''}</figcaption></figure>"
        )
        scale = shown.size.width / file.current.dimensions.width
        picture = self._picture(media, scale, self._state.site.page_path(file.title))
        return f"<figure{self._figure(wrapper)}>{picture}{end}"

    def _figure(self, wrapper: re.Match[str]) -> str:
        kind = wrapper[3] or ""
        classes = [*(wrapper[2] or "").split(), "noresize"]
        if kind != "mw:File/Thumb" and self._areas.desc != "none":
            classes.append(f"mw-ext-imagemap-desc-{self._areas.desc}")
        return f' class="{" ".join(classes)}" typeof="{kind}"'

    def _picture(self, media: re.Match[str], scale: float, resource: str) -> str:
        areas = self._areas
        drawn = [_area(area, scale) for area in areas.shown]
        # As in MediaWiki, the name is a hash of the areas, so that different maps do not share one.
        data = "".join(f"<area{one}>\n" for one in drawn).encode()
        name = f"ImageMap_{hashlib.md5(data, usedforsecurity=False).hexdigest()[:16]}"
        own = {"usemap": f"#{name}"} if drawn else {}
        if areas.desc != "none":
            own["resource"] = resource
        html = f"<img{_RESOURCE.sub('', media[3])}{finished_attributes(own)} />"
        inside = "".join(f"<area{one} />" for one in drawn)
        unlinked = (
            f"<span{media[2]}>{html}</span>" if media[1] == "span" else f"<span>{html}</span>"
        )
        return (_linked(html, areas.default) if areas.default else unlinked) + (
            f'<map name="{name}">{inside}</map>' if drawn else ""
        )


def _linked(image: str, default: Area) -> str:
    tip = {"title": default.title} if default.title else {}
    return f"<a{finished_attributes({**default.attributes, **tip})}>{image}</a>"


def _area(area: Area, scale: float) -> str:
    # Halves are rounded away from zero.
    coords = (int(math.copysign(abs(one * scale) + 0.5, one)) for one in area.coords)
    shape = {"shape": area.shape, "coords": ",".join(map(str, coords))}
    named = {"alt": area.title, "title": area.title} if area.title else {}
    return finished_attributes({**area.attributes, **shape, **named})
