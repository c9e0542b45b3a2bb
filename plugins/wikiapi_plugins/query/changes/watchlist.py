"""``list=watchlist``."""

from __future__ import annotations

from wikiapi.api import (
    CacheMode,
    GeneratedPages,
    ListModule,
    Param,
    QueryModule,
    boolean,
    continuation,
    enum,
    limit,
    namespace,
    string,
    user,
)
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain
from wikiapi.store.queries import users
from wikiapi_plugins.query.changes.changefilter import EXTERNAL, SHOWN, SOURCES
from wikiapi_plugins.query.timeline import timeline_params
from wikiapi_plugins.query.userfilter import KINDS


def owner_params() -> tuple[Param, ...]:
    """Return the parameters that ask for somebody else's watchlist."""
    return (
        user("owner", "Whose watchlist to read, with their token.", kinds=("name",)),
        string("token", "The token that lets others read the watchlist.", sensitive=True),
    )


class OwnersList(ListModule):
    """Base of the lists that only the owner of a watchlist sees: nobody does."""

    def cache_mode(self) -> CacheMode:
        """Return private: a watchlist is shown to its owner only."""
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
    """Return the error that says why no watchlist is shown.

    Watchlists are private. Nobody is logged in, and tokens are not among what is read of the
    store, so that none is right.
    """
    owner, token = module.p.text_or_none("owner"), module.p.text_or_none("token")
    if owner is None or token is None:
        return ApiError(Message("watchlistanontext"), "notloggedin")
    if not users.by_names(module.db, [owner]):
        return ApiError(Message("nosuchusershort", (Plain(owner),)), "bad_wlowner")
    return ApiError(Message("apierror-bad-watchlist-token"), "bad_wltoken")


class Watchlist(OwnersList):
    """Get recent changes to pages in the current user's watchlist.

    Watchlists belong to users who have logged in, which nobody can here.
    """

    name = "watchlist"
    prefix = "wl"
    element = "item"
    params = (
        boolean("allrev", "List every change of a page rather than its last."),
        *timeline_params(),
        namespace(help="Only changes in these namespaces.", multi=True),
        user("user", "Only changes by this user.", kinds=KINDS),
        user("excludeuser", "No changes by this user.", kinds=KINDS),
        limit("How many changes to return."),
        enum("prop", "ids", "title", "flags", "user", "userid", "comment", "parsedcomment",
             "timestamp", "patrol", "sizes", "notificationtimestamp", "loginfo", "tags", "expiry",
             multi=True, default="ids|title|flags", help="Properties of each change to include.",
             value_help=(("ids", "The ids of page, change and revisions."),
                         ("title", "The title of the page."),
                         ("flags", "Whether it is minor, new, by a bot."),
                         ("user", "Who made it."),
                         ("userid", "Who made it, as an id."),
                         ("comment", "The summary."),
                         ("parsedcomment", "The summary as HTML."),
                         ("timestamp", "When it was made."),
                         ("patrol", "Whether it is patrolled."),
                         ("sizes", "The lengths of the page before and after, in bytes."),
                         ("notificationtimestamp", "When the user was last notified of a change."),
                         ("loginfo", "What the log says of it."),
                         ("tags", "Its tags."),
                         ("expiry", "Until when the page is watched."))),
        enum("show", *SHOWN, "unread", "!unread", multi=True,
             help="Only changes that are so, or with ! in front are not."),
        enum("type", *SOURCES, EXTERNAL, multi=True, default="edit|new|log|categorize",
             help="The types of changes to list."),
        *owner_params(),
        continuation(),
    )  # fmt: skip
    examples = (
        ("action=query&list=watchlist&wlallrev=&wlprop=ids|title|timestamp", "The last changes"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Watchlist",)
