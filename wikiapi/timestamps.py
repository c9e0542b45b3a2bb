"""Times: MediaWiki's 14 digits ``YYYYMMDDhhmmss`` in UTC, and the other formats that it accepts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

__all__ = [
    "before",
    "in_zone",
    "is_real",
    "iso_all",
    "parse_moment",
]


_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\Z", re.ASCII)
_ISO = re.compile(
    r"(\d{4})[:-](\d\d)[:-](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,]\d+)?"
    r"(?:Z|([+-])(\d\d)(?::?(\d\d))?)?\Z",
    re.ASCII,
)
_ISO_BASIC = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z?\Z", re.ASCII)
_UNIX = re.compile(r"-?\d{1,13}(?:\.\d+)?\Z", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = datetime(1, 1, 1, tzinfo=UTC)
_LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
_DIGITS = 14
_MANY = 10
_ISO_LINE = b"0000-00-00T00:00:00Z\n"
_ISO_PLACES = tuple(place for place, byte in enumerate(_ISO_LINE) if byte == ord("0"))
"""The positions of the digits in the ISO format."""


def parse_moment(raw: str) -> datetime | None:
    """Return the time that a text represents, ``None`` if it does not represent any.

    Accepts MediaWiki's 14 digits, seconds since 1970, ISO 8601 (also without separators, with a
    space or with an offset), the format of EXIF and those of HTTP and mail headers.
    """
    try:
        for pattern in (_COMPACT, _ISO_BASIC, _ISO):
            if match := pattern.match(raw):
                moment = _carried(*map(int, match.groups()[:6]))
                if match.re is not _ISO or not match[7]:
                    return moment
                offset = timedelta(hours=int(match[8]), minutes=int(match[9] or 0))
                return moment - offset if match[7] == "+" else moment + offset
        if _UNIX.match(raw):
            return _EPOCH + timedelta(seconds=int(raw.partition(".")[0]))
        parsed = parsedate_to_datetime(raw)
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError, IndexError, TypeError):
        return None


def _carried(year: int, month: int, day: int, hour: int, minute: int, second: int) -> datetime:
    """Return the time with these numbers; those out of range are carried over, as in PHP.

    30 February becomes 2 March, and 25:00 becomes 1:00 of the next day.

    Raises:
        ValueError, OverflowError: the year is not from 1 to 9999.
    """
    years, month = divmod(month - 1, 12)
    first = datetime(year + years, month + 1, 1, tzinfo=UTC)
    return first + timedelta(day - 1, (hour * 60 + minute) * 60 + second)


def compact(moment: datetime) -> str:
    """Return a time as MediaWiki's 14 digits."""
    return moment.astimezone(UTC).strftime("%Y%m%d%H%M%S").rjust(14, "0")


def moment_of(digits: str) -> datetime:
    """Return the time that a timestamp in the store represents, even if it is invalid.

    A foreign database may contain impossible times. They are read like in MediaWiki: 30 February
    is 2 March, and a text that is not a timestamp is the beginning of 1970.
    """
    match = _COMPACT.match(digits)
    if match is None:
        return _EPOCH
    try:
        return _carried(*map(int, match.groups()))
    except (ValueError, OverflowError):
        return _FIRST if digits < "1000" else _LAST


def before(digits: str, span: timedelta) -> str:
    """Return the 14 digits of the time that is ``span`` before a timestamp in the store."""
    try:
        return compact(moment_of(digits) - span)
    except OverflowError:
        return compact(_FIRST)


def in_zone(moment: datetime, zone: str) -> datetime:
    """Return a time in a time zone; unchanged if it would be outside of the years 1 to 9999."""
    try:
        return moment.astimezone(ZoneInfo(zone))
    except OverflowError:
        return moment


def is_real(digits: str) -> bool:
    """Return whether 14 digits are a valid time in the years 1000 to 9999."""
    match = _COMPACT.match(digits)
    if match is None or digits < "1000":
        return False
    try:
        datetime(*map(int, match.groups()))  # type: ignore[arg-type]
    except ValueError:
        return False
    return True


def iso(digits: str) -> str:
    """Return MediaWiki's 14 digits in ISO 8601, the format of all timestamps in answers."""
    return (
        f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}T{digits[8:10]}:{digits[10:12]}:{digits[12:14]}Z"
    )


def iso_all(digits: Sequence[str]) -> list[str]:
    """Return the same for many timestamps, all converted at once, which is much faster."""
    text = "".join(digits)
    if len(digits) < _MANY or len(text) != _DIGITS * len(digits):
        return list(map(iso, digits))
    source, made = text.encode("ascii", "replace"), bytearray(_ISO_LINE * len(digits))
    for number, place in enumerate(_ISO_PLACES):
        made[place :: len(_ISO_LINE)] = source[number::_DIGITS]
    return made.decode("ascii").split("\n")[:-1]
