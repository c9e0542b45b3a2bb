"""What users' lists tell of the block of an account, and moments as people read them."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_datetime

from wikiapi.api.params.types.timestamp import iso
from wikiapi.i18n.catalog import join_list

if TYPE_CHECKING:
    from wikiapi.store.users import BlockRow

_INFINITE = "infinite"


def block_details(block: BlockRow, language: str) -> dict[str, Any]:
    """The block of an account."""
    return {
        "blockid": block.block_id,
        "blockedby": block.by_name,
        "blockedbyid": block.by_id or 0,
        "blockreason": block.reason,
        "blockedtimestamp": iso(block.timestamp),
        "blockexpiry": expiry_of(block.expiry, _INFINITE),
        "blockpartial": not block.sitewide,
        "blocknocreate": bool(block.create_account),
        "blockanononly": bool(block.anon_only),
        "blockemail": bool(block.block_email),
        "blockowntalk": not block.allow_usertalk,
        "blockedtimestampformatted": read_out(block.timestamp, language),
    }


def expiry_of(stored: str, never: str = "infinity") -> str:
    """The end of something as answers write it."""
    return iso(stored) if stored[:1].isdigit() else never


def duration(start: str, end: str) -> str:
    """The time between two moments in words, by the calendar: ``1 month and 3 days``."""
    if not end[:1].isdigit():
        return _INFINITE
    first, last = _moment(start), _moment(end)
    months = (last.year - first.year) * 12 + last.month - first.month
    if _later(first, months) > last:
        months -= 1
    rest = last - _later(first, months)
    minutes, seconds = divmod(rest.seconds, 60)
    parts = {"year": months // 12, "month": months % 12, "day": rest.days}
    parts |= {"hour": minutes // 60, "minute": minutes % 60, "second": seconds}
    words = [f"{n} {unit if n == 1 else unit + 's'}" for unit, n in parts.items() if n]
    return join_list(words or ["0 seconds"])


def _later(moment: datetime, months: int) -> datetime:
    """The same day so many months later, or the last of a month that is too short for it."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    day = min(moment.day, monthrange(year, month + 1)[1])
    return moment.replace(year=year, month=month + 1, day=day)


def _moment(digits: str) -> datetime:
    return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def read_out(digits: str, language: str) -> str:
    """A moment in the words of a language: ``03:22, 21 November 2026``."""
    try:
        locale = Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse("en")
    return str(format_datetime(_moment(digits), "HH:mm, d MMMM y", locale=locale))
