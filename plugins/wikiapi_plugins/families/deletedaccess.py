"""What may be told of deleted revisions, and to whom.

MediaWiki 1.45 tells everybody that they were there, when and by whom; summaries and contents take
a right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.api.query.module import QueryModule
    from wikiapi_plugins.families.revisionoptions import RevisionOptions


def check_access(module: QueryModule, options: RevisionOptions) -> None:
    """Refuse what the user may not see of deleted revisions.

    Raises:
        ApiError: ``permissiondenied``.
    """
    if not options.props.isdisjoint(("comment", "parsedcomment")):
        module.require_right("deletedhistory", "apierror-cantview-deleted-comment")
    if options.content:
        may_read = "deletedtext" if module.context.user.can("deletedtext") else "undelete"
        module.require_right(may_read, "apierror-cantview-deleted-revision-content")
