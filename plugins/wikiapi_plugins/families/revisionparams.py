"""The parameters that ``prop=revisions`` shares with the other lists of revisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.params.declaration import Param, boolean, enum, string
from wikiapi.api.params.types.integer import DeferredLimitType

if TYPE_CHECKING:
    from wikiapi.site import Site

PROPS = (
    "ids",
    "flags",
    "timestamp",
    "user",
    "userid",
    "size",
    "slotsize",
    "sha1",
    "slotsha1",
    "contentmodel",
    "comment",
    "parsedcomment",
    "content",
    "tags",
    "roles",
    "parsetree",
)


def _roles(_: Site) -> tuple[str, ...]:
    return ("main",)


CONTENT_FORMATS = (
    "application/json",
    "application/octet-stream",
    "application/unknown",
    "application/x-binary",
    "text/css",
    "text/javascript",
    "text/plain",
    "text/unknown",
    "text/x-wiki",
    "unknown/unknown",
)
"""The MIME types in which MediaWiki hands out content."""


def revision_params(*, limit_default: int | None = 10) -> tuple[Param, ...]:
    """The parameters: what to tell of each revision and its content, and how many to list."""
    return (
        enum("prop", *PROPS, multi=True, default="ids|timestamp|flags|comment|user",
             deprecated_values=("parsetree",), help="What to tell of each revision."),
        enum("slots", choices=_roles, multi=True, all_value="*",
             help="The slots to tell about; without it, a legacy form is used."),
        enum("contentformat-main", *CONTENT_FORMATS,
             help="The format of the main slot's content."),
        Param(name="limit", type=DeferredLimitType(), default=limit_default,
              help="How many revisions to return."),
        boolean("expandtemplates", "Expand the templates of the content.", deprecated=True),
        boolean("generatexml", "Include the parse tree of the content.", deprecated=True),
        boolean("parse", "Render the content as HTML; one revision at a time.", deprecated=True),
        string("section", "Return this section of the content alone, by its number."),
        string("diffto", "Another revision to compare with: an id, prev, next or cur.",
               deprecated=True),
        string("difftotext", "A text to compare with.", deprecated=True),
        boolean("difftotextpst", "Transform that text as saving it would.", deprecated=True),
        enum("contentformat", *CONTENT_FORMATS, deprecated=True,
             help="The format of the content."),
    )  # fmt: skip
