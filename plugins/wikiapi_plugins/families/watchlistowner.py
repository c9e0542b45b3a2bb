"""Whose watchlist is asked for; here it is always nobody's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.cachecontrol import CacheMode
from wikiapi.api.params.declaration import string, user
from wikiapi.api.query.module import ListModule
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Plain
from wikiapi.store import users

if TYPE_CHECKING:
    from wikiapi.api.params.declaration import Param
    from wikiapi.api.query.generator import GeneratedPages
    from wikiapi.api.query.module import QueryModule


def owner_params() -> tuple[Param, ...]:
    """The parameters that ask for somebody else's watchlist."""
    return (
        user("owner", "Whose watchlist to read, with their token.", kinds=("name",)),
        string("token", "The token that lets others read the watchlist.", sensitive=True),
    )


class OwnersList(ListModule):
    """Base of the lists that only the owner of a watchlist sees: nobody does."""

    def cache_mode(self) -> CacheMode:
        """A watchlist is its owner's alone."""
        return CacheMode.PRIVATE

    def execute(self) -> None:
        """Refuse.

        Raises:
            ApiError: ``notloggedin``, ``bad_wlowner``, ``bad_wltoken``.
        """
        raise refuse(self)

    def generate(self, pages: GeneratedPages) -> None:
        """Refuse as :meth:`execute` does."""
        raise refuse(self)


def refuse(module: QueryModule) -> ApiError:
    """The error that says why no watchlist is shown.

    Watchlists are private. Nobody is logged in, and tokens are not among what is read of the
    store, so that none is right.
    """
    owner, token = module.p["owner"], module.p["token"]
    if owner is None or token is None:
        return ApiError(Message("watchlistanontext"), "notloggedin")
    if not users.by_names(module.db, [owner]):
        return ApiError(Message("nosuchusershort", (Plain(owner),)), "bad_wlowner")
    return ApiError(Message("apierror-bad-watchlist-token"), "bad_wltoken")
