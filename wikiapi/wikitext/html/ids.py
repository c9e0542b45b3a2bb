"""The names of sections, from the texts of headings and links."""

from __future__ import annotations

import re

from wikiapi.title.codec import TITLE_SPACE

_BIDI_MARKS = re.compile("[\u200e\u200f\u202a-\u202e]+")


def section_name(text: str) -> str:
    """Return a heading's text as the fragment of a title: with single spaces, none at the end."""
    return TITLE_SPACE.sub(" ", _BIDI_MARKS.sub("", text)).rstrip(" ")
