"""Texts that come out of Lua, where they are bytes."""

from __future__ import annotations


def well_formed(text: str) -> str:
    """The text with U+FFFD for bytes that are no UTF-8, and for NUL, which no page holds."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
