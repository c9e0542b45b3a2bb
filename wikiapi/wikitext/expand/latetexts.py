"""Insertion of texts that are known only when the whole page has been expanded.

A plugin gets a marker for such a text from :meth:`ParseState.add_late_text`. Every insertion counts
against the limits of the page and of the request before it is made, since expansion, which counts
all other texts, is over by then.
"""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.wikitext.expand.strip import MARKER
from wikiapi.wikitext.hooks import apply_changes, result_of
from wikiapi.wikitext.pipeline import parse_fragment
from wikiapi.wikitext.state import ParseState


def finish_expansion(text: str, state: ParseState) -> str:
    """Return the expanded text of a page with its late texts, and as changed by plugins.

    Raises:
        BudgetExceeded: the text takes more memory than the request may use.
    """
    if state.late_texts:
        pieces: list[str] = []
        inside: list[str] = []
        position = 0
        for match in MARKER.finditer(text):
            if match[0] in state.late_texts:
                late = _late_text(match[0], state)
                inside += _late_markers(late, state)
                pieces += (text[position : match.start()], late)
                position = match.end()
        # Markers in stripped text, and in the late texts themselves, are filled with HTML.
        for stripped in state.strip.pieces():
            inside += _late_markers(stripped, state)
        filled: set[str] = set()
        while inside:
            marker = inside.pop()
            if marker in filled:
                continue
            filled.add(marker)
            late = _late_text(marker, state)
            if state.makes_html:
                late = parse_fragment(late, state.expander.root_frame(), state)
            state.strip.fill(marker, late)
            inside += _late_markers(late, state)
        text = "".join([*pieces, text[position:]])
    return apply_changes(text, state, state.after_expansion)


def _late_text(marker: str, state: ParseState) -> str:
    """Return a text if it can still be included, else a comment that says that it is omitted."""
    state.budget.step()
    late = result_of(state.late_texts[marker], state)
    if not state.usage.include(late):
        return state.expander.note_omitted_text()
    state.budget.keep(late)
    return late


def _late_markers(text: str, state: ParseState) -> Iterable[str]:
    if "\x7f" not in text:
        return ()
    return [match[0] for match in MARKER.finditer(text) if match[0] in state.late_texts]
