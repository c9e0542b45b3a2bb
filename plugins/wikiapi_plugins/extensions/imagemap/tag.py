"""``<imagemap>``: a file on the first line, an area on each of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.i18n.message import Plain
from wikiapi.title.namespaces import FILE
from wikiapi.wikitext.declarations import ExtensionTag
from wikiapi.wikitext.media.image import Image
from wikiapi_plugins.extensions.imagemap.areas import Mistake, read_areas
from wikiapi_plugins.extensions.imagemap.held import ImageWithMap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.call import TagCall


def imagemap(call: TagCall) -> str:
    """The picture with its map; what is wrong in place of it."""
    state = call.state
    try:
        return _shown(call)
    except Mistake as mistake:
        text = state.message(mistake.key, Plain(mistake.param))
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
    """Lines that say something, with their numbers."""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


DECLARATION = ExtensionTag("imagemap", imagemap)
