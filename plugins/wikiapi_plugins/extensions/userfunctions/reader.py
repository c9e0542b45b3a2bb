"""The user for whom a page is rendered: account, groups and blocks, read from the store."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from wikiapi.api import compact
from wikiapi.site import Site
from wikiapi.store import UserRow
from wikiapi.store.models import Block, BlockTarget, User
from wikiapi.store.queries import users
from wikiapi.wikitext import ParseState
from wikiapi_plugins.query.users.blocks import covering, read_range
from wikiapi_plugins.query.users.usergroups import implicit_groups, rights_of


class Reader:
    """The user for whom a page is rendered. Each fact is read once, when it is needed."""

    def __init__(self, site: Site, state: ParseState) -> None:
        """Take the name from the options of the rendering; an empty name has no account."""
        self._site = site
        self._now = compact(state.now)
        self.name = state.options.user

    @cached_property
    def account(self) -> UserRow | None:
        """The user's account, or ``None`` if there is none."""
        name = self.name
        return users.by_names(self._site.db, [name]).get(name) if name else None

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups of the user, including the implicit ones."""
        if self.account is None:
            return ("*",)
        user_id = self.account.user_id
        member = users.groups(self._site.db, [user_id]).get(user_id, [])
        explicit = [each.group for each in member if not each.expiry or each.expiry >= self._now]
        return (*explicit, *implicit_groups(self._site, self.account, self._now))

    @property
    def rights(self) -> frozenset[str]:
        """The rights of the user's groups."""
        return frozenset(rights_of(self._site, self.groups))

    @cached_property
    def is_blocked(self) -> bool:
        """Whether the account or the IP address is blocked."""
        target = self._target()
        if target is None:
            return False
        in_force = Block.bl_expiry > self._now
        rows = self._site.db.execute(users.SELECT_BLOCKS.where(target, in_force).limit(1))
        return bool(list(rows))

    def _target(self) -> Any:
        if self.account is not None:
            return BlockTarget.bt_user == self.account.user_id
        address = read_range(self.name)
        return None if address is None else covering(address)

    @cached_property
    def real_name(self) -> str:
        """The real name that the user has given."""
        return self._private(User.user_real_name)

    @cached_property
    def email(self) -> str:
        """The e-mail address that the user has given."""
        return self._private(User.user_email)

    @cached_property
    def nickname(self) -> str:
        """The user's signature."""
        if self.account is None:
            return ""
        user_id = self.account.user_id
        found = users.properties(self._site.db, [user_id], "nickname")
        return found.get(user_id) or ""

    def _private(self, column: Any) -> str:
        """Return a column of the user's account; an empty text without an account."""
        if self.account is None:
            return ""
        query = User.select(column).where(User.user_id == self.account.user_id)
        return str(self._site.db.scalar(query) or "")
