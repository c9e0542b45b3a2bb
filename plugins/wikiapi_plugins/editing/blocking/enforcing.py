"""Enforcing blocks: what a block forbids, and the error of a blocked action."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from wikiapi.api import Obj, RequestContext, moment_of
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain
from wikiapi.i18n.dates import format_time_and_date
from wikiapi.store import BlockRow, PageRow
from wikiapi.title import USER_TALK, Title
from wikiapi_plugins.query.users.blocks import block_details
from wikiapi_plugins.query.users.currentblocks import (
    ACTION,
    NAMESPACE,
    PAGE,
    Restriction,
    blocks_on,
    restrictions_of,
)

ACTIONS: Mapping[str, int] = MappingProxyType({"upload": 1, "move": 2, "create": 3})
"""Actions that a partial block can forbid, with their numbers in the store."""


def block_against(
    context: RequestContext, action: str, title: Title | None = None, row: PageRow | None = None
) -> BlockRow | None:
    """Return the block that forbids an action; ``None`` if it is allowed. At most two queries.

    Without a ``title``, the action is not on a page, and only sitewide blocks forbid it. ``row`` is
    ``None`` if the page does not exist; an edit creates it then.
    """
    blocks = blocks_on(context)
    partial = [block.block_id for block in blocks if not block.sitewide]
    restrictions = restrictions_of(context.site.db, partial) if partial else {}
    for block in blocks:
        own = restrictions.get(block.block_id, set())
        if _forbids(block, own, context.user.name, action, title, row):
            return block
    return None


def _forbids(
    block: BlockRow,
    restrictions: Collection[Restriction],
    user: str,
    action: str,
    title: Title | None,
    row: PageRow | None,
) -> bool:
    is_own_talk = title is not None and title.ns == USER_TALK and title.text == user
    if block.sitewide:
        return not (is_own_talk and block.allow_usertalk)
    done = {action, "create"} if action == "edit" and title and row is None else {action}
    if any(Restriction(ACTION, ACTIONS[name]) in restrictions for name in done & ACTIONS.keys()):
        return True
    if title is None:
        return False
    if row is not None and Restriction(PAGE, row.page_id) in restrictions:
        return True
    in_namespace = Restriction(NAMESPACE, title.ns) in restrictions
    return in_namespace and not (is_own_talk and block.allow_usertalk)


def refuse_blocked(
    context: RequestContext, action: str, title: Title | None = None, row: PageRow | None = None
) -> None:
    """Refuse an action that a block forbids. At most two queries.

    Raises:
        ApiError: ``blocked``, with the data of the block.
    """
    block = block_against(context, action, title, row)
    if block is not None:
        raise blocked_error(context, block)


def blocked_error(context: RequestContext, block: BlockRow) -> ApiError:
    """Return the error with which a block refuses an action."""
    language = context.error_language
    ends = block.expiry[:1].isdigit()
    by_name, _ = block.author(shows_hidden=context.user.can("hideuser"))
    params = (
        Plain(by_name),
        Plain(block.reason),
        Plain(context.request.remote_address),
        Plain(by_name),
        block.block_id,
        format_time_and_date(moment_of(block.expiry), language) if ends else "infinite",
        Plain(block.user_name or block.address or ""),
        format_time_and_date(moment_of(block.timestamp), language),
    )
    key = "blockedtext" if block.sitewide else "blockedtext-partial"
    data = {"blockinfo": Obj(block_details(block, context, language))}
    return ApiError(Message(key, params), "blocked", data)
