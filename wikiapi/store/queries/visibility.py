"""Visibility: the bits of rev_deleted, ar_deleted, log_deleted and oi_deleted that hide values.

Few users have the right to see hidden values. The query functions of this package leave them out or
replace them with None, unless they are told which ones the reader may see. The bits are always
returned, to show that something is hidden.
"""

from __future__ import annotations

from typing import Any

from peewee import fn

from wikiapi.store.models import Block, BlockTarget

TEXT = 1
"""The content of a revision or a file."""
ACTION = 1
"""The action, target and parameters of a log entry."""
COMMENT = 2
USER = 4
RESTRICTED = 8
"""Hidden from administrators as well."""


def is_hidden(bits: int, what: int) -> bool:
    """Return whether any of the bits ``what`` is set."""
    return bool(bits & what)


def readable_bits(bits: int, allowed: int) -> int:
    """Return the bits of the hidden values of a row that a reader may see.

    ``allowed`` contains the bits that the reader's rights allow, with RESTRICTED if they allow
    values hidden from administrators.
    """
    return 0 if bits & RESTRICTED and not allowed & RESTRICTED else bits & allowed


def not_hidden(column: Any, what: int) -> Any:
    """Return the condition that none of the bits ``what`` is set in a column."""
    return column.bin_and(what) == 0


def user_is_hidden(user_id: Any) -> Any:
    """Return the condition that a block hides the name of a user. ``user_id`` is a column."""
    # Aliases, since the query around this may be one of the blocks themselves.
    targets, blocks = BlockTarget.alias(), Block.alias()
    hiding = (
        targets.select(targets.bt_id)
        .join(blocks, on=(blocks.bl_target == targets.bt_id))
        .where((targets.bt_user == user_id) & (blocks.bl_deleted == 1))
    )
    return fn.EXISTS(hiding)


def user_is_not_hidden(user_id: Any) -> Any:
    """Return the condition that no block hides the name of a user. ``user_id`` is a column."""
    return ~user_is_hidden(user_id)
