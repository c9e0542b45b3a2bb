"""Links to files themselves: ``[[Media:name]]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.attributes import encode_attribute

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.state import ParseState


def media_link(title: Title, label: str, state: ParseState) -> str:
    """A link to the file, or to where it could be uploaded."""
    state.output.images.setdefault(title.dbkey)
    file = state.file(title)
    css = "internal" if file else "new"
    name = file.title.text if file else title.text
    url = file.current.url if file else ""
    if not file:
        config = state.site.config.site
        url = f"{config.script_path}/index.php?title=Special:Upload&wpDestFile={title.dbkey}"
    tip = encode_attribute(name)
    return f'<a href="{encode_attribute(url)}" class="{css}" title="{tip}">{label}</a>'
