"""The HTML of images as figures."""

from __future__ import annotations

from wikiapi.filerepo.file import File
from wikiapi.wiki import Wiki
from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.inline.quotes import format_quotes
from wikiapi.wikitext.media.broken import ERROR, broken_media, thumbnail_error
from wikiapi.wikitext.media.picture import LoadedImage, Picture
from wikiapi.wikitext.parsoid.attributes import as_json

_NO_FILE = "apierror-filedoesnotexist"
_THUMBNAILS = "mediawiki.page.media"
"""The resource module of pages with thumbnails."""
_UNKNOWN = "apierror-unknownerror"
_ERRORS = {
    _NO_FILE: {"key": _NO_FILE, "message": "This image does not exist."},
    _UNKNOWN: {"key": _UNKNOWN},
}
"""What ``data-mw`` says of a picture that cannot be shown."""


def picture_html(picture: Picture, site: Wiki) -> str:
    """Return the ``img`` element within its link, or within a ``span`` if it has none."""
    image: dict[str, str] = {}
    if (thumbnail := picture.thumbnails[0]) is not None:
        size = picture.size or thumbnail.size
        if picture.alt is not None:
            image["alt"] = picture.alt
        if picture.resource and picture.link.is_given:
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
    attributes = picture.target(site, "mw-file-description")
    element = "a" if "href" in attributes else "span"
    return (
        f"<{element}{encode_attributes(attributes)}><img{encode_attributes(image)} /></{element}>"
    )


def image_html(image: LoadedImage) -> str:
    """Return an image with its caption and the elements around it, on one line."""
    options, sources = image.options, image.state.sources
    error = ""
    if image.file and image.thumbnail and not image.is_bad:
        media = _picture(image, image.file)
    else:
        media, error = _broken(image), _UNKNOWN if image.file else _NO_FILE
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
        "typeof": f"{ERROR}{kind}" if error else kind,
    }
    marks = ""
    if sources is not None:
        data: dict[str, object] = {}
        if image.caption and not options.is_block:
            data["caption"] = escape_text(image.plain(image.caption))
        if error:
            data["errors"] = [_ERRORS[error]]
            if options.link.is_given:
                data["attribs"] = [["link", {"txt": options.link.source}]]
        attributes["data-mw"] = as_json(data) if data else ""
        marks = options.marks
    written = encode_attributes({name: value for name, value in attributes.items() if value})
    if options.is_block:
        html = f"<figure{written}>{media}<figcaption>{image.caption}</figcaption></figure>"
    else:
        html = f"<span{written}>{media}</span>"
    return marks + html.replace("\n", " ")


def _picture(image: LoadedImage, file: File) -> str:
    options, site = image.options, image.state.site
    resource = ""
    if options.format in ("thumbnail", "manualthumb"):
        resource = site.page_path(file.title)
    tip = "" if options.has_frame else image.plain(image.caption)
    alt, language = _alt(image), image.language
    picture = Picture(
        file.title, image.thumbnails, image.link_to(file.title), alt, tip, language, resource
    )
    return picture_html(picture, site)


def _alt(image: LoadedImage) -> str | None:
    if image.options.alt is not None:
        return image.plain(image.options.alt)
    if image.options.has_frame or not image.caption:
        return None
    return image.plain(image.caption)


def _broken(image: LoadedImage) -> str:
    file, state = image.file, image.state
    if file is None or image.thumbnail:
        label = _alt(image) or ""
    else:
        invalid = image.options.format != "manualthumb" and file.is_local
        label = thumbnail_error(state.messages, invalid=invalid)
    title = file.title if file else image.title
    html = broken_media(title, label, image.size, image.files, state.site, exists=file is not None)
    return format_quotes(html)


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
