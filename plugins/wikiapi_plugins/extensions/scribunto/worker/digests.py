"""``mw.hash``: digests by the names that PHP has for them."""

from __future__ import annotations

import hashlib
import zlib

_FIXED_LENGTH = {
    "md5": "md5",
    "sha1": "sha1",
    "sha224": "sha224",
    "sha256": "sha256",
    "sha384": "sha384",
    "sha512": "sha512",
    "sha512/224": "sha512_224",
    "sha512/256": "sha512_256",
    "sha3-224": "sha3_224",
    "sha3-256": "sha3_256",
    "sha3-384": "sha3_384",
    "sha3-512": "sha3_512",
    "ripemd160": "ripemd160",
}
_FNV_PRIMES = {32: 0x01000193, 64: 0x100000001B3}
_FNV_STARTS = {32: 0x811C9DC5, 64: 0xCBF29CE484222325}


def names() -> list[str]:
    """The digests there are."""
    known = [name for name, own in _FIXED_LENGTH.items() if own in hashlib.algorithms_available]
    return [*known, "adler32", "crc32b", "fnv132", "fnv1a32", "fnv164", "fnv1a64", "joaat"]


def digest(name: str, data: bytes) -> str:
    """A digest in hexadecimal.

    Raises:
        ValueError: there is no such digest.
    """
    if name in _FIXED_LENGTH:
        return hashlib.new(_FIXED_LENGTH[name], data, usedforsecurity=False).hexdigest()
    match name:
        case "adler32":
            return f"{zlib.adler32(data):08x}"
        case "crc32b":
            return f"{zlib.crc32(data):08x}"
        case "fnv132" | "fnv164":
            return _fnv(data, int(name[4:]), xor_first=False)
        case "fnv1a32" | "fnv1a64":
            return _fnv(data, int(name[5:]), xor_first=True)
        case "joaat":
            return _joaat(data)
    raise ValueError(f"Unknown hashing algorithm: {name}")


def _fnv(data: bytes, bits: int, *, xor_first: bool) -> str:
    value, prime, mask = _FNV_STARTS[bits], _FNV_PRIMES[bits], (1 << bits) - 1
    for byte in data:
        value = (value ^ byte) * prime & mask if xor_first else value * prime & mask ^ byte
    return f"{value:0{bits // 4}x}"


def _joaat(data: bytes) -> str:
    """Jenkins's one-at-a-time."""
    mask, value = 0xFFFFFFFF, 0
    for byte in data:
        value = value + byte & mask
        value = value + (value << 10) & mask
        value ^= value >> 6
    value = value + (value << 3) & mask
    value ^= value >> 11
    return f"{value + (value << 15) & mask:08x}"
