"""``action=block``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wikiapi.accounts import Restriction, blocking, blocks, blocks_on
from wikiapi.api import (
    REASON,
    TAGS,
    USER_ID,
    WATCH_USER,
    Arr,
    Obj,
    Param,
    TitleType,
    WriteAction,
    block_details,
    boolean,
    compact,
    enum,
    integer,
    iso,
    namespace,
    one_of,
    string,
    user,
    watch_expiry,
    watch_period,
)
from wikiapi.errors import ApiError
from wikiapi.expiry import INFINITY, expiry_moment, is_forever
from wikiapi.languages import Message, Plain, plain_list
from wikiapi.pages import Changelog, Watcher, cut_comment
from wikiapi.store import BlockRow
from wikiapi.store.models import User
from wikiapi.store.queries import pages
from wikiapi.title import USER_TALK, spell_address
from wikiapi_plugins.editing.blocking.targets import (
    find_target,
    is_hidden_account,
    mark_name,
)

_MAX_EDITS = 1000
"""Accounts with more edits than this cannot be hidden."""


class Block(WriteAction):
    """Block a user."""

    name = "block"
    position = 30
    params = (
        integer("id", "Id of the block to change."),
        user(
            "user",
            "User, IP address or range to block.",
            kinds=("name", "ip", "temp", "cidr", "id"),
        ),
        USER_ID,
        string(
            "expiry",
            "When the block ends: a time, a duration such as ``5 months``, or ``never``.",
            default="never",
        ),
        REASON,
        boolean("anononly", "Block only edits without an account from this IP address."),
        boolean("nocreate", "Prevent account creation."),
        boolean("autoblock", "Block the IP addresses that the user edits from."),
        boolean("noemail", "Prevent the user from sending mail."),
        boolean("hidename", "Hide the user name from the block log."),
        boolean("allowusertalk", "Allow the user to edit their own talk page."),
        boolean("reblock", "Change an existing block."),
        boolean("newblock", "Add another block to an existing one."),
        *WATCH_USER,
        TAGS,
        boolean("partial", "Block only edits of certain pages or namespaces."),
        Param(
            type=TitleType(must_exist=True),
            name="pagerestrictions",
            help="Pages for a partial block.",
            multi=True,
            multi_limit=10,
            multi_high_limit=10,
        ),
        namespace("namespacerestrictions", "Namespaces for a partial block.", multi=True),
        enum(
            "actionrestrictions",
            *blocks.ACTIONS,
            multi=True,
            help="Actions for a partial block.",
        ),
    )
    examples = (
        (
            "action=block&user=192.0.2.5&expiry=3%20days&reason=First%20strike&token=123ABC",
            "Block an IP address for three days",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Block",)

    def perform(self) -> None:
        """Store the block, log it, and put it into the result.

        Raises:
            ApiError: the block cannot be made, or the user may not block.
        """
        self.require_right("block")
        which = self._which()
        can_block_mail = self.site.config.editing.email and self.context.user.can("blockemail")
        if self.p.flag("noemail") and not can_block_mail:
            raise ApiError("cantblock-email", "apierror-cantblock-email")
        old, target = self._target(which)
        if target.is_hidden and not self.context.user.can("hideuser"):
            raise ApiError("cant-see-hidden-user", "cant-see-hidden-user")
        check_may_block(self, target)
        new = self._new_block(target)
        present = [old] if old else blocking.blocks_of(self.site, target)
        block_id = self._store(new, present)
        if self.p.flag("watchuser") and target.can_be_watched:
            Watcher(self.context.performer).watch([target.page(self.site)], watch_period(self))
        self._answer(new, block_id)

    def _which(self) -> str:
        """Return the name of the parameter that says whom to block."""
        which = one_of(self, "id", "user", "userid")
        flags = [name for name in ("newblock", "reblock") if self.p.flag(name)]
        other, refused = ("id", flags) if which == "id" else ("newblock", flags[1:])
        if refused:
            message = Message(
                "apierror-invalidparammix-cannotusewith", (plain_list(refused), Plain(other))
            )
            raise ApiError("invalidparammix-cannotusewith", message)
        return which

    def _target(self, which: str) -> tuple[BlockRow | None, blocking.Target]:
        """Return the block to be changed, if the request names it by id, and the target."""
        match which:
            case "id":
                number = self.p.number("id")
                old = blocking.block_by_id(self.site, number)
                if old is None:
                    raise ApiError("nosuchblockid", "apierror-nosuchblockid", number)
                if old.auto:
                    raise ApiError("modify-autoblock", "apierror-modify-autoblock")
                target = blocking.target_of(old)
                is_hidden = target.is_account and is_hidden_account(self.db, target.user_id)
                return old, replace(target, is_hidden=is_hidden)
            case "userid":
                return None, find_target(self.site, f"#{self.p.number('userid')}")
            case _:
                name = self.p.text("user")
                try:
                    return None, self._target_of_name(name)
                except ApiError:
                    # Blocked users do not learn which accounts exist.
                    check_may_block(self, blocking.Target(name))
                    raise

    def _target_of_name(self, name: str) -> blocking.Target:
        """Return the account, address or range of a name.

        Raises:
            ApiError: ``ip_range_toolarge`` or ``nosuchuser``.
        """
        address_range = blocks.read_range(name) if spell_address(name) else None
        if address_range is not None and address_range.is_too_wide:
            raise ApiError("ip_range_toolarge", "ip_range_toolarge", address_range.least_bits)
        missing = ApiError("nosuchuser", "nosuchusershort", Plain(name))
        return find_target(self.site, name, missing)

    def _new_block(self, target: blocking.Target) -> blocking.NewBlock:
        """Return the block that the parameters describe.

        Raises:
            ApiError: the parameters contradict each other, or need a right that the user lacks.
        """
        restrictions = self._restrictions() if self.p.flag("partial") else None
        is_partial, blocks_talk = restrictions is not None, not self.p.flag("allowusertalk")
        talk = Restriction(blocks.NAMESPACE, USER_TALK)
        if is_partial and blocks_talk and talk not in (restrictions or ()):
            raise ApiError("ipb-prevent-user-talk-edit", "ipb-prevent-user-talk-edit")
        new = blocking.NewBlock(
            target,
            cut_comment(self.p.text("reason")),
            self._expiry(),
            anon_only=self.p.flag("anononly") and not target.is_account,
            create_account=self.p.flag("nocreate"),
            autoblock=self.p.flag("autoblock") and target.is_account,
            email=self.p.flag("noemail"),
            user_talk=blocks_talk,
            hide_name=self.p.flag("hidename"),
            restrictions=restrictions,
        )
        if new.hide_name:
            self._check_hiding(new)
        blocks_more = new.create_account or new.email or new.user_talk
        if is_partial and not restrictions and not blocks_more:
            raise ApiError("ipb-empty-block", "ipb-empty-block")
        return new

    def _expiry(self) -> str:
        """Return the end of the block, ``infinity`` or 14 digits.

        Raises:
            ApiError: ``invalidexpiry`` or, for the past, ``ipb_expiry_old``.
        """
        expiry = self.p.text("expiry")
        if is_forever(expiry):
            return INFINITY
        end = expiry_moment(expiry, self.context.now)
        if end is None:
            raise ApiError("invalidexpiry", "ipb_expiry_invalid")
        if end <= self.context.now:
            raise ApiError("ipb_expiry_old", "ipb_expiry_old")
        return compact(end)

    def _restrictions(self) -> frozenset[Restriction]:
        titles = [self.site.titles.parse(text) for text in self.p.texts("pagerestrictions")]
        rows = pages.by_titles(self.db, [title.key for title in titles])
        numbers = self.p.numbers("namespacerestrictions")
        return frozenset(
            [
                *(Restriction(blocks.PAGE, row.page_id) for row in rows.values()),
                *(Restriction(blocks.NAMESPACE, number) for number in numbers),
                *(
                    Restriction(blocks.ACTION, blocks.ACTIONS[name])
                    for name in self.p.texts("actionrestrictions")
                ),
            ]
        )

    def _check_hiding(self, new: blocking.NewBlock) -> None:
        if not self.context.user.can("hideuser"):
            raise ApiError("unblock-hideuser", "unblock-hideuser")
        if not new.target.is_account:
            raise ApiError("ipb_hide_invalid", "ipb_hide_invalid")
        if new.restrictions is not None:
            raise ApiError("ipb_hide_partial", "ipb_hide_partial")
        if new.expiry != INFINITY:
            raise ApiError("ipb_expiry_temp", "ipb_expiry_temp")
        edits = User.select(User.user_editcount).where(User.user_id == new.target.user_id)
        if (self.db.scalar(edits) or 0) > _MAX_EDITS:
            raise ApiError("ipb_hide_invalid", "ipb_hide_invalid")

    def _store(self, new: blocking.NewBlock, present: list[BlockRow]) -> int:
        """Store and log the block; return its id."""
        changelog = Changelog(self.context.performer)
        writer = blocking.BlockWriter(self.site, changelog.person)
        may_add = self.p.flag("newblock") and self.site.config.editing.multiple_blocks
        may_change = self.p.is_given("id") or self.p.flag("reblock")
        block_ids = [block.block_id for block in present]
        restrictions = blocks.restrictions_of(self.db, block_ids) if present else {}
        is_there = any(new.is_like(b, restrictions.get(b.block_id, ())) for b in present)
        if is_there or (present and not (may_add or may_change)):
            raise ApiError("alreadyblocked", "ipb_already_blocked", Plain(new.target.name))
        is_change = bool(present) and not may_add
        if is_change:
            block_id = present[0].block_id
            if len(present) > 1:
                raise ApiError("multiblocks-id-required", "apierror-multiblocks-id-required")
            writer.change(block_id, new)
        else:
            block_id = writer.add(new)
        is_hidden = new.target.is_account and is_hidden_account(self.db, new.target.user_id)
        if new.hide_name or is_hidden != new.target.is_hidden:
            mark_name(self.db, new.target, hidden=is_hidden)
        changelog.add_entry(
            "suppress" if is_hidden else "block",
            "reblock" if is_change else "block",
            new.target.page(self.site),
            reason=self.p.text("reason"),
            params=self._log_params(new, block_id),
            is_public=not is_hidden,
            relations={"ipb_id": [block_id]},
            tags=self.p.texts("tags"),
        )
        return block_id

    def _log_params(self, new: blocking.NewBlock, block_id: int) -> dict[str, Any]:
        expiry = self.p.text("expiry")
        duration = INFINITY if new.expiry == INFINITY else expiry
        # The log has its own names of the flags.
        logged_flags = {
            "anononly": new.anon_only,
            "nocreate": new.create_account,
            "noautoblock": new.target.is_account and not new.autoblock,
            "noemail": new.email,
            "nousertalk": new.user_talk,
            "hiddenname": new.hide_name,
        }
        params: dict[str, Any] = {
            "5::duration": duration,
            "6::flags": ",".join(name for name, is_on in logged_flags.items() if is_on),
            "sitewide": new.restrictions is None,
        }
        if new.restrictions:
            titles = [self.site.titles.parse(text) for text in self.p.texts("pagerestrictions")]
            logged = {
                "pages": [title.prefixed_text for title in titles],
                "namespaces": list(self.p.numbers("namespacerestrictions")),
                "actions": list(self.p.texts("actionrestrictions")),
            }
            params["7::restrictions"] = {name: values for name, values in logged.items() if values}
        return params | {"blockId": block_id}

    def _answer(self, new: blocking.NewBlock, block_id: int) -> None:
        data = {
            "user": new.target.name,
            "userID": new.target.user_id,
            "expiry": "infinite" if new.expiry == INFINITY else iso(new.expiry),
            "id": block_id,
            "reason": self.p.text("reason"),
        }
        for name in ("anononly", "nocreate", "autoblock", "noemail"):
            data[name] = self.p.flag(name)
        data["hidename"] = new.hide_name
        data["allowusertalk"] = self.p.flag("allowusertalk")
        # As in MediaWiki, this is what was requested, although ranges are not watched.
        data["watchuser"] = self.p.flag("watchuser")
        if self.site.config.editing.watchlist_expiry:
            expiry = watch_expiry(self)
            data["watchlistexpiry"] = iso(expiry) if expiry else None
        data["partial"] = self.p.flag("partial")
        for name, element in (("page", "pr"), ("namespace", "ns"), ("action", "ar")):
            values = self.p.get(f"{name}restrictions")
            data[f"{name}restrictions"] = None if values is None else Arr(values, element)
        self.result.set((), self.name, Obj(data))


def check_may_block(
    action: WriteAction, target: blocking.Target, *, tells_block: bool = False
) -> None:
    """Refuse users who are blocked sitewide; with ``tells_block``, the error has their block.

    They may change their own block if they made it themselves or have the right ``unblockself``,
    and may act on the account that has blocked them, as MediaWiki allows.

    Raises:
        ApiError: ``ipbblocked`` or ``ipbnounblockself``.
    """
    user = action.context.user
    own = [block for block in blocks_on(action.context.performer) if block.sitewide]
    if not own:
        return
    data = {"blockinfo": Obj(block_details(own[0], action.context))} if tells_block else {}
    authors = {block.by_id for block in own}
    if target.is_account and target.user_id == user.id:
        if authors != {user.id} and not user.can("unblockself"):
            raise ApiError("ipbnounblockself", "ipbnounblockself", data=data)
    elif not target.is_account or authors != {target.user_id}:
        raise ApiError("ipbblocked", "ipbblocked", data=data)
