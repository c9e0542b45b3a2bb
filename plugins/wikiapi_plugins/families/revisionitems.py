"""What the answer says of revisions: one object for each, made in batches.

Whatever the number of revisions, slots, texts, tags and the targets of links in summaries take one
query each, and only if they are asked for. What is hidden is told to be hidden and no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.types.timestamp import iso
from wikiapi.api.result import Arr, Loose
from wikiapi.store import slots, tags
from wikiapi.store.visibility import COMMENT, RESTRICTED, TEXT, USER, is_hidden
from wikiapi.wikitext.comment import format_comments
from wikiapi_plugins.families.revisioncontent import RevisionContents, hex_sha1

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.api.query.module import QueryModule
    from wikiapi.store.revisions import RevisionRow
    from wikiapi.title.title import Title
    from wikiapi_plugins.families.revisionoptions import RevisionOptions


class RevisionItems:
    """Tells about the revisions of one answer."""

    def __init__(
        self,
        module: QueryModule,
        options: RevisionOptions,
        revisions: Sequence[tuple[RevisionRow, Title]],
    ) -> None:
        """Read what is asked for about all of the revisions."""
        self._props = options.props
        self._tells_user = not options.props.isdisjoint(("user", "userid"))
        self._tells_comment = not options.props.isdisjoint(("comment", "parsedcomment"))
        self._db = module.db
        ids = [revision.rev_id for revision, _ in revisions]
        wanted = options.slots or "roles" in options.props
        self._tells_content = options.slots
        self._slots = slots.of_revisions(module.db, ids) if wanted else {}
        self._tags = tags.of_revisions(module.db, ids) if "tags" in options.props else {}
        self._comments = self._formatted(module, revisions)
        self._contents = RevisionContents(module, options, self._slots, revisions)

    def of(self, revision: RevisionRow, title: Title) -> dict[str, Any]:
        """What the answer says of a revision of a page."""
        item: dict[str, Any] = {}
        self._add_basics(item, revision)
        self._add_user(item, revision)
        self._add_measures(item, revision)
        if self._tells_content:
            item |= self._contents.of(revision, title)
        self._add_comment(item, revision)
        if "tags" in self._props:
            item["tags"] = Arr(self._tags.get(revision.rev_id, ()), "tag")
        if revision.deleted and self._is_suppressed(item, revision):
            item["suppressed"] = True
        # Most need no notes. A single fact may be one that version 1 leaves out: then it is loose.
        is_plain = len(item) > 1 and "content" not in item
        return item if is_plain else Loose(item, content="content")

    def _formatted(
        self, module: QueryModule, revisions: Sequence[tuple[RevisionRow, Title]]
    ) -> dict[int, str]:
        if "parsedcomment" not in self._props:
            return {}
        shown = [(r.rev_id, r.comment, title) for r, title in revisions if r.comment is not None]
        markup = format_comments(module.site, [(comment, title) for _, comment, title in shown])
        return {entry[0]: text for entry, text in zip(shown, markup, strict=True)}

    def _add_basics(self, item: dict[str, Any], revision: RevisionRow) -> None:
        if "ids" in self._props:
            item["revid"] = revision.rev_id
            if revision.parent_id is not None:
                item["parentid"] = revision.parent_id
        if "flags" in self._props:
            item["minor"] = bool(revision.minor)
        if "timestamp" in self._props:
            item["timestamp"] = iso(revision.timestamp)

    def _add_user(self, item: dict[str, Any], revision: RevisionRow) -> None:
        if not self._tells_user:
            return
        if is_hidden(revision.deleted, USER):
            item["userhidden"] = True
            return
        if "user" in self._props:
            item["user"] = revision.user_name
        if not revision.user_id:
            item["anon"] = True
        if "userid" in self._props:
            item["userid"] = revision.user_id

    def _add_measures(self, item: dict[str, Any], revision: RevisionRow) -> None:
        if "size" in self._props:
            item["size"] = revision.length or 0
        if "sha1" in self._props:
            if is_hidden(revision.deleted, TEXT):
                item["sha1hidden"] = True
            else:
                item["sha1"] = hex_sha1(revision.sha1 or "")
        if "roles" in self._props:
            item["roles"] = Arr(self._slots.get(revision.rev_id, ()), "role")

    def _add_comment(self, item: dict[str, Any], revision: RevisionRow) -> None:
        if not self._tells_comment:
            return
        if is_hidden(revision.deleted, COMMENT):
            item["commenthidden"] = True
            return
        if "comment" in self._props:
            item["comment"] = revision.comment or ""
        if "parsedcomment" in self._props:
            item["parsedcomment"] = self._comments.get(revision.rev_id, "")

    def _is_suppressed(self, item: dict[str, Any], revision: RevisionRow) -> bool:
        hidden = ("userhidden", "commenthidden", "sha1hidden", "texthidden", "slots")
        told = any(name in item for name in hidden) and revision.deleted & (TEXT | COMMENT | USER)
        return bool(told) and is_hidden(revision.deleted, RESTRICTED)
