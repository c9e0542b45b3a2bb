"""What an answer tells of one side of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.types.timestamp import iso
from wikiapi.store.visibility import COMMENT, TEXT, USER, is_hidden
from wikiapi.wikitext.comment import format_comments

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from wikiapi.site import Site
    from wikiapi.store.revisions import RevisionRow
    from wikiapi.title.title import Title
    from wikiapi_plugins.actions.compare.sides import Side


def side_facts(site: Site, prefix: str, side: Side, props: Set[str]) -> dict[str, Any]:
    """The facts about a side, by name with a prefix; nothing of a text that is not stored."""
    if side.revision is None or side.title is None:
        return {}
    facts = _facts(site, side.revision, side.title, props)
    return {prefix + name: value for name, value in facts}


def _facts(
    site: Site, revision: RevisionRow, title: Title, props: Set[str]
) -> Iterator[tuple[str, Any]]:
    if "ids" in props:
        yield from (("id", revision.page_id), ("revid", revision.rev_id))
    if "title" in props:
        yield from (("ns", title.ns), ("title", title.prefixed_text))
    if "size" in props:
        yield "size", revision.length
    if "timestamp" in props:
        yield "timestamp", iso(revision.timestamp)
    if is_hidden(revision.deleted, TEXT):
        yield "texthidden", True
    if "user" in props:
        yield from _user(revision)
    if props & {"comment", "parsedcomment"}:
        yield from _comment(site, revision, title, props)


def _user(revision: RevisionRow) -> Iterator[tuple[str, Any]]:
    if is_hidden(revision.deleted, USER):
        yield "userhidden", True
    else:
        yield from (("user", revision.user_name), ("userid", revision.user_id))


def _comment(
    site: Site, revision: RevisionRow, title: Title, props: Set[str]
) -> Iterator[tuple[str, Any]]:
    if is_hidden(revision.deleted, COMMENT):
        yield "commenthidden", True
        return
    comment = revision.comment or ""
    if "comment" in props:
        yield "comment", comment
    if "parsedcomment" in props:
        yield "parsedcomment", format_comments(site, [(comment, title)])[0]
