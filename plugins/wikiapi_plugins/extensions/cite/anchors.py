"""Ids of footnotes and of the places that refer to them, and links to these."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.html.entities import escape_attribute
from wikiapi.wikitext.html.ids import escape_id_for_link

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.cite.footnote import Footnote

_BLANKS = re.compile(r"[_\s]+")


def note_id(note: Footnote) -> str:
    """The id of an entry in the list."""
    name = f"{note.name}-" if note.name else ""
    return _identifier(f"cite_note-{name}{note.serial}")


def mark_id(note: Footnote, use: int) -> str:
    """The id of a place that refers to a footnote; the first use is 0."""
    if note.name:
        return _identifier(f"cite_ref-{note.name}_{note.serial}-{use}")
    return f"cite_ref-{note.serial}-{use}" if use else f"cite_ref-{note.serial}"


def link(identifier: str, html: str) -> str:
    """A link to an id of the same page."""
    target = escape_attribute(escape_id_for_link(identifier))
    return f'<a href="#{target}">{html}</a>'


def _identifier(text: str) -> str:
    return _BLANKS.sub("_", text)
