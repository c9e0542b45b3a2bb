"""How much work something is, measured so that it is the same on every machine."""

from __future__ import annotations

import sys


def work(function, *arguments):
    """Return the number of function calls, including those of the interpreter."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    return count
