"""The HTML of images as figures."""

from __future__ import annotations

import re
from typing import NamedTuple

from wikiapi.filerepo.file import File
from wikiapi.wiki import Wiki
from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.inline.quotes import format_quotes
from wikiapi.wikitext.media.broken import ERROR, broken_media, thumbnail_error
from wikiapi.wikitext.media.options import LinkOption
from wikiapi.wikitext.media.picture import LoadedImage, Picture
from wikiapi.wikitext.parsoid.attributes import as_json
from wikiapi.wikitext.parsoid.links import PageAddresses
from wikiapi.wikitext.parsoid.sources import CAPTION

_THUMBNAILS = "mediawiki.page.media"
"""The resource module of pages with thumbnails."""


def picture_html(
    picture: Picture, site: Wiki, file: File | None = None, addresses: PageAddresses | None = None
) -> str:
    """Return the ``img`` element within its link, or within a ``span`` if it has none.

    With ``addresses``, it has the form of Parsoid's HTML, which describes the ``file``.
    """
    image: dict[str, str] = {}
    if (thumbnail := picture.thumbnails[0]) is not None:
        size = picture.size or thumbnail.size
        if picture.alt is not None:
            image["alt"] = picture.alt
        if addresses is not None:
            image["resource"] = addresses.page(picture.title)
        elif picture.resource and picture.link.is_given:
            image["resource"] = picture.resource
        image |= {
            "src": thumbnail.url,
            "decoding": "async",
            "width": str(size.width),
            "height": str(size.height),
            "class": "mw-file-element",
        }
        if densities := picture.densities():
            image["srcset"] = densities
    if file is None or addresses is None:
        attributes = picture.target(site, "mw-file-description")
    else:
        version = file.current
        image |= {
            "data-file-width": str(version.dimensions.width),
            "data-file-height": str(version.dimensions.height),
            "data-file-type": version.media_type.lower(),
        }
        attributes = picture.target(site, "mw-file-description", addresses.page)
    element = "a" if "href" in attributes else "span"
    return (
        f"<{element}{encode_attributes(attributes)}><img{encode_attributes(image)} /></{element}>"
    )


def image_html(image: LoadedImage) -> str:
    """Return an image with its caption and the elements around it, on one line."""
    options, sources = image.options, image.state.sources
    is_broken = not (image.file and image.thumbnail) or image.is_bad
    media = _broken(image) if is_broken or image.file is None else _picture(image, image.file)
    kind = "mw:File"
    if options.format == "framed":
        kind = "mw:File/Frame"
    elif options.has_frame:
        kind = "mw:File/Thumb"
    elif options.format:
        kind = "mw:File/Frameless"
    if options.format in ("thumbnail", "manualthumb"):
        image.state.output.modules.setdefault(_THUMBNAILS)
    attributes = {
        "class": " ".join(_classes(image)),
        "typeof": f"{ERROR}{kind}" if is_broken else kind,
    }
    marks = ""
    if sources is not None:
        data: dict[str, object] = {}
        if image.caption and not options.is_block:
            if _PLAIN.fullmatch(image.caption):
                data["caption"] = image.plain(image.caption)
            else:
                attributes[CAPTION] = sources.hold_caption(image.caption)
        data |= _data(image, is_broken=is_broken)
        attributes["data-mw"] = as_json(data) if data else ""
        marks = options.marks
    written = encode_attributes({name: value for name, value in attributes.items() if value})
    if options.is_block:
        html = f"<figure{written}>{media}<figcaption>{image.caption}</figcaption></figure>"
    else:
        html = f"<span{written}>{media}</span>"
    return marks + html.replace("\n", " ")


class _Hidden(NamedTuple):
    """An option that the elements do not show, as ``data-mw`` says it."""

    name: str
    value: dict[str, str]


# A colon may be part of a URL, and a control character of a strip marker.
_PLAIN = re.compile(r"[^<>&:\x00-\x1f\x7f]*+")
"""Matches captions without markup."""


