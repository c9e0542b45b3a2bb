"""Feeds XML to expat in chunks, in linear time and with a limit on what expat buffers.

With every chunk, expat parses a tag that is still incomplete from its start. If all chunks had the
same size, a long tag would be parsed again and again, in quadratic time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

__all__ = [
    "XmlFeed",
]


if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

_CHUNK = 1 << 16


class EndlessTag(ValueError):
    """A tag or comment exceeds the maximum length."""


class XmlFeed:
    """Feeds one document to a parser. Exceptions of the parser's handlers pass through."""

    def __init__(self, parser: XMLParserType, longest_tag: int) -> None:
        """Take the parser and the maximum length of a tag or comment in bytes."""
        self._parser = parser
        self._longest_tag = longest_tag
        self._fed = 0

    def feed(self, chunk: bytes) -> None:
        """Parse the next chunk.

        Raises:
            EndlessTag: a tag or comment is too long.
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
        """Parse a whole file, in chunks at least as large as what the parser has buffered.

        Raises:
            EndlessTag, ExpatError: as for :meth:`feed` and :meth:`finish`.
            OSError: the file cannot be read.
        """
        while chunk := file.read(max(_CHUNK, self._pending)):
            self.feed(chunk)
        self.finish()

    @property
    def _pending(self) -> int:
        """The number of bytes of an incomplete tag that the parser has buffered."""
        return self._fed - self._parser.CurrentByteIndex if self._fed else 0
