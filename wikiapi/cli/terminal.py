"""What a terminal may be shown: a page's text must not command it."""

from __future__ import annotations

import re

# Escape sequences begin with one of these: C0 and C1 controls but tab and line feed.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """The text with U+FFFD for every control character, those for writing direction included."""
    return _CONTROLS.sub("\ufffd", text)
