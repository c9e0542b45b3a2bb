"""The list of a group's footnotes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.attributes import encode_attribute
from wikiapi_plugins.extensions.cite.anchors import link, mark_id, note_id
from wikiapi_plugins.extensions.cite.labels import UP
from wikiapi_plugins.extensions.cite.problems import Problem, shown
from wikiapi_plugins.extensions.cite.stack import DEFAULT_GROUP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.wikitext.state import ParseState
    from wikiapi_plugins.extensions.cite.footnote import Footnote
    from wikiapi_plugins.extensions.cite.labels import Labels


def listed(notes: Sequence[Footnote], group: str, labels: Labels, state: ParseState) -> str:
    """The list as HTML; empty if there are no footnotes.

    It is read as one piece of wikitext: what a text leaves open may reach into those behind it.
    """
    if not notes:
        return ""
    lines = [_entry(note, labels, state) + "\n" for note in notes]
    html = state.parse_fragment("".join(lines), state.root_frame())
    attribute = "" if group == DEFAULT_GROUP else f' data-mw-group="{encode_attribute(group)}"'
    return f'<ol class="references"{attribute}>\n{html}</ol>'


def _entry(note: Footnote, labels: Labels, state: ParseState) -> str:
    text = f'<span class="reference-text">{_text(note, state)}</span>'
    if not note.number:
        return f"<p>{text}\n</p>"
    identifier = encode_attribute(note_id(note))
    style = f' class="mw-cite-dir-{note.direction}"' if note.direction else ""
    back = state.strip.add_general(_backlinks(note, labels), "cite")
    rest = f"{text}\n{_details(note, labels, state)}"
    return f'<li id="{identifier}"{style}><span class="mw-cite-backlink">{back}</span> {rest}</li>'


def _details(note: Footnote, labels: Labels, state: ParseState) -> str:
    if not note.details:
        return ""
    entries = "\n".join([_entry(detail, labels, state) for detail in note.details.values()])
    return f'<ol class="mw-subreference-list">{entries}\n</ol>'


def _text(note: Footnote, state: ParseState) -> str:
    """The text with what is wrong with it."""
    text, problem = note.text, note.problem
    if text is None:
        problem = problem or _no_text(note, state)
    text = (text or "").rstrip("\n")
    return f"{text} {shown(problem, state)}" if problem else text


def _no_text(note: Footnote, state: ParseState) -> Problem:
    """In a part of a page, the text may well be elsewhere."""
    if state.options.section_preview:
        return Problem.of("cite_warning_sectionpreview_no_text", note.name)
    return Problem.of("cite_error_references_no_text", note.name)


def _backlinks(note: Footnote, labels: Labels) -> str:
    if not note.uses:
        return UP
    if note.uses == 1:
        return link(mark_id(note, 0), UP)
    links = (
        f"<sup>{link(mark_id(note, use), label)}</sup>"
        for use, label in enumerate(labels.backlinks(note))
    )
    return f"{UP} {' '.join(links)}"
