"""Redirects: ``#REDIRECT [[Title]]`` at the start of a page, in the wiki's language."""

from __future__ import annotations

import re
from urllib.parse import unquote

from wikiapi.languages.magicwords import MagicWords
from wikiapi.title.codec import TitleCodec
from wikiapi.title.namespaces import CATEGORY, SPECIAL
from wikiapi.title.title import Title

_NAME = "redirect"
_BLANKS = r"[ \t\n\r\f\v]*"


class Redirects:
    """Reads and writes the redirects of one wiki."""

    def __init__(self, titles: TitleCodec, words: MagicWords) -> None:
        """Use the codec of the wiki's titles, and the words of its language."""
        self._titles = titles
        self._word = words[_NAME].words[0]
        self._pattern = re.compile(
            rf"{_BLANKS}{words.pattern(_NAME)}{_BLANKS}(?::{_BLANKS})?"
            rf"\[\[:?([^\]|\n]*)(?:\|[^\]\n]*)?\]\]{_BLANKS}"
        )

    def target(self, text: str) -> Title | None:
        """Return the page that a text redirects to, or ``None`` if it is not a redirect."""
        parts = self.split(text)
        return parts[0] if parts else None

    def split(self, text: str) -> tuple[Title, str] | None:
        """Return the target of a redirect and the text after it, without blanks at its start."""
        match = self._pattern.match(text)
        if match is None:
            return None
        name = unquote(match[1], errors="replace") if "%" in match[1] else match[1]
        target = self._titles.try_parse(name)
        if target is None or (target.ns == SPECIAL and target.dbkey.lower() == "userlogout"):
            return None
        return target, text[match.end() :]

    def text(self, target: Title) -> str:
        """Return a text that redirects to a page."""
        colon = ":" if target.ns == CATEGORY else ""
        return f"{self._word} [[{colon}{target.full_text}]]"
