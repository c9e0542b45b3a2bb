"""What footnotes are called in the text and in their list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.numbers import localize_digits
from wikiapi_plugins.extensions.cite.problems import Problem, shown_html
from wikiapi_plugins.extensions.cite.stack import DEFAULT_GROUP

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState
    from wikiapi_plugins.extensions.cite.footnote import Footnote

_GROUP_MESSAGE = "cite_link_label_group-"
UP = "↑"


class Labels:
    """The labels of one page."""

    def __init__(self, state: ParseState) -> None:
        """Labels in the language of the wiki, of the groups as the wiki names them."""
        self._state = state
        self._own: dict[str, list[str]] = {}

    def mark(self, note: Footnote) -> str:
        """The label in the text, as HTML: a number or what the wiki has for it in this group."""
        own = self._own_labels(note.group) if note.group != DEFAULT_GROUP else []
        if own:
            detail = self._digits(f".{note.number}") if note.whole else ""
            return self._own_label(own, note.whole or note) + detail
        number = self._number(note)
        return f"{escape_text(note.group)} {number}" if note.group != DEFAULT_GROUP else number

    def backlinks(self, note: Footnote) -> list[str]:
        """The labels of a footnote's uses, if there are several: all with as many digits."""
        width = len(str(note.uses - 1))
        number = self._number(note)
        return [f"{number}{self._digits(f'.{use:0{width}}')}" for use in range(note.uses)]

    def _number(self, note: Footnote) -> str:
        whole = f"{note.whole.number}." if note.whole else ""
        return self._digits(f"{whole}{note.number}")

    def _digits(self, text: str) -> str:
        return localize_digits(text, self._state.site.language)

    def _own_labels(self, group: str) -> list[str]:
        if group not in self._own:
            self._own[group] = self._state.own_message(_GROUP_MESSAGE + group).split()
        return self._own[group]

    def _own_label(self, labels: list[str], note: Footnote) -> str:
        if note.number > len(labels):
            key = _GROUP_MESSAGE + note.group
            problem = Problem.of("cite_error_no_link_label_group", note.group, key)
            return shown_html(problem, self._state)
        return self._state.parse_fragment(labels[note.number - 1], self._state.root_frame())
