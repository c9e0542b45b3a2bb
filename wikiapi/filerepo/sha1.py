"""SHA-1 digests: 31 digits of base 36 in the store, 40 hexadecimal digits in answers."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

_BASE36_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_STORED_LENGTH = 31
_HEX = re.compile(r"[0-9a-fA-F]{40}\Z", re.ASCII)
_BASE36 = re.compile(r"[0-9a-z]{31}\Z", re.ASCII)


def to_hex(stored: str) -> str:
    """Return the hexadecimal form of a stored digest, or "" if it is not valid."""
    if not _BASE36.match(stored):
        return ""
    return f"{int(stored, 36):040x}"


def from_hex(digest: str) -> str:
    """Return the stored form of a hexadecimal digest, or "" if it is not valid."""
    if not _HEX.match(digest):
        return ""
    number, digits = int(digest, 16), ""
    while number:
        number, digit = divmod(number, 36)
        digits = _BASE36_DIGITS[digit] + digits
    return digits.rjust(_STORED_LENGTH, "0")


def sha1_of_file(path: Path) -> str:
    """Return the stored form of the digest of a file, which is read in parts.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return from_hex(hashlib.file_digest(file, "sha1").hexdigest())
