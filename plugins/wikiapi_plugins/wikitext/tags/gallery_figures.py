"""The HTML of the boxes of a gallery."""

from __future__ import annotations

from wikiapi.wikitext import encode_attributes, escape_text, trim
from wikiapi.wikitext.media import ERROR, broken_media, figures, thumbnail_error
from wikiapi_plugins.wikitext.tags.gallery_lines import ShownBox
from wikiapi_plugins.wikitext.tags.gallery_modes import pixels


def box_html(box: ShownBox) -> str:
    """Return a box as a list item."""
    if box.file and box.thumbnail and not box.is_bad:
        layout, mode = box.layout, box.layout.mode
        picture = box.picture(box.file, box.thumbnail, box.alt())
        parsoid = box.state.options.parsoid
        addresses = box.state.addresses if parsoid else None
        media = figures.picture_html(picture, box.state.site, box.file, addresses)
        width = pixels(mode.picture_width(layout.width, box.thumbnail.size.width))
        height = f" height: {layout.height + mode.padding}px;" if mode.has_height else ""
        media = _thumb(f"width: {width};{height}", "mw:File", media)
    else:
        media = _broken(box)
    width, text = pixels(box.width), _wrapped(box, _name(box) + box.text)
    if box.state.options.parsoid:
        return f'\n<li class="gallerybox" style="width: {width};">{media}{text}</li>'
    return f'\n\t\t<li class="gallerybox" style="width: {width}">\n\t\t\t{media}{text}\n\t\t</li>'


def _broken(box: ShownBox) -> str:
    file, state = box.file, box.state
    parsoid = state.options.parsoid
    error = ""
    if file and not box.thumbnail:
        error = thumbnail_error(state.messages, invalid=file.is_local)
    title = file.title if file else box.title
    exists = file is not None and not (box.is_bad and parsoid)
    label = error or box.alt() or ""
    dimensions = {}
    if parsoid and box.layout.mode.is_packed:
        dimensions = {"width": str(box.layout.width), "height": str(box.layout.height)}
    html = broken_media(title, label, box.size, box.files, state, dimensions, exists=exists)
    height = box.layout.height + box.layout.mode.padding
    attributes = ""
    if parsoid:
        alt = None if box.line.alt is None else box.plain(box.line.alt)
        attributes = encode_attributes(figures.error_attributes(alt, box.line.link, error))
    return _thumb(f"height: {height}px;", f"{ERROR}mw:File", html, attributes)


def _name(box: ShownBox) -> str:
    if not box.layout.shows_names:
        return ""
    title = box.file.title if box.file else box.title
    attributes = {
        "href": box.state.site.page_path(title),
        "class": "galleryfilename galleryfilename-truncate",
        "title": title.prefixed_text,
    }
    return f"<a{encode_attributes(attributes)}>{escape_text(title.text)}</a>\n"


def _wrapped(box: ShownBox, text: str) -> str:
    mode = box.layout.mode
    indent = "" if box.state.options.parsoid else "\n\t\t\t"
    html = f'<div class="gallerytext">{text}</div>'
    if not mode.is_overlay:
        return indent + html
    if not trim(text):
        return ""
    style = f"width: {mode.text_width(box.width)}px{'' if indent else ';'}"
    return f'{indent}<div class="gallerytextwrapper" style="{style}">{html}{indent}</div>'


def _thumb(style: str, kind: str, media: str, attributes: str = "") -> str:
    span = f'<span typeof="{kind}"{attributes}>{media}</span>'
    return f'<div class="thumb" style="{style}">{span}</div>'
