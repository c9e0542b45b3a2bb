"""The mark of a footnote in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.attributes import encode_attribute
from wikiapi_plugins.extensions.cite.anchors import link, mark_id, note_id

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.cite.footnote import Footnote
    from wikiapi_plugins.extensions.cite.labels import Labels

_OPEN = '<span class="cite-bracket">&#91;</span>'
_CLOSE = '<span class="cite-bracket">&#93;</span>'


def mark(note: Footnote, labels: Labels) -> str:
    """The newest use of a footnote, as HTML."""
    identifier = encode_attribute(mark_id(note, note.uses - 1))
    target = link(note_id(note), f"{_OPEN}{labels.mark(note)}{_CLOSE}")
    return f'<sup id="{identifier}" class="reference">{target}</sup>'
