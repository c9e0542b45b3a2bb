"""Actions on users: blocks, rights, mail, preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.params.declaration import (
    Param,
    boolean,
    enum,
    integer,
    namespace,
    string,
    text,
    token,
    user,
)
from wikiapi.api.params.types.title import TitleType
from wikiapi_plugins.actions.writes.declared import Write, reason, tags
from wikiapi_plugins.families.facts import facts

if TYPE_CHECKING:
    from wikiapi.site import Site

_IMPLICIT = frozenset({"*", "user", "autoconfirmed", "temp"})
_BLOCKABLE = ("name", "ip", "temp", "cidr", "id")


def _groups(_: Site) -> tuple[str, ...]:
    """Groups that somebody can be put into."""
    return tuple(name for name in facts("usergroups") if name not in _IMPLICIT)


_USER_ID = integer("userid", "Id of the user; write ``user=#id`` instead.", deprecated=True)

WRITES = (
    Write(
        name="block",
        help="Block a user.",
        manual="API:Block",
        params=(
            integer("id", "Id of the block to change."),
            user("user", "User, address or range to block.", kinds=_BLOCKABLE),
            _USER_ID,
            string("expiry", "When the block ends: a moment, ``5 months`` or ``never``.",
                   default="never"),
            reason(),
            boolean("anononly", "Block only edits without an account from this address."),
            boolean("nocreate", "Forbid making accounts."),
            boolean("autoblock", "Block the addresses that the user comes from."),
            boolean("noemail", "Forbid sending mail."),
            boolean("hidename", "Hide the name from the log of blocks."),
            boolean("allowusertalk", "Allow edits of the own talk page."),
            boolean("reblock", "Change an existing block."),
            boolean("newblock", "Add another block to an existing one."),
            boolean("watchuser", "Watch the user's page and talk page."),
            tags(),
            boolean("partial", "Block from certain pages or namespaces alone."),
            Param(name="pagerestrictions", type=TitleType(must_exist=True), multi=True,
                  multi_limit=10, multi_high_limit=10, help="Those pages."),
            namespace("namespacerestrictions", "Those namespaces.", multi=True),
        ),
        examples=((("action=block&user=192.0.2.5&expiry=3%20days&reason=First%20strike"
                   "&token=123ABC"), "Block an address for three days"),),
    ),
    Write(
        name="unblock",
        help="Lift a block.",
        manual="API:Block",
        params=(
            integer("id", "Id of the block, as list=blocks tells it."),
            user("user", "User, address or range to unblock.", kinds=_BLOCKABLE),
            _USER_ID,
            reason(),
            tags(),
            boolean("watchuser", "Watch the user's page and talk page."),
        ),
        examples=(("action=unblock&id=105&token=123ABC", "Lift a block by its id"),),
    ),
    Write(
        name="userrights",
        help="Change the groups of a user.",
        manual="API:User_group_membership",
        kind="userrights",
        params=(
            user("user", "The user.", kinds=("name", "id")),
            _USER_ID,
            enum("add", choices=_groups, multi=True, help="Groups to put the user into."),
            string("expiry", "When each membership ends.", multi=True, allow_duplicates=True,
                   default="infinite"),
            enum("remove", choices=_groups, multi=True, help="Groups to take the user out of."),
            reason(),
            token("userrights"),
            tags(),
            boolean("watchuser", "Watch the user's page and talk page."),
        ),
        examples=(("action=userrights&user=FooBot&add=bot&remove=sysop|bureaucrat&token=123ABC",
                   "Make a bot of an administrator"),),
    ),
    Write(
        name="emailuser",
        help="Send mail to a user.",
        manual="API:Email",
        params=(
            string("target", "The user.", required=True),
            string("subject", "Subject line.", required=True),
            text("text", "The mail.", required=True),
            boolean("ccme", "Send a copy to me."),
        ),
        examples=(("action=emailuser&target=WikiSysop&subject=Hello&text=Content&token=123ABC",
                   "Send a mail"),),
    ),
    Write(
        name="options",
        help="Change the preferences of the current user.",
        manual="API:Options",
        params=(
            boolean("reset", "Set preferences back to their defaults."),
            enum("resetkinds", "registered", "registered-multiselect", "registered-checkmatrix",
                 "userjs", "special", "unused", "all", multi=True, default="all",
                 help="Which kinds of them to set back."),
            string("change", "Changes, written ``name=value``; without ``=`` set back.",
                   multi=True),
            string("optionname", "Name of one preference to change."),
            string("optionvalue", "Its value."),
            enum("global", "ignore", "update", "override", "create", default="ignore",
                 help="What to do with a preference that holds on several wikis."),
        ),
        examples=(("action=options&change=skin=vector|hideminor=1&token=123ABC",
                   "Change two preferences"),),
    ),
    Write(
        name="clearhasmsg",
        help="Forget that the current user has messages.",
        manual="API:ClearHasMsg",
        kind=None,
        examples=(("action=clearhasmsg", "Forget it"),),
    ),
)  # fmt: skip
