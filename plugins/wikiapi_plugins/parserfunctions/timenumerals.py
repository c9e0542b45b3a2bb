"""Numbers written with letters: Roman and Hebrew numerals."""

from __future__ import annotations

_ROMAN = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"],
        strict=True,
    )
)
_MOST_ROMAN = 10000
_HEBREW = tuple(
    zip(
        (400, 300, 200, 100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
        "תשרקצפעסנמלכיטחזוהדגבא",
        strict=True,
    )
)
_MOST_HEBREW = 9999
_AVOIDED = {15: "טו", 16: "טז"}
"""Letters that would spell a name of God."""
_GERESH, _GERSHAYIM = "'", '"'


def roman(number: int) -> str:
    """A number in Roman numerals, or in digits beyond 10,000."""
    if not 0 < number <= _MOST_ROMAN:
        return str(number)
    written = []
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        written.append(letters * count)
    return "".join(written)


def hebrew(number: int) -> str:
    """A number in Hebrew numerals, or in digits beyond 9999."""
    if not 0 < number <= _MOST_HEBREW:
        return str(number)
    thousands, rest = divmod(number, 1000)
    before = _letters(thousands) + _GERESH if thousands else ""
    letters = _letters(rest)
    if len(letters) == 1:
        return f"{before}{letters}{_GERESH}"
    return f"{before}{letters[:-1]}{_GERSHAYIM}{letters[-1]}" if letters else before


def _letters(number: int) -> str:
    written: list[str] = []
    for value, letter in _HEBREW:
        if number in _AVOIDED:
            return "".join(written) + _AVOIDED[number]
        count, number = divmod(number, value)
        written.append(letter * count)
    return "".join(written)