def _data(image: LoadedImage, *, is_broken: bool) -> dict[str, object]:
    """Return what ``data-mw`` says of an image besides its caption: what elements do not show."""
    options = image.options
    data: dict[str, object] = {}
    attributes: list[_Hidden] = []
    if options.format == "manualthumb":
        attributes = [_Hidden("manualthumb", {"txt": image.plain(options.manual_thumb)})]
    if options.page is not None:
        attributes.append(_Hidden("page", {"txt": image.plain(options.page)}))
    if is_broken:
        alt = None if options.alt is None else image.plain(options.alt)
        error = "" if _is_missing(image) else _thumbnail_error(image)
        hidden, data["errors"] = _errors(alt, options.link, error)
        attributes += hidden
    elif options.link.text is not None and not options.link.is_given:
        attributes.append(_Hidden("link", {"txt": options.link.text}))
    if attributes:
        order = options.names.index
        data["attribs"] = sorted(attributes, key=lambda hidden: order(f"img_{hidden.name}"))
    return data


def error_attributes(alt: str | None, link: LinkOption, message: str) -> dict[str, str]:
    """Return the attributes of Parsoid's HTML that tell why media cannot be shown.

    They include the options that have no effect then. ``message`` is that of a thumbnail that could
    not be made; it is empty for a missing file.
    """
    attributes, errors = _errors(alt, link, message)
    data = {"attribs": attributes, "errors": errors}
    return {"data-mw": as_json({name: value for name, value in data.items() if value})}


def _errors(
    alt: str | None, link: LinkOption, message: str
) -> tuple[list[_Hidden], list[dict[str, str]]]:
    attributes: list[_Hidden] = [] if alt is None else [_Hidden("alt", {"txt": alt})]
    if link.text is not None:
        attributes.append(_Hidden("link", {"txt": link.text}))
    if message:
        return attributes, [{"key": _UNKNOWN, "message": message}]
    return attributes, [{"key": _NO_FILE, "message": _NO_FILE_MESSAGE}]


_UNKNOWN = "apierror-unknownerror"
_NO_FILE = "apierror-filedoesnotexist"
_NO_FILE_MESSAGE = "This image does not exist."
"""The sentence that goes with this key: a fixed part of the format, not an interface message."""


def _picture(image: LoadedImage, file: File) -> str:
    options, site = image.options, image.state.site
    resource = ""
    if options.format in ("thumbnail", "manualthumb"):
        resource = site.page_path(file.title)
    tip = "" if options.has_frame else image.plain(image.caption)
    alt, language = _alt(image), image.language
    picture = Picture(
        file.title,
        image.thumbnails,
        options.link if image.state.options.parsoid else image.link_to(file.title),
        alt,
        tip,
        language,
        resource,
        page=_page(image),
    )
    if not image.state.options.parsoid:
        return picture_html(picture, site)
    return picture_html(picture, site, file, image.state.addresses)


def _page(image: LoadedImage) -> str:
    page = image.plain(image.options.page or "")
    return page if image.state.options.parsoid and page.isdecimal() and page.isascii() else ""


def _alt(image: LoadedImage) -> str | None:
    if image.options.alt is not None:
        return image.plain(image.options.alt)
    if image.options.has_frame or not image.caption:
        return None
    return image.plain(image.caption)


def _broken(image: LoadedImage) -> str:
    file, state = image.file, image.state
    label = _alt(image) or "" if _is_missing(image) else _thumbnail_error(image)
    title = file.title if file else image.title
    # The link leads to the file, but in Parsoid's HTML not if it must not be shown.
    is_hidden = state.options.parsoid and image.options.format != "manualthumb"
    exists = file is not None and not (image.is_bad and is_hidden)
    html = broken_media(title, label, image.size, image.files, state, exists=exists)
    return html if state.options.parsoid else format_quotes(html)


def _is_missing(image: LoadedImage) -> bool:
    """Return whether there is no file to show; to Parsoid this includes a missing thumbnail."""
    if image.file is None or image.thumbnail:
        return True
    return image.state.options.parsoid and image.options.format == "manualthumb"


def _thumbnail_error(image: LoadedImage) -> str:
    is_local = image.file is not None and image.file.is_local
    invalid = image.options.format != "manualthumb" and is_local
    return thumbnail_error(image.state.messages, invalid=invalid)


def _classes(image: LoadedImage) -> list[str]:
    options = image.options
    classes = []
    if not options.width and options.format not in ("manualthumb", "framed"):
        classes.append("mw-default-size")
    if options.align:
        classes.append(f"mw-halign-{options.align}")
    elif options.valign and not options.has_frame:
        classes.append(f"mw-valign-{options.valign}")
    if options.border and not options.has_frame:
        classes.append("mw-image-border")
    classes += image.plain(options.css).split(" ")
    return [name for name in dict.fromkeys(classes) if name]
