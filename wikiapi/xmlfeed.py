"""Feeds XML to expat piece by piece: in linear time, and with a bound on what it holds back.

Expat begins a tag that has not ended anew with every piece. Whoever feeds it pieces of one size
makes it read a long tag over and over again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

_CHUNK = 1 << 16


class EndlessTag(ValueError):
    """A tag or comment is longer than it may be."""


class XmlFeed:
    """Feeds one document to a parser. Every method may raise what the parser's handlers raise."""

    def __init__(self, parser: XMLParserType, longest_tag: int) -> None:
        """Feed this parser; ``longest_tag`` is in bytes."""
        self._parser = parser
        self._longest_tag = longest_tag
        self._fed = 0

    def feed(self, chunk: bytes) -> None:
        """Parse the next piece.

        Raises:
            EndlessTag: what was fed of a tag or comment is too long.
            ExpatError: the document is not well-formed.
        """
        self._parser.Parse(chunk, False)
        self._fed += len(chunk)
        if self._pending > self._longest_tag:
            raise EndlessTag("a tag or comment without an end")

    def finish(self) -> None:
        """Check the end of the document.

        Raises:
            ExpatError: it is not complete.
        """
        self._parser.Parse(b"", True)

    def read(self, file: BinaryIO) -> None:
        """Parse a whole file, in pieces as large as what the parser holds back.

        Raises:
            EndlessTag, ExpatError: as for :meth:`feed` and :meth:`finish`.
            OSError: the file cannot be read.
        """
        while chunk := file.read(max(_CHUNK, self._pending)):
            self.feed(chunk)
        self.finish()

    @property
    def _pending(self) -> int:
        """Bytes that were fed of a tag that has not ended yet."""
        return self._fed - self._parser.CurrentByteIndex if self._fed else 0
