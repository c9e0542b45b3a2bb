"""Footnotes as HTML in Parsoid's form, after MediaWiki's DOM specification."""

from __future__ import annotations

import json

from wikiapi.wikitext import encode_attribute
from wikiapi.wikitext.html.ids import escape_id_for_link
from wikiapi_plugins.extensions.cite.arguments import RefArguments
from wikiapi_plugins.extensions.cite.footnotes import DEFAULT_GROUP, Footnote
from wikiapi_plugins.extensions.cite.rendering import FootnoteRenderer, mark_id, note_id


class ParsoidRenderer(FootnoteRenderer):
    """Renders the footnotes of one page in Parsoid's form.

    The mark refers to the text of its footnote by an id.
    """

    css = "mw-references references"

    def mark(self, note: Footnote, arguments: RefArguments) -> str:
        """Return the mark of a footnote's latest use."""
        identifier = encode_attribute(mark_id(note, note.uses - 1))
        data = ""
        if arguments.content is not None:
            body = json.dumps({"body": {"id": _text_id(note)}}, ensure_ascii=False)
            data = f' data-mw="{encode_attribute(body)}"'
        target = encode_attribute(escape_id_for_link(note_id(note)))
        label = self._bracketed(note)
        return (
            f'<sup class="mw-ref reference" id="{identifier}" rel="dc:references"{data}>'
            f'<a href="#{target}"{_group(note)}><span class="mw-reflink-text">{label}</span>'
            "</a></sup>"
        )

    def _entry(self, note: Footnote) -> str:
        """Return the entry of a footnote, with those of its details, as wikitext."""
        identifier = encode_attribute(note_id(note))
        text_id = encode_attribute(_text_id(note))
        text = f'<span id="{text_id}" class="mw-reference-text reference-text">'
        if not note.number:
            return (
                f"<p>{self._state.strip.add_general(text, 'cite')}{self._text(note)}</span>\n</p>"
            )
        style = f' class="mw-cite-dir-{note.direction}"' if note.direction else ""
        opening = (
            f'<li about="#{identifier}" id="{identifier}"{style}'
            f' data-mw-footnote-number="{self._number(note)}">{self._back(note)} {text}'
        )
        begun = self._state.strip.add_general(opening, "cite")
        return f"{begun}{self._text(note)}</span>\n{self._details(note)}</li>"

    def _back(self, note: Footnote) -> str:
        """Return links to the uses of a footnote: an arrow, or numbers if there are several."""
        if note.uses == 1:
            link = _back_link(note, 0, "↑", ' rel="mw:referencedBy"')
            return f'<span class="mw-cite-backlink">{link}</span>'
        links = "".join([_back_link(note, use, str(use + 1)) for use in range(note.uses)])
        return f'<span rel="mw:referencedBy" class="mw-cite-backlink">{links}</span>'


def _back_link(note: Footnote, use: int, label: str, attributes: str = "") -> str:
    target = encode_attribute(escape_id_for_link(mark_id(note, use)))
    return (
        f'<a href="#{target}"{_group(note)}{attributes}>'
        f'<span class="mw-linkback-text">{label} </span></a>'
    )


def _group(note: Footnote) -> str:
    return "" if note.group == DEFAULT_GROUP else f' data-mw-group="{encode_attribute(note.group)}"'


def _text_id(note: Footnote) -> str:
    return f"mw-reference-text-{note_id(note)}"
