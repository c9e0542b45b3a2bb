"""The HTML that MediaWiki before 1.41 has for images."""

from __future__ import annotations

from wikiapi.filerepo.file import File
from wikiapi.languages.direction import direction
from wikiapi.wiki import Wiki
from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.inline.quotes import format_quotes
from wikiapi.wikitext.media.broken import missing_link, thumbnail_error
from wikiapi.wikitext.media.picture import LoadedImage, Picture

_FRAME = 2
"""Pixels that the frame of a thumbnail is wider than its picture."""
_ERROR_SIDE = 120
"""Width and height of the box with an error, in pixels."""


def picture_html(picture: Picture, site: Wiki, css: str = "", style: str = "") -> str:
    """Return the ``img`` element within its link, if it has one."""
    link = picture.target(site, "image")
    thumbnail = picture.thumbnails[0]
    if thumbnail is None:
        return ""
    size = picture.size or thumbnail.size
    attributes = {
        "alt": picture.alt or "",
        "src": thumbnail.url,
        "decoding": "async",
        **({} if "href" in link else link),
        "width": str(size.width),
        "height": str(size.height),
        "style": style,
        "class": css,
        "srcset": picture.densities(),
    }
    written = {name: value for name, value in attributes.items() if value or name == "alt"}
    image = f"<img{encode_attributes(written)} />"
    return f"<a{encode_attributes(link)}>{image}</a>" if "href" in link else image


def image_html(image: LoadedImage) -> str:
    """Return an image with the elements around it, on one line."""
    align = image.options.align
    if image.options.has_frame:
        html = _thumb(image)
    else:
        html = _media(image, label=image.plain(image.caption))
        if align:
            html = f'<div class="float{"none" if align == "center" else align}">{html}</div>'
    if align == "center":
        html = f'<div class="center">{html}</div>'
    return html.replace("\n", " ")


def _thumb(image: LoadedImage) -> str:
    """Return an image in a frame with its caption."""
    options, state = image.options, image.state
    align = options.align or ("left" if direction(state.page_language) == "rtl" else "right")
    magnify = ""
    has_box = image.thumbnail is not None or _is_invalid(image)
    if image.file and not image.is_bad and options.format != "framed" and has_box:
        attributes = {
            "href": state.site.page_path(image.title),
            "class": "internal",
            "title": state.messages.interface_text("thumbnail-more"),
        }
        magnify = f'<div class="magnify"><a{encode_attributes(attributes)}></a></div>'
    width = image.size.width or 0
    if image.thumbnail:
        width = image.thumbnail.size.width
    elif has_box:
        width = _ERROR_SIDE
    return (
        f'<div class="thumb t{"none" if align == "center" else align}">'
        f'<div class="thumbinner" style="width:{width + _FRAME}px;">{_media(image)}  '
        f'<div class="thumbcaption">{magnify}{image.caption}</div></div></div>'
    )


def _is_invalid(image: LoadedImage) -> bool:
    """Return whether there is no picture because a file of this wiki cannot have such a size."""
    is_own = image.file is not None and image.file.is_local
    return image.thumbnail is None and is_own and image.options.format != "manualthumb"


def _media(image: LoadedImage, label: str = "") -> str:
    """Return the picture, or what is shown in place of it; ``label`` is that of a missing file."""
    file, state = image.file, image.state
    if file is None or (image.thumbnail and image.is_bad):
        exists = file is not None
        title = file.title if file else image.title
        return format_quotes(missing_link(title, label, image.files, state.site, exists=exists))
    if image.thumbnail:
        return _picture(image, file)
    if _is_invalid(image):
        text = thumbnail_error(state.messages, invalid=True)
        style = f"width: {_ERROR_SIDE}px; height: {_ERROR_SIDE}px; display:inline-block;"
        return f'<div class="MediaTransformError" style="{style}">{escape_text(text)}</div>'
    return escape_text(thumbnail_error(state.messages, invalid=False))


def _picture(image: LoadedImage, file: File) -> str:
    options = image.options
    text = "" if options.has_frame else image.plain(image.caption)
    picture = Picture(
        file.title,
        image.thumbnails,
        image.link_to(image.title),
        _alt(image, text),
        text,
        image.language,
    )
    classes = [image.plain(options.css)]
    style = ""
    if options.has_frame:
        classes.append("thumbimage")
    else:
        style = f"vertical-align: {options.valign}" if options.valign else ""
        if options.border:
            classes.append("thumbborder")
    return picture_html(picture, image.state.site, " ".join(filter(None, classes)), style)


def _alt(image: LoadedImage, text: str) -> str:
    """Return the alternative text: that of the option, the tooltip, or the name of the file."""
    if image.options.alt is not None:
        return image.plain(image.options.alt)
    if image.options.has_frame and image.caption:
        return ""
    return text or image.title.text
