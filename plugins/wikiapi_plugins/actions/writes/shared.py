"""Parameters that several actions take, by the names under which declarations speak of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi.api.params.declaration import Param, boolean, enum, integer, string
from wikiapi.api.query.params import PAGE_SET
from wikiapi_plugins.actions import authparams
from wikiapi_plugins.actions.models import content_formats, content_models
from wikiapi_plugins.facts import facts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wikiapi.site import Site

_IMPLICIT = frozenset({"*", "user", "autoconfirmed", "temp"})


def _groups(_: Site) -> tuple[str, ...]:
    """Groups that somebody can be put into."""
    return tuple(name for name in facts("usergroups") if name not in _IMPLICIT)


def _languages(_: Site) -> tuple[str, ...]:
    return (*facts("languages"), "default")


def _none(_: Site) -> tuple[str, ...]:
    """For instance of tags that users may apply by hand: a wiki has none until it defines some."""
    return ()


CHOICES: Mapping[str, Callable[[Site], tuple[str, ...]]] = MappingProxyType(
    {
        "content_formats": content_formats,
        "content_models": content_models,
        "groups": _groups,
        "languages": _languages,
        "none": _none,
    }
)
"""Values that depend on the site."""


def _tags(help: str) -> Param:
    return enum("tags", choices=_none, multi=True, help=help)


_PAGE = (
    string("title", "Title of the page. Not together with ``pageid``."),
    integer("pageid", "Id of the page. Not together with ``title``."),
)
_ACCOUNT_RETURN = (
    string("returnto", "Page to go back to after an account was created for the edit."),
    string("returntoquery", "Query string of that page.", default=""),
    string("returntoanchor", "Fragment of that page.", default=""),
)
_WATCHLIST = enum(
    "watchlist",
    *("watch", "unwatch", "preferences", "nochange"),
    default="preferences",
    help="Whether to watch the page, to stop watching it, or to follow the preferences.",
)

SHARED: Mapping[str, tuple[Param, ...]] = MappingProxyType(
    {
        "account_return": _ACCOUNT_RETURN,
        "auth_continue": (authparams.CONTINUE,),
        "auth_fields": (authparams.FIELDS,),
        "auth_merge": (authparams.MERGE,),
        "auth_preserve": (authparams.PRESERVE,),
        "auth_requests": (authparams.REQUESTS,),
        "auth_return": (authparams.RETURN,),
        "continue": (
            string("continue", "When more results are available, use this to continue."),
        ),
        "log_tags": (_tags("Change tags for the log entry."),),
        "page": _PAGE,
        "page_set": PAGE_SET,
        "reason": (string("reason", "Why this is done.", default=""),),
        "reason_unless_given": (string("reason", "Why this is done."),),
        "tags": (_tags("Change tags to give to the entry in the log or history."),),
        "unwatch": (boolean("unwatch", "Stop watching it; use ``watchlist`` instead.",
                            deprecated=True),),
        "user_id": (integer("userid", "Id of the user; write ``user=#id`` instead.",
                            deprecated=True),),
        "watch": (boolean("watch", "Watch the page; use ``watchlist`` instead.",
                          deprecated=True),),
        "watch_user": (boolean("watchuser", "Watch the user's page and talk page."),),
        "watchlist": (_WATCHLIST,),
    }
)  # fmt: skip
