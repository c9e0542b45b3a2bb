"""Footnotes as HTML: marks in the text, and the list that they link to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wikiapi.i18n.numbers import localize_digits
from wikiapi.wikitext import (
    ParseState,
    encode_attribute,
    escape_attribute,
    escape_text,
    parse_fragment,
)
from wikiapi.wikitext.html.ids import escape_id_for_link
from wikiapi_plugins.extensions.cite.arguments import (
    Problem,
    RefArguments,
    problem_html,
    problem_wikitext,
)
from wikiapi_plugins.extensions.cite.footnotes import DEFAULT_GROUP, Footnote

_OPEN = '<span class="cite-bracket">&#91;</span>'
_CLOSE = '<span class="cite-bracket">&#93;</span>'
_UP = "↑"
_GROUP_MESSAGE = "cite_link_label_group-"
_BLANKS = re.compile(r"[_\s]+")


class FootnoteRenderer:
    """Renders the footnotes of one page."""

    def __init__(self, state: ParseState) -> None:
        self._state = state
        self._group_labels: dict[str, list[str]] = {}

    css = "references"
    """CSS classes of a list."""

    def mark(self, note: Footnote, arguments: RefArguments) -> str:
        """Return the mark of a footnote's latest use: a link to its entry in the list.

        ``arguments`` are those of the use.
        """
        identifier = encode_attribute(mark_id(note, note.uses - 1))
        target = _link(note_id(note), self._bracketed(note))
        return f'<sup id="{identifier}" class="reference">{target}</sup>'

    def list(self, notes: Sequence[Footnote], group: str) -> str:
        """Return the list of the footnotes; an empty text if there are none.

        It is parsed as one piece of wikitext: unclosed markup of an entry reaches into the next.
        """
        if not notes:
            return ""
        lines = [self._entry(note) + "\n" for note in notes]
        html = parse_fragment("".join(lines), self._state.expander.root_frame(), self._state)
        attribute = "" if group == DEFAULT_GROUP else f' data-mw-group="{encode_attribute(group)}"'
        return f'<ol class="{self.css}"{attribute}>\n{html}</ol>'

    def _entry(self, note: Footnote) -> str:
        """Return the entry of a footnote, with those of its details, as wikitext."""
        text = f'<span class="reference-text">{self._text(note)}</span>'
        if not note.number:
            return f"<p>{text}\n</p>"
        identifier = encode_attribute(note_id(note))
        style = f' class="mw-cite-dir-{note.direction}"' if note.direction else ""
        links = self._state.strip.add_general(self._backlinks(note), "cite")
        back = f'<span class="mw-cite-backlink">{links}</span>'
        return f'<li id="{identifier}"{style}>{back} {text}\n{self._details(note)}</li>'

    def _details(self, note: Footnote) -> str:
        """Return the list of the details of a footnote as wikitext; empty if it has none."""
        if not note.details:
            return ""
        entries = "\n".join([self._entry(detail) for detail in note.details.values()])
        return f'<ol class="mw-subreference-list">{entries}\n</ol>'

    def _text(self, note: Footnote) -> str:
        """Return the text of a footnote, and its problem if it has one."""
        text, problem = note.text, note.problem
        if text is None and problem is None:
            # In the preview of a section, the text may well be in another section.
            is_preview = self._state.options.section_preview
            warning = "cite_warning_sectionpreview_no_text"
            key = warning if is_preview else "cite_error_references_no_text"
            problem = Problem.of(key, note.name)
        text = (text or "").rstrip("\n")
        return f"{text} {problem_wikitext(problem, self._state)}" if problem else text

    def _backlinks(self, note: Footnote) -> str:
        """Return links to the uses of a footnote; several have numbers padded to one width."""
        if not note.uses:
            return _UP
        if note.uses == 1:
            return _link(mark_id(note, 0), _UP)
        width = len(str(note.uses - 1))
        number = self._number(note)
        links = (
            f"<sup>{_link(mark_id(note, use), f'{number}{label}')}</sup>"
            for use, label in enumerate(self._digits(f".{n:0{width}}") for n in range(note.uses))
        )
        return f"{_UP} {' '.join(links)}"

    def _bracketed(self, note: Footnote) -> str:
        """Return the label of a mark in its brackets."""
        return f"{_OPEN}{self._label(note)}{_CLOSE}"

    def _label(self, note: Footnote) -> str:
        """Return the label of a mark: its number, or the label that the wiki defines for it."""
        if note.group == DEFAULT_GROUP:
            return self._number(note)
        labels = self._labels_of_group(note.group)
        if not labels:
            return f"{escape_text(note.group)} {self._number(note)}"
        detail = self._digits(f".{note.number}") if note.whole else ""
        number = (note.whole or note).number
        if number > len(labels):
            key = _GROUP_MESSAGE + note.group
            problem = Problem.of("cite_error_no_link_label_group", note.group, key)
            return problem_html(problem, self._state) + detail
        frame = self._state.expander.root_frame()
        return parse_fragment(labels[number - 1], frame, self._state) + detail

    def _labels_of_group(self, group: str) -> Sequence[str]:
        if group not in self._group_labels:
            self._group_labels[group] = self._state.messages.page_text(
                _GROUP_MESSAGE + group
            ).split()
        return self._group_labels[group]

    def _number(self, note: Footnote) -> str:
        """Return the number of a footnote in its group; that of details has two parts (``2.1``)."""
        whole = f"{note.whole.number}." if note.whole else ""
        return self._digits(f"{whole}{note.number}")

    def _digits(self, text: str) -> str:
        return localize_digits(text, self._state.site.language)


def note_id(note: Footnote) -> str:
    """Return the id of an entry in the list."""
    name = f"{note.name}-" if note.name else ""
    return _BLANKS.sub("_", f"cite_note-{name}{note.serial}")


def mark_id(note: Footnote, use: int) -> str:
    """Return the id of the mark of a use; the first use is 0."""
    if note.name:
        return _BLANKS.sub("_", f"cite_ref-{note.name}_{note.serial}-{use}")
    return f"cite_ref-{note.serial}-{use}" if use else f"cite_ref-{note.serial}"


def _link(identifier: str, html: str) -> str:
    """Return a link to an id of the same page."""
    target = escape_attribute(escape_id_for_link(identifier))
    return f'<a href="#{target}">{html}</a>'
