"""Images: ``[[File:name|options|caption]]`` as MediaWiki 1.45 marks them up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.filerepo.scaling import ThumbParams
from wikiapi.filerepo.thumbnail import ThumbRequest, enlarged
from wikiapi.site import quote_title
from wikiapi.title.namespaces import FILE
from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.html.entities import decode_references, escape_text
from wikiapi.wikitext.inline.externallinks import clean_url, note_external_link
from wikiapi.wikitext.inline.imageoptions import ImageOptions, read_options
from wikiapi.wikitext.inline.quotes import line_quotes
from wikiapi.wikitext.protocols import URL_START

if TYPE_CHECKING:
    from wikiapi.filerepo.file import File
    from wikiapi.filerepo.thumbnail import Thumbnail
    from wikiapi.title.title import Title
    from wikiapi.wikitext.state import ParseState

DEFAULT_THUMB = 300
"""Width of a thumbnail whose size is not given, in pixels."""
_DENSITIES = ((150, "1.5x"), (200, "2x"))
_TAGS = re.compile(r"<[^<>]*>")
_TYPES = {"thumb": "mw:File/Thumb", "frame": "mw:File/Frame", "frameless": "mw:File/Frameless"}
_UPRIGHT_STEP = 10


def image(title: Title, text: str, state: ParseState) -> str:
    """The HTML of an image, or of what stands in for one that does not exist."""
    state.output.images.setdefault(title.dbkey)
    file = state.file(title)
    options = read_options(text, has_languages=bool(file and file.current.mime == "image/svg+xml"))
    options.caption = options.caption.replace("\n", " ").strip()
    if options.link:
        options.link = plain_text(options.link, state)
    link = _Link(options, title if file is None else file.title, state)
    if file is None:
        state.add_tracking_category("broken-file-category")
        return _wrapped(_missing(title, options, state), options, "mw:Error ")
    shown = _thumbnail(file, options, state)
    if shown is None:
        return _wrapped(link.around(_broken(options)), options, "mw:Error ")
    picture = _picture(shown, _densities(file, options, shown, state), options, link, state)
    return _wrapped(link.around(picture), options, "")


def boxed_image(title: Title, options: ImageOptions, state: ParseState) -> tuple[str, bool]:
    """An image fitted into the width and height of its options, and whether there is one.

    What galleries are made of: the caption is a tooltip, never shown.
    """
    state.output.images.setdefault(title.dbkey)
    file = state.file(title) if title.ns == FILE else None
    shown = _scaled(file, _params(file, options), state) if file else None
    if file is None or shown is None:
        state.add_tracking_category("broken-file-category")
        html = f'<span typeof="mw:Error mw:File">{_missing(title, options, state)}</span>'
        return html, False
    link = _Link(options, file.title, state)
    picture = _picture(shown, _densities(file, options, shown, state), options, link, state)
    return f'<span typeof="mw:File">{link.around(picture)}</span>', True


def plain_text(html: str, state: ParseState) -> str:
    """HTML or wikitext as the text of an attribute."""
    text = state.strip.unstrip_both(state.holders.replace_text(line_quotes(html)))
    return decode_references(_TAGS.sub("", text)).strip()


class _Link:
    """Where an image leads."""

    def __init__(self, options: ImageOptions, title: Title, state: ParseState) -> None:
        self._options = options
        self._state = state
        self._file = title
        self.is_own = options.link is None and not options.manual_thumb
        self._attributes = self._found()

    def _found(self) -> dict[str, str] | None:
        link = self._options.link
        tip = self._tip()
        if link is None:
            path = self._state.site.page_path(self._file)
            if self._options.manual_thumb:
                return {"href": path, "title": self._file.prefixed_text}
            return {"href": path, "class": "mw-file-description", **tip}
        if not link:
            return None
        if URL_START.match(link):
            url = clean_url(link)
            note_external_link(url, self._state)
            return {"href": decode_references(url), **tip, "rel": "nofollow"}
        return self._to_page(link, tip)

    def _to_page(self, link: str, tip: dict[str, str]) -> dict[str, str] | None:
        title = self._state.site.titles.try_parse(link)
        if title is None:
            self.is_own = True
            path = self._state.site.page_path(self._file)
            return {"href": path, "class": "mw-file-description", **tip}
        if not title.interwiki:
            self._state.add_link(title)
        tip = tip or {"title": title.prefixed_text}
        return {"href": self._state.site.page_path(title), **tip}

    def _tip(self) -> dict[str, str]:
        if self._options.has_frame or not self._options.caption:
            return {}
        return {"title": plain_text(self._options.caption, self._state)}

    def around(self, html: str) -> str:
        """The HTML within the link."""
        if self._attributes is None:
            attributes = encode_attributes(self._tip())
            return f"<span{attributes}>{html}</span>"
        return f"<a{encode_attributes(self._attributes)}>{html}</a>"

    @property
    def resource(self) -> dict[str, str]:
        """Names the file on an image with a frame that leads elsewhere."""
        if self.is_own or not self._options.has_frame:
            return {}
        return {"resource": self._state.site.page_path(self._file)}


def _wrapped(html: str, options: ImageOptions, error: str) -> str:
    classes = []
    sized = options.width or options.height or options.format == "frame" or options.manual_thumb
    if not sized:
        classes.append("mw-default-size")
    if options.align:
        classes.append(f"mw-halign-{options.align}")
    if options.valign and not options.is_block:
        classes.append(f"mw-valign-{options.valign}")
    if options.border and not options.has_frame:
        classes.append("mw-image-border")
    if options.css:
        classes.append(options.css)
    attributes = {"class": " ".join(classes)} if classes else {}
    attributes["typeof"] = error + _TYPES.get(options.format, "mw:File")
    if not options.is_block:
        return f"<span{encode_attributes(attributes)}>{html}</span>"
    caption = f"<figcaption>{options.caption}</figcaption>"
    return f"<figure{encode_attributes(attributes)}>{html}{caption}</figure>"


def _missing(title: Title, options: ImageOptions, state: ParseState) -> str:
    label = options.caption if not options.is_block else ""
    label = escape_text(plain_text(label or options.alt or title.prefixed_text, state))
    size = {"data-width": str(options.width)} if options.width else {}
    size |= {"data-height": str(options.height)} if options.height else {}
    if options.format == "thumb" and not size:
        size = {"data-width": str(DEFAULT_THUMB)}
    script = f"{state.site.config.site.script_path}/index.php"
    link = {
        "href": f"{script}?title=Special:Upload&wpDestFile={quote_title(title.dbkey)}",
        "class": "new",
        "title": title.prefixed_text,
    }
    css = encode_attributes({"class": "mw-file-element mw-broken-media", **size})
    return f"<a{encode_attributes(link)}><span{css}>{label}</span></a>"


def _broken(options: ImageOptions) -> str:
    attributes = {
        "class": "mw-file-element mw-broken-media",
        "data-width": str(options.width or DEFAULT_THUMB),
    }
    return f"<span{encode_attributes(attributes)}>Error creating thumbnail: </span>"


def _thumbnail(file: File, options: ImageOptions, state: ParseState) -> Thumbnail | None:
    if options.manual_thumb:
        title = state.site.titles.try_parse(options.manual_thumb, file.title.ns)
        other = state.file(title) if title else None
        return _scaled(other, ThumbParams(_original_width(other)), state) if other else None
    return _scaled(file, _params(file, options), state)


def _original_width(file: File) -> int:
    return file.current.dimensions.width


def _scaled(file: File, params: ThumbParams, state: ParseState) -> Thumbnail | None:
    return state.site.files.thumbnails([ThumbRequest(file, file.current, params)])[0]


def _params(file: File, options: ImageOptions) -> ThumbParams:
    original = _original_width(file)
    width, height = options.width, options.height or None
    if options.format == "frame" or not (width or height or options.format):
        return ThumbParams(original or None, None, language=options.language)
    if not width and not height:
        width = DEFAULT_THUMB
        if options.upright:
            width = _UPRIGHT_STEP * round(width * options.upright / _UPRIGHT_STEP)
    if options.format and original:
        width = min(width or original, original)
    return ThumbParams(width or original, height, language=options.language)


def _densities(file: File, options: ImageOptions, shown: Thumbnail, state: ParseState) -> list[str]:
    """The same picture for denser screens, where the original is large enough."""
    if shown.is_original or options.manual_thumb:
        return []
    params = ThumbParams(shown.size.width, None, language=options.language)
    if options.width and options.height and not options.has_frame:
        params = _params(file, options)
    found = []
    seen = {shown.url}
    for percent, name in _DENSITIES:
        larger = enlarged(params, percent)
        if (larger.width or 0) > _original_width(file):
            larger = ThumbParams(_original_width(file), None, language=options.language)
        picture = _scaled(file, larger, state)
        if picture and picture.url not in seen:
            seen.add(picture.url)
            found.append(f"{picture.url} {name}")
    return found


def _picture(
    shown: Thumbnail,
    densities: list[str],
    options: ImageOptions,
    link: _Link,
    state: ParseState,
) -> str:
    attributes: dict[str, str] = {}
    alt = options.alt
    if alt is None and options.caption and not options.has_frame:
        alt = options.caption
    if alt is not None:
        attributes["alt"] = plain_text(alt, state)
    attributes |= link.resource
    attributes |= {
        "src": shown.url,
        "decoding": "async",
        "width": str(shown.size.width),
        "height": str(shown.size.height),
        "class": "mw-file-element",
    }
    if densities:
        attributes["srcset"] = ", ".join(densities)
    return f"<img{encode_attributes(attributes)} />"
