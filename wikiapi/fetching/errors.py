"""Errors of requests to other servers."""

from __future__ import annotations

import re

_LONGEST_PRINTED = 200
_UNPRINTABLE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")


class FetchError(Exception):
    """There is no usable answer."""


class Busy(FetchError):
    """A server is busy or out of reach, or its answer broke off: a later request may succeed.

    ``seconds`` is the wait that the server requests, or None.
    """

    def __init__(self, problem: str, seconds: int | None = None) -> None:
        super().__init__(problem)
        self.seconds = seconds


class Unacceptable(FetchError):
    """The answer is refused. The text is a predicate of the server, as in "sends ..."."""


class BadStatus(Unacceptable):
    """The status is not one of success; ``location`` is where a redirect leads to."""

    def __init__(self, status: int, location: str = "") -> None:
        text = f"answers HTTP {status}"
        if status in range(300, 400):
            text = f"redirects to {printable(location)!r}, which is not followed"
        super().__init__(text)
        self.status = status
        self.location = location


def printable(text: str) -> str:
    """Return a text from a server on one line, shortened and without control characters."""
    line = _UNPRINTABLE.sub(" ", text).strip()
    return line if len(line) <= _LONGEST_PRINTED else f"{line[:_LONGEST_PRINTED]}…"
