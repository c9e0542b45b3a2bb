"""The raw terminals of a text, found by one regular expression.

Lark's own lexer makes a token with line and column of every piece, to be thrown away: the pairing
(see :mod:`~wikiapi.wikitext.preprocess.pairing`) needs no more than kinds and positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from lark.lexer import BasicLexer, Lexer

if TYPE_CHECKING:
    from lark.common import LexerConf


class RawText(NamedTuple):
    """A text, and its raw terminals: ``lastgroup`` of each match is the name."""

    source: str
    terminals: Iterator[re.Match[str]]


class RawScanner(Lexer):
    """A lexer for Lark that leaves making tokens to the post-lexer. Holds no state."""

    def __init__(self, conf: LexerConf) -> None:
        """Join the grammar's terminals, in the order in which Lark tries them."""
        ordered = BasicLexer(conf).terminals
        self._terminals = re.compile(
            "|".join(f"(?P<{terminal.name}>{terminal.pattern.to_regexp()})" for terminal in ordered)
        )

    def lex(self, source: str) -> RawText:  # type: ignore[override]
        """Return the terminals, which follow each other without a gap."""
        return RawText(source, self._terminals.finditer(source))
