"""The sanitiser of inline styles."""

from __future__ import annotations

import re

from wikiapi.title.references import decode_references

INSECURE = "/* insecure input */"
INVALID_CONTROL = "/* invalid control char */"

_LOOKALIKES = str.maketrans(
    {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)}
    | {"ʀ": "r", "ɴ": "n", "ⁿ": "n", "ʟ": "l", "ɪ": "i", "⁽": "(", "₍": "("}
)
_ESCAPE = re.compile(r"\\(?:(\r\n|[\n\f\r])|([0-9A-Fa-f]{1,6})[\t\n\f\r ]?|(.)|\Z)", re.DOTALL)
_COMMENT = re.compile(r"/\*(?:.*?(\*/)|.*+)", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ufffd]")
_DANGEROUS = re.compile(
    r"expression|accelerator\s*:|-o-link\s*:|-o-link-source\s*:|-o-replace\s*:|filter\s*:"
    r"|url\s*\(|src\s*\(|image\s*\(|image-set\s*\(",
    re.IGNORECASE,
)
_ATTR = re.compile(r"attr\s*\([^)]", re.IGNORECASE)
_URL = re.compile(r"[\s,]url", re.IGNORECASE)


def check_css(value: str) -> str:
    """Return a style without comments and escapes, or a comment that says why it was rejected."""
    css = decode_references(value)
    if "\\" in css:
        css = _ESCAPE.sub(_unescape, css)
    # A comment that is not closed extends to the end.
    css = _COMMENT.sub(lambda match: " " if match[1] else "", css)
    if _CONTROL.search(css):
        return INVALID_CONTROL
    plain = css.translate(_LOOKALIKES)
    if _DANGEROUS.search(plain) or _takes_url(plain):
        return INSECURE
    return css


def _takes_url(css: str) -> bool:
    """Return whether an ``attr()`` reads a URL; an unclosed one extends to the end."""
    for piece in css.split(")"):
        match = _ATTR.search(piece)
        if match and _URL.search(piece, match.end()):
            return True
    return False


def _unescape(match: re.Match[str]) -> str:
    newline, digits, other = match.groups()
    if newline:
        return ""
    if digits:
        number = int(digits, 16)
        is_character = number <= 0x10FFFF and not 0xD800 <= number < 0xE000
        character = chr(number) if is_character else "\ufffd"
    else:
        character = other or "\\"
    if character in "\n\"'\\":
        return f"\\{ord(character):x} "
    return character
