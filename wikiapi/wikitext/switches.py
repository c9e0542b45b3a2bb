"""Behaviour switches: ``__NOTOC__`` and the like, taken out of the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.block.toc import TOC_MARK

if TYPE_CHECKING:
    from wikiapi.wikitext.declarations import BehaviorSwitch
    from wikiapi.wikitext.registries import WikitextRegistries
    from wikiapi.wikitext.state import ParseState


class SwitchFinder:
    """Finds the switches of a site; made once."""

    def __init__(self, registries: WikitextRegistries) -> None:
        """Know these switches."""
        self._exact: dict[str, BehaviorSwitch] = {}
        self._folded: dict[str, BehaviorSwitch] = {}
        for switch in registries.switches.values():
            table = self._exact if switch.case_sensitive else self._folded
            for word in switch.aliases:
                table[word if switch.case_sensitive else word.lower()] = switch
        words = sorted({*self._exact, *self._folded}, key=len, reverse=True)
        alternatives = "|".join(re.escape(word) for word in words)
        self._pattern = re.compile(alternatives, re.IGNORECASE) if words else None

    def apply(self, text: str, state: ParseState) -> str:
        """The text without switches; the first ``__TOC__`` becomes the mark of its place."""
        if "__" not in text or self._pattern is None:
            return text
        return self._pattern.sub(lambda match: self._found(match[0], state), text)

    def _found(self, word: str, state: ParseState) -> str:
        switch = self._exact.get(word) or self._folded.get(word.lower())
        if switch is None:
            return word
        first = switch.name not in state.output.switches
        state.output.switches.setdefault(switch.name)
        if switch.is_property:
            state.output.properties.setdefault(switch.name, "")
        if switch.tracking_category:
            state.add_tracking_category(switch.tracking_category)
        return TOC_MARK if switch.name == "toc" and first else ""
