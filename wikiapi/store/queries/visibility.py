"""What has been hidden: the bits of rev_deleted, ar_deleted, log_deleted and oi_deleted.

Few users have the right to see hidden things, so the query functions of this package leave them out
or replace them by None unless they are told what the reader may see; the bits stay, to say that
something is hidden.
"""

from __future__ import annotations

from typing import Any

from peewee import fn

from wikiapi.store.models import Block, BlockTarget

TEXT = 1
"""The content of a revision or a file."""
ACTION = 1
"""Of a log entry: its action, target and parameters."""
COMMENT = 2
USER = 4
RESTRICTED = 8
"""Hidden from administrators as well."""


def is_hidden(bits: int, what: int) -> bool:
    """Return whether one of the bits ``what`` is set."""
    return bool(bits & what)


def seen_of(bits: int, allowed: int) -> int:
    """Return the hidden parts of a row that a reader sees, who may see those that are allowed."""
    return 0 if bits & RESTRICTED and not allowed & RESTRICTED else bits & allowed


def shown(column: Any, what: int) -> Any:
    """Return a condition: nothing of ``what`` is hidden in a row with these bits in the column."""
    return column.bin_and(what) == 0


def not_hidden_user(user_id: Any) -> Any:
    """Return a condition: no block hides the user's name. ``user_id`` is a column."""
    blocks = (
        BlockTarget.select(BlockTarget.bt_id)
        .join(Block, on=(Block.bl_target == BlockTarget.bt_id))
        .where((BlockTarget.bt_user == user_id) & (Block.bl_deleted == 1))
    )
    return ~fn.EXISTS(blocks)
