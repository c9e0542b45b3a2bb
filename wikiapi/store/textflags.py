"""The text table's flags: how the bytes of a row become a text."""

from __future__ import annotations

import zlib

from wikiapi.store.errors import StoreCorrupt

LONGEST_TEXT = 64 * 1024 * 1024
"""A compressed text that grows beyond this many bytes is taken for a bomb."""

_KNOWN = frozenset({"", "utf-8", "utf8", "gzip"})


def decode_text(raw: bytes | str, flags: str) -> str:
    """The text of a row of the text table; bytes that are no UTF-8 become U+FFFD.

    Raises StoreCorrupt for what only MediaWiki itself can read (serialised objects, external
    storage) and for compressed data that is broken or does not end.
    """
    if isinstance(raw, str) and "gzip" not in flags:
        _check_known(flags)
        return raw
    return stored_bytes(raw, flags).decode("utf-8", "replace")


def stored_bytes(raw: bytes | str, flags: str) -> bytes:
    """The bytes of the text that a row stands for, which sizes and hashes are made from.

    Raises StoreCorrupt as :func:`decode_text` does.
    """
    names = _check_known(flags)
    data = raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else bytes(raw)
    return inflate(data) if "gzip" in names else data


def _check_known(flags: str) -> set[str]:
    names = {flag.strip() for flag in flags.split(",")}
    if unknown := names - _KNOWN:
        raise StoreCorrupt(f"text stored as {', '.join(sorted(unknown))} cannot be read")
    return names


def inflate(raw: bytes) -> bytes:
    """Undo PHP's ``gzdeflate``: a bare deflate stream, with neither header nor checksum."""
    decompressor = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = decompressor.decompress(raw, LONGEST_TEXT + 1)
    except zlib.error as error:
        raise StoreCorrupt(f"compressed text is broken: {error}") from error
    if len(text) > LONGEST_TEXT:
        raise StoreCorrupt(f"compressed text grows beyond {LONGEST_TEXT} bytes")
    if not decompressor.eof:
        raise StoreCorrupt("compressed text is cut short")
    return text
