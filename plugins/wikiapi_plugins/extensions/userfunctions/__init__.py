"""UserFunctions: ``{{#ifanon:}}``, ``{{#username:}}`` and others, which depend on the user.

``namespaces`` in ``[extensions.userfunctions]`` lists the ids of the namespaces in whose pages the
functions exist, by default only the MediaWiki namespace. Functions that return personal data need
``personal_data = true``. A page that calls one is rendered for each user, and not cached; the
reader renders all pages as for a user without an account.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

from wikiapi.accounts import blocks, implicit_groups, rights_of
from wikiapi.api import compact
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.store import UserRow
from wikiapi.store.models import Block, BlockTarget, User
from wikiapi.store.queries import users
from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, PluginState, escape_text
from wikiapi_plugins.extensions import BundledExtension

_NAME = "userfunctions"
_MESSAGES = 8
_SYSOP_RIGHT = "protect"


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension."""
    settings = site.config.extensions.get(_NAME, {})
    namespaces = frozenset(settings.get("namespaces", (_MESSAGES,)))
    personal = _PERSONAL if settings.get("personal_data", False) else {}
    readers = PluginState(partial(Reader, site))
    functions = {
        **{name: partial(_choice, readers, test=test) for name, test in _TESTS.items()},
        **{name: partial(_fact, readers, get=get) for name, get in personal.items()},
    }
    return (
        BundledExtension(
            "UserFunctions",
            description="Texts that depend on who reads the page",
            functions=[
                ParserFunction(name, partial(_where_allowed, function, namespaces), raw=True)
                for name, function in functions.items()
            ],
        ),
    )


def _where_allowed(
    function: Callable[[FunctionCall], str], namespaces: frozenset[int], call: FunctionCall
) -> str | None:
    """Return the result of a function, or ``None`` in a page of another namespace."""
    if call.title.ns not in namespaces:
        return None
    call.state.output.expire_after(0)
    return function(call)


def _choice(
    readers: PluginState[Reader], call: FunctionCall, test: Callable[[Reader, str], bool]
) -> str:
    """Return one text if the user passes a test, and another if not.

    The texts are the first two arguments, or follow the groups if these are tested.
    """
    reader = call.state.plugin(readers)
    if test is not _is_in_group:
        return call.expand(0 if test(reader, "") else 1)
    return call.expand(1 if test(reader, call.first) else 2)


def _is_in_group(reader: Reader, names: str) -> bool:
    chosen = {name.strip().lower() for name in names.split(",")}
    return any(group.lower() in chosen for group in reader.groups)


def _fact(readers: PluginState[Reader], call: FunctionCall, get: Callable[[Reader], str]) -> str:
    """Return a fact about the user; without an account, the first argument if it is given."""
    reader = call.state.plugin(readers)
    if reader.account is None and call.first:
        return call.first
    return escape_text(get(reader))


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
        target: Any
        if self.account is not None:
            target = BlockTarget.bt_user == self.account.user_id
        else:
            address = blocks.read_range(self.name)
            target = None if address is None else blocks.covering(address)
        if target is None:
            return False
        in_force = Block.bl_expiry > self._now
        rows = self._site.db.execute(users.SELECT_BLOCKS.where(target, in_force).limit(1))
        return bool(list(rows))

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
        nicknames = users.properties(self._site.db, [user_id], "nickname")
        return nicknames.get(user_id) or ""

    def _private(self, column: Any) -> str:
        """Return a column of the user's account; an empty text without an account."""
        if self.account is None:
            return ""
        query = User.select(column).where(User.user_id == self.account.user_id)
        return str(self._site.db.scalar(query) or "")


_TESTS: MappingProxyType[str, Callable[[Reader, str], bool]] = MappingProxyType(
    {
        "#ifanon": lambda reader, _: reader.account is None,
        "#ifblocked": lambda reader, _: reader.is_blocked,
        "#ifsysop": lambda reader, _: _SYSOP_RIGHT in reader.rights,
        "#ifingroup": _is_in_group,
    }
)


_PERSONAL: MappingProxyType[str, Callable[[Reader], str]] = MappingProxyType(
    {
        "#username": lambda reader: reader.name,
        "#realname": lambda reader: reader.real_name,
        "#useremail": lambda reader: reader.email,
        "#nickname": lambda reader: reader.nickname or reader.name,
        "#ip": lambda reader: "" if reader.account else reader.name,
    }
)
