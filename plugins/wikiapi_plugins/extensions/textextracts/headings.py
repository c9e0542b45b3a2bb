"""Section titles within extracts.

In plain text, a title is marked with its level between control characters until its form is known:
extracts are kept for every form.
"""

from __future__ import annotations

import re

START = "\1\2"
END = "\2\1"
_MARKED = re.compile(f"{START}([1-6]){END}(.*)$", re.MULTILINE)
_ELEMENT = re.compile(r"(?<!\s)\s*+(<h([1-6])\b)", re.IGNORECASE)
_HTML = re.compile(r"<h[1-6]\b")
_BLANKS = " \t\n\r\0\x0b"


def mark(html: str) -> str:
    """HTML with a mark before each heading, which begins a line after an empty one."""
    return _ELEMENT.sub(rf"\n\n{START}\2{END}\1", html)


def introduction(text: str, *, plain: bool) -> str:
    """What comes before the first heading."""
    if plain:
        return text.partition(START)[0].rstrip(_BLANKS)
    match = _HTML.search(text)
    return text[: match.start()] if match else text


def formatted(text: str, form: str) -> str:
    """Plain text with its titles ``plain``, as in ``wiki`` text, or ``raw``: marked."""
    if form == "raw":
        return text
    return _MARKED.sub(_wiki if form == "wiki" else _plain, text)


def _wiki(match: re.Match[str]) -> str:
    bars = "=" * int(match[1])
    return f"\n{bars} {match[2].strip(_BLANKS)} {bars}"


def _plain(match: re.Match[str]) -> str:
    return "\n" + match[2].strip(_BLANKS)
