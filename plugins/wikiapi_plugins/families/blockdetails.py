"""What lists of users and of blocks tell of a block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.types.timestamp import iso, moment_of
from wikiapi.i18n.dates import format_time_and_date
from wikiapi_plugins.families.expiries import describe_span

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
        "blockedtimestampformatted": format_time_and_date(moment_of(block.timestamp), language),
    }


def expiry_of(stored: str, never: str = "infinity") -> str:
    """The end of something as answers write it."""
    return iso(stored) if stored[:1].isdigit() else never


def duration(start: str, end: str, language: str) -> str:
    """How long a block lasts, in words: ``1 month and 3 days``."""
    if not end[:1].isdigit():
        return _INFINITE
    return describe_span(moment_of(start), moment_of(end), language)
