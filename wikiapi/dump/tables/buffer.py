"""A window on a stream of bytes that regular expressions are matched in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.errors import DumpError

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

LONGEST = 1 << 24
"""Bytes of one row, or of one statement that is no INSERT; the table dumps' texts are short."""
AHEAD = 1 << 20


class Window:
    """What was read of a stream and not used yet; never more than a few megabytes."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        """Read from these."""
        self._chunks = chunks
        self._data = b""
        self._at = 0
        self._ended = False
        self._used = 0

    @property
    def position(self) -> int:
        """How many unpacked bytes have been used."""
        return self._used + self._at

    def match(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """Use up what matches here; None, and nothing is used up, if it does not.

        A pattern must end with a byte that tells that it is complete. Twice as much is read for
        each further try, so that the time is linear in the length of what is looked for.
        """
        while True:
            match = self.match_now(pattern)
            if match is not None or not self._grow():
                return match

    def peek(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """What matches in what has been read already; nothing is used up."""
        return pattern.match(self._data, self._at)

    def match_now(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """Use up what matches in what has been read already."""
        match = self.peek(pattern)
        self._at = match.end() if match else self._at
        return match

    def skip(self, pattern: re.Pattern[bytes]) -> bool:
        """Use up what matches in the next megabyte; says whether anything is left after it."""
        while self.read_ahead(AHEAD) or self._at < len(self._data):
            match = pattern.match(self._data, self._at)
            if match is None or match.end() == self._at:
                break
            self._at = match.end()
        return self._at < len(self._data)

    def _grow(self) -> bool:
        have = len(self._data) - self._at
        return have < LONGEST and self.read_ahead(max(AHEAD, 2 * have))

    def read_ahead(self, size: int) -> bool:
        """Have so many bytes ready, or all there are; says whether any were read for it."""
        if self._ended or len(self._data) - self._at >= size:
            return False
        parts, have = [self._data[self._at :]], len(self._data) - self._at
        before = have
        for chunk in self._chunks:
            parts.append(chunk)
            have += len(chunk)
            if have >= size:
                break
        else:
            self._ended = True
        self._used += self._at
        self._data, self._at = b"".join(parts), 0
        return have > before

    def shown(self) -> str:
        """The next few bytes, for an error."""
        return repr(self._data[self._at : self._at + 40].decode("utf-8", "replace"))

    def refuse(self, problem: str) -> DumpError:
        """The error for what stands here."""
        if self._ended and len(self._data) - self._at < LONGEST:
            return DumpError(f"{problem}, or the file ends too early: {self.shown()}")
        return DumpError(f"{problem}: {self.shown()}")
