"""Behaviour switches, such as ``__NOTOC__``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wikiapi.wikitext.block.sections import TOC_MARK
from wikiapi.wikitext.declarations import BehaviorSwitch
from wikiapi.wikitext.parsoid.elements import switch_element
from wikiapi.wikitext.state import ParseState


class SwitchFinder:
    """Finds the behaviour switches of a site in texts."""

    def __init__(self, switches: Iterable[BehaviorSwitch]) -> None:
        """Compile the patterns that find these switches."""
        self._exact: dict[str, BehaviorSwitch] = {}
        self._folded: dict[str, BehaviorSwitch] = {}
        for switch in switches:
            table = self._exact if switch.case_sensitive else self._folded
            for word in switch.aliases:
                table[word if switch.case_sensitive else word.lower()] = switch
        self._patterns = (_pattern(self._folded, re.IGNORECASE), _pattern(self._exact, 0))

    def apply(self, text: str, state: ParseState) -> str:
        """Return the text without switches; the first ``__TOC__`` is replaced by a mark."""
        if "__" not in text:
            return text
        for pattern in self._patterns:
            text = pattern.sub(lambda match: self._found(match[0], state), text)
        if "toc" in state.output.properties:
            state.output.properties["toc"] = state.output.properties.pop("toc")
        return text

    def _found(self, word: str, state: ParseState) -> str:
        switch = self._exact.get(word) or self._folded.get(word.lower())
        if switch is None:
            return word
        first = switch.name not in state.output.switches
        state.output.switches.setdefault(switch.name)
        state.output.properties.setdefault(switch.name, "")
        if switch.tracking_category and switch.applies(state.title):
            state.notices.add_tracking_category(switch.tracking_category)
        if switch.name == "toc" and first:
            return TOC_MARK
        return "" if state.sources is None else state.sources.element(switch_element(switch.name))


def _pattern(words: Iterable[str], flags: int) -> re.Pattern[str]:
    ordered = sorted(words, key=len, reverse=True)
    return re.compile("|".join(re.escape(word) for word in ordered) or r"(?!)", flags)
