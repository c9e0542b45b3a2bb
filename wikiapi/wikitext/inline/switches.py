"""Behaviour switches, such as ``__NOTOC__``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from wikiapi.title.title import Title
from wikiapi.wikitext.block.headings import TOC_MARK
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pagemessages import Notices
from wikiapi.wikitext.parsoid.elements import switch_element
from wikiapi.wikitext.parsoid.sources import Sources


@dataclass(frozen=True, slots=True)
class BehaviorSwitch:
    """``__NAME__``: sets the page property ``name`` to an empty value."""

    name: str
    aliases: tuple[str, ...]
    """The words themselves, underscores included."""
    case_sensitive: bool = False
    tracking_category: str = ""
    """Key of the message that names a category for the pages that use it."""
    applies: Callable[[Title], bool] = lambda title: True
    """Returns whether a page that uses it gets the category."""


class SwitchFinder:
    """Finds the behaviour switches of a site in texts."""

    def __init__(self, switches: Iterable[BehaviorSwitch]) -> None:
        """Compile the patterns that find these switches."""
        self._exact: dict[str, BehaviorSwitch] = {}
        self._folded: dict[str, BehaviorSwitch] = {}
        words: list[str] = []
        for switch in switches:
            if switch.case_sensitive:
                self._exact |= dict.fromkeys(switch.aliases, switch)
            else:
                self._folded |= {word.lower(): switch for word in switch.aliases}
                words += switch.aliases
        # Lower case is not for patterns: that of a capital letter may be two characters.
        self._patterns = (_pattern(words, re.IGNORECASE), _pattern(self._exact, 0))
        self._marks = {word[:2] for word in (*self._exact, *self._folded)}

    def apply(
        self,
        text: str,
        page: Title,
        output: ParserOutput,
        notices: Notices,
        sources: Sources | None,
    ) -> str:
        """Return the text of a page without switches, which are recorded in ``output``.

        The first ``__TOC__`` is replaced by a mark.
        """
        if not any(mark in text for mark in self._marks):
            return text

        def replacement(match: re.Match[str]) -> str:
            switch = self._exact.get(match[0]) or self._folded.get(match[0].lower())
            if switch is None:
                return match[0]
            is_first = switch.name not in output.switches
            output.switches.setdefault(switch.name)
            output.properties.setdefault(switch.name, "")
            if switch.tracking_category and switch.applies(page):
                notices.add_tracking_category(switch.tracking_category)
            if switch.name == "toc":
                return TOC_MARK if is_first else ""
            return "" if sources is None else sources.element(switch_element(switch.name))

        for pattern in self._patterns:
            text = pattern.sub(replacement, text)
        if "toc" in output.properties:
            output.properties["toc"] = output.properties.pop("toc")
        return text


def _pattern(words: Iterable[str], flags: int) -> re.Pattern[str]:
    ordered = sorted(words, key=len, reverse=True)
    return re.compile("|".join(re.escape(word) for word in ordered) or r"(?!)", flags)
