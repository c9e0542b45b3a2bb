"""The raw terminals of a text, found by one regular expression.

Lark's own lexer would create a token with line and column for each of them, which is wasted: the
post-lexer (:mod:`~wikiapi.wikitext.preprocess.pairing`) needs only types and positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lark.lexer import BasicLexer, Lexer

from wikiapi.budget import Allowance, Budget

if TYPE_CHECKING:
    from lark.common import LexerConf


_UNLIMITED = Budget(Allowance())


@dataclass(slots=True, eq=False)
class Reading:
    """A text that is being parsed: the input of Lark, which passes it on to the lexer."""

    source: str
    budget: Budget
    events: int = 0
    """The number of brackets, separators, tags and comments in the text, set by the post-lexer."""


class RawText(NamedTuple):
    """A text and its raw terminals; the ``lastgroup`` of each match is the terminal's name."""

    reading: Reading
    terminals: Iterator[re.Match[str]]


class RawScanner(Lexer):
    """A lexer for Lark that leaves the creation of tokens to the post-lexer. Stateless."""

    def __init__(self, conf: LexerConf) -> None:
        """Join the grammar's terminals, in the order in which Lark tries them."""
        ordered = BasicLexer(conf).terminals
        self._terminals = re.compile(
            "|".join(f"(?P<{terminal.name}>{terminal.pattern.to_regexp()})" for terminal in ordered)
        )

    def lex(self, text: str | Reading) -> RawText:  # type: ignore[override]
        """Return the terminals, which cover the text without gaps."""
        reading = text if isinstance(text, Reading) else Reading(text, _UNLIMITED)
        return RawText(reading, self._terminals.finditer(reading.source))
