"""Actions on single revisions, log entries and change tags."""

from __future__ import annotations

from wikiapi.api.params.declaration import boolean, enum, integer, string, user
from wikiapi_plugins.actions.writes.declared import Write, reason, tags, watchlist

_HIDDEN = ("content", "comment", "user")

WRITES = (
    Write(
        name="rollback",
        help="Undo the last edits of a page, all by the same user.",
        manual="API:Rollback",
        kind="rollback",
        params=(
            string("title", "Title of the page. Not together with ``pageid``."),
            integer("pageid", "Id of the page. Not together with ``title``."),
            tags(),
            user("user", "The user whose edits are undone.", required=True,
                 kinds=("name", "ip", "temp", "interwiki", "id")),
            string("summary", "Edit summary; the usual one when empty.", default=""),
            boolean("markbot", "Mark the edits and their undoing as a bot's."),
            watchlist(),
        ),
        examples=(("action=rollback&title=Main%20Page&user=Example&token=123ABC",
                   "Undo the last edits of a user"),),
    ),
    Write(
        name="revisiondelete",
        help="Hide revisions and parts of them, or show them again.",
        manual="API:Revisiondelete",
        params=(
            enum("type", "revision", "archive", "oldimage", "filearchive", "logging",
                 required=True, help="What kind of thing is hidden."),
            string("target", "Title of the page, where the kind asks for one."),
            string("ids", "What is to be hidden.", multi=True, required=True),
            enum("hide", *_HIDDEN, multi=True, help="What to hide of each."),
            enum("show", *_HIDDEN, multi=True, help="What to show of each again."),
            enum("suppress", "yes", "no", "nochange", default="nochange",
                 help="Whether to hide it from administrators as well."),
            reason(default=None),
            tags(),
        ),
        examples=((("action=revisiondelete&target=Main%20Page&type=revision&ids=12345&hide=content"
                   "&token=123ABC"), "Hide the content of a revision"),),
    ),
    Write(
        name="patrol",
        help="Mark a change as patrolled.",
        manual="API:Patrol",
        kind="patrol",
        params=(
            integer("rcid", "Id of the recent change."),
            integer("revid", "Id of the revision."),
            tags(),
        ),
        examples=(("action=patrol&token=123ABC&rcid=230672766", "Patrol a recent change"),),
    ),
    Write(
        name="tag",
        help="Add change tags to revisions or log entries, or remove them.",
        manual="API:Tag",
        params=(
            integer("rcid", "Ids of recent changes.", multi=True),
            integer("revid", "Ids of revisions.", multi=True),
            integer("logid", "Ids of log entries.", multi=True),
            enum("add", choices=lambda _: (), multi=True, help="Tags to add."),
            string("remove", "Tags to remove.", multi=True),
            reason(),
            tags("Change tags for the log entry."),
        ),
        examples=(("action=tag&revid=123&add=vandalism&token=123ABC", "Tag a revision"),),
    ),
    Write(
        name="managetags",
        help="Create, delete, activate or deactivate change tags.",
        manual="API:Tag_management",
        params=(
            enum("operation", "create", "delete", "activate", "deactivate", required=True,
                 help="What to do with the tag."),
            string("tag", "The tag.", required=True),
            reason(),
            boolean("ignorewarnings", "Ignore warnings."),
            tags("Change tags for the log entry."),
        ),
        examples=((("action=managetags&operation=create&tag=spam&reason=For%20patrolling"
                   "&token=123ABC"), "Create a tag"),),
    ),
)  # fmt: skip
