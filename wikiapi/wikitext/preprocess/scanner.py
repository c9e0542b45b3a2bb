"""The raw terminals of a text, found by one regular expression.

Lark's own lexer would create a token with line and column for each of them, which is wasted: the
post-lexer (:mod:`~wikiapi.wikitext.preprocess.pairing`) needs only types and positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from lark.lexer import BasicLexer, Lexer

if TYPE_CHECKING:
    from lark.common import LexerConf


class RawText(NamedTuple):
    """A text and its raw terminals; the ``lastgroup`` of each match is the terminal's name."""

    source: str
    terminals: Iterator[re.Match[str]]


class RawScanner(Lexer):
    """A lexer for Lark that leaves the creation of tokens to the post-lexer. Stateless."""

    def __init__(self, conf: LexerConf) -> None:
        """Join the grammar's terminals, in the order in which Lark tries them."""
        ordered = BasicLexer(conf).terminals
        self._terminals = re.compile(
            "|".join(f"(?P<{terminal.name}>{terminal.pattern.to_regexp()})" for terminal in ordered)
        )

    def lex(self, source: str) -> RawText:  # type: ignore[override]
        """Return the terminals, which cover the text without gaps."""
        return RawText(source, self._terminals.finditer(source))
