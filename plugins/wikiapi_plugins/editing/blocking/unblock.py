"""``action=unblock``."""

from __future__ import annotations

from wikiapi.accounts import blocking, covering, read_range
from wikiapi.api import (
    REASON,
    TAGS,
    USER_ID,
    WATCH_USER,
    Obj,
    WriteAction,
    integer,
    iso,
    one_of,
    user,
    watch_expiry,
    watch_period,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.pages import Changelog, Watcher
from wikiapi.store import BlockRow
from wikiapi.store.models import BlockTarget
from wikiapi.store.queries import users
from wikiapi.title import spell_address
from wikiapi_plugins.editing.blocking.block import check_may_block
from wikiapi_plugins.editing.blocking.targets import (
    find_target,
    is_hidden_account,
    mark_name,
)


class Unblock(WriteAction):
    """Lift a block."""

    name = "unblock"
    position = 31
    params = (
        integer("id", "Id of the block, from ``list=blocks``."),
        user(
            "user",
            "User, IP address or range to unblock.",
            kinds=("name", "ip", "temp", "cidr", "id"),
        ),
        USER_ID,
        REASON,
        TAGS,
        *WATCH_USER,
    )
    examples = (("action=unblock&id=105&token=123ABC", "Lift a block by its id"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Block",)

    def perform(self) -> None:
        """Remove the block, log that, and put the removed block into the result.

        Raises:
            ApiError: there is no such block, or the user may not lift blocks.
        """
        which = one_of(self, "id", "user", "userid")
        self.require_right("block", "apierror-permissiondenied-unblock")
        block = self._block(which)
        target = blocking.target_of(block)
        was_hidden = target.is_account and is_hidden_account(self.db, target.user_id)
        if was_hidden and not self.context.user.can("hideuser"):
            raise ApiError("unblock-hideuser", "unblock-hideuser")
        changelog = Changelog(self.context.performer)
        blocking.BlockWriter(self.site, changelog.person).remove(block)
        stays_hidden = was_hidden and is_hidden_account(self.db, target.user_id)
        if was_hidden and not stays_hidden:
            mark_name(self.db, target, hidden=False)
        reason = self.p.text("reason")
        changelog.add_entry(
            "suppress" if stays_hidden else "block",
            "unblock",
            target.page(self.site),
            reason=reason,
            params={"blockId": block.block_id},
            is_public=not stays_hidden,
            relations={"ipb_id": [block.block_id]},
            tags=self.p.texts("tags"),
        )
        if self.p.flag("watchuser") and target.can_be_watched:
            Watcher(self.context.performer).watch([target.page(self.site)], watch_period(self))
        data = {
            "id": block.block_id,
            "user": "" if block.auto else target.name,
            "userid": target.user_id,
            "reason": reason,
            "watchuser": self.p.flag("watchuser"),
        }
        if expiry := watch_expiry(self):
            data["watchlistexpiry"] = iso(expiry)
        self.result.set((), self.name, Obj(data))

    def _block(self, which: str) -> BlockRow:
        """Return the block that a parameter names.

        Raises:
            ApiError: ``nosuchblockid``, ``cantunblock``, ``nosuchuserid`` or ``blockedasrange``,
                if there is no such block, ``multiblocks-id-required``, if there are several, or
                the user is blocked.
        """
        if which == "id":
            block = blocking.block_by_id(self.site, self.p.number("id"))
            if block is None:
                number = self.p.number("id")
                raise ApiError("nosuchblockid", "apierror-nosuchblockid", number)
            check_may_block(self, blocking.target_of(block), tells_block=True)
            return block
        if which == "userid":
            target = find_target(self.site, f"#{self.p.number('userid')}")
        else:
            name = self.p.text("user")
            missing = ApiError("cantunblock", "ipb_cant_unblock", Plain(name))
            try:
                target = find_target(self.site, name, missing)
            except ApiError:
                # Blocked users do not learn which accounts exist.
                check_may_block(self, blocking.Target(name), tells_block=True)
                raise
        check_may_block(self, target, tells_block=True)
        if target.is_hidden and not self.context.user.can("hideuser"):
            raise ApiError("unblock-hideuser", "unblock-hideuser")
        blocks = blocking.blocks_of(self.site, target)
        if len(blocks) > 1:
            raise ApiError("multiblocks-id-required", "apierror-multiblocks-id-required")
        if blocks:
            return blocks[0]
        self._refuse_part_of_range(target.name)
        raise ApiError("cantunblock", "ipb_cant_unblock", Plain(target.name))

    def _refuse_part_of_range(self, name: str) -> None:
        """Refuse an address that is blocked only as part of a range.

        Raises:
            ApiError: ``blockedasrange``.
        """
        address = read_range(name) if spell_address(name) else None
        if address is None:
            return
        query = users.SELECT_BLOCKS.where(covering(address), BlockTarget.bt_auto == 0)
        row = self.db.row(query)
        if row is not None:
            params = (Plain(name), Plain(BlockRow(*row).address or ""))
            raise ApiError("blockedasrange", "ipb_blocked_as_range", *params)
