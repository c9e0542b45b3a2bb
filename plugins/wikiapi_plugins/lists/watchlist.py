"""``list=watchlist``."""

from __future__ import annotations

from wikiapi.api.params.declaration import (
    boolean,
    continuation,
    enum,
    limit,
    namespace,
    user,
)
from wikiapi_plugins.families.changefilter import EXTERNAL, SHOWN, SOURCES
from wikiapi_plugins.families.timeline import timeline_params
from wikiapi_plugins.families.userfilter import KINDS
from wikiapi_plugins.families.watchlistowner import OwnersList, owner_params


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
             multi=True, default="ids|title|flags", help="What to tell of each change.",
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
                         ("notificationtimestamp", "When the user was last told of a change."),
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
