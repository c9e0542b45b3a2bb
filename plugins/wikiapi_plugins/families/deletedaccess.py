"""What may be told of deleted revisions: their bare facts to all, the rest to who has the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message

if TYPE_CHECKING:
    from wikiapi.api.context import RequestContext
    from wikiapi_plugins.families.revisionoptions import RevisionOptions


def check_access(context: RequestContext, options: RevisionOptions) -> None:
    """Refuse summaries and contents to who may not see them.

    Raises:
        ApiError: ``permissiondenied``.
    """
    asks_comment = not options.props.isdisjoint(("comment", "parsedcomment"))
    if asks_comment and not context.user.can("deletedhistory"):
        raise ApiError(Message("apierror-cantview-deleted-comment"), "permissiondenied")
    if options.content and not context.user.can("deletedtext", "undelete"):
        message = Message("apierror-cantview-deleted-revision-content")
        raise ApiError(message, "permissiondenied")
