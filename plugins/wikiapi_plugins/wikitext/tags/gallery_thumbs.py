"""The HTML that MediaWiki before 1.41 has for the boxes of a gallery."""

from __future__ import annotations

from wikiapi.wikitext import encode_attributes, escape_text, trim
from wikiapi.wikitext.media import missing_link, thumbnail_error, thumbs
from wikiapi_plugins.wikitext.tags.gallery_lines import ShownBox
from wikiapi_plugins.wikitext.tags.gallery_modes import pixels


def box_html(box: ShownBox) -> str:
    """Return a box as a list item."""
    width = pixels(box.width)
    if box.file and box.thumbnail and not box.is_bad:
        layout, mode = box.layout, box.layout.mode
        alt = box.alt()
        picture = box.picture(box.file, box.thumbnail, box.title.text if alt is None else alt)
        thumb_width = pixels(mode.picture_width(layout.width, box.thumbnail.size.width))
        margin = pixels(mode.margin(layout.height, box.thumbnail.size.height))
        media = (
            f'<div class="thumb" style="width: {thumb_width};"><div style="margin:{margin} auto;">'
            f"{thumbs.picture_html(picture, box.state.site)}</div></div>"
        )
    else:
        height = box.layout.height + box.layout.mode.padding
        media = f'<div class="thumb" style="height: {height}px;">{_broken(box)}</div>'
    return (
        f'\n\t\t<li class="gallerybox" style="width: {width}"><div style="width: {width}">'
        f"\n\t\t\t{media}{_wrapped(box, _name(box) + box.text)}\n\t\t</div></li>"
    )


def _broken(box: ShownBox) -> str:
    """Return what is shown in place of a picture: the name of a missing file, without a link."""
    file, state = box.file, box.state
    if file is None:
        return escape_text(box.title.text)
    if box.thumbnail is None:
        return escape_text(thumbnail_error(state.messages, invalid=file.is_local))
    return missing_link(file.title, file.title.text, box.files, state.site, exists=True)


def _name(box: ShownBox) -> str:
    if not box.layout.shows_names:
        return ""
    title = box.title
    is_redirect = box.files.is_redirect(title) or bool(box.file and box.file.title != title)
    attributes = {
        "href": box.state.site.page_path(title),
        "class": f"{'mw-redirect ' if is_redirect else ''}galleryfilename galleryfilename-truncate",
        "title": title.prefixed_text,
    }
    return f"<a{encode_attributes(attributes)}>{escape_text(title.text)}</a>\n"


def _wrapped(box: ShownBox, text: str) -> str:
    """Return the text on lines of its own, so that it becomes paragraphs or a list."""
    mode = box.layout.mode
    lines = f"\n{text}" if text else ""
    if not mode.is_overlay:
        return f'\n\t\t\t<div class="gallerytext">{lines}\n\t\t\t</div>'
    if not trim(text):
        return ""
    style = f"width: {mode.text_width(box.width)}px"
    return (
        f'\n\t\t\t<div class="gallerytextwrapper" style="{style}">'
        f'<div class="gallerytext">{lines}\n\t\t\t</div></div>'
    )
