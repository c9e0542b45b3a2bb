"""Messages of MediaWiki that say the same as messages of wikiapi under other keys.

Where MediaWiki's text is there, it is used, so that the whole interface of a wiki is in its
language and in the words that its administrators have chosen. A folder of messages declares them in
``mediawiki.json``: by the key of wikiapi's message that of MediaWiki's, or a list that begins with
it, if its parameters are others::

    {
      "reader-log-out": "userlogout",
      "reader-contributions-of": ["contributions-title", 1, 1]
    }

The numbers in a list are, for each parameter of MediaWiki's text, that of wikiapi's message; 0 for
one that stays empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

FILE = "mediawiki.json"
"""The name of the file in a folder of messages."""
_PARAMETER = re.compile(r"\$([1-9])")
_NO_TEXT = ("", "-")
"""The texts with which MediaWiki's administrators switch a message off."""


class Equivalent(NamedTuple):
    """A message of MediaWiki, and which of the parameters of wikiapi's message are its own."""

    key: str
    params: tuple[int, ...] = ()
    """The number of each parameter, from 1; 0 for an empty one. Nothing if they are the same."""

    def adapted(self, text: str | None) -> str | None:
        """Return MediaWiki's text with the parameters of wikiapi's message, or None for no text."""
        if text is None or text in _NO_TEXT:
            return None
        return _PARAMETER.sub(self._renumbered, text) if self.params else text

    def _renumbered(self, match: re.Match[str]) -> str:
        index = int(match[1])
        number = self.params[index - 1] if index <= len(self.params) else 0
        return f"${number}" if number else ""


def read_equivalents(folder: Path) -> Mapping[str, Equivalent]:
    """Return what a folder of messages declares, by the keys of wikiapi's messages."""
    path = folder / FILE
    if not path.is_file():
        return {}
    declared: dict[str, str | list[str | int]] = json.loads(path.read_text("utf-8"))
    return {key: _equivalent(value) for key, value in declared.items()}


def _equivalent(value: str | list[str | int]) -> Equivalent:
    if isinstance(value, str):
        return Equivalent(value)
    key, *params = value
    return Equivalent(str(key), tuple(map(int, params)))
