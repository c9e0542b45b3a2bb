"""Items of revisions in answers.

Slots, texts, tags and the targets of links in summaries take one query each for all revisions, and
only if a property needs them. For hidden parts an item only says that they are hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from wikiapi.api import Arr, Loose, QueryModule
from wikiapi.store import RevisionRow
from wikiapi.store.queries import slots, tags, visibility
from wikiapi.timestamps import iso_all
from wikiapi.title import Title
from wikiapi_plugins.query.authorship import comment_data, hidden_flags, parsed_comments, user_data
from wikiapi_plugins.query.revisions.revisioncontent import RevisionContents, hex_sha1
from wikiapi_plugins.query.revisions.revisionoptions import RevisionOptions

_HIDDEN = frozenset({"userhidden", "commenthidden", "sha1hidden", "texthidden", "slots"})


def revision_items(
    module: QueryModule,
    options: RevisionOptions,
    revisions: Sequence[RevisionRow],
    titles: Iterable[Title],
) -> Iterator[dict[str, Any]]:
    """Yield the item of each revision.

    Args:
        module: the module whose answer the items are for.
        options: the properties and the content to return.
        revisions: the revisions, no more than the limit.
        titles: the page of each revision; consumed only if a property needs them.
    """
    props, db = options.props, module.db
    ids = [revision.rev_id for revision in revisions]
    with_ids, with_flags, with_time = "ids" in props, "flags" in props, "timestamp" in props
    with_size, with_sha1, with_roles = "size" in props, "sha1" in props, "roles" in props
    with_tags = "tags" in props
    pages = list(titles) if options.slots or "parsedcomment" in props else []
    of_slots = slots.of_revisions(db, ids) if options.slots or with_roles else {}
    contents = RevisionContents(module, options, of_slots, revisions) if options.slots else None
    moments = iso_all([revision.timestamp for revision in revisions])
    comments = zip([revision.comment for revision in revisions], pages, strict=False)
    html = parsed_comments(module.site, props, comments)
    tagged = tags.of_revisions(db, ids) if with_tags else {}
    for number, (revision, moment, markup) in enumerate(
        zip(revisions, moments, html, strict=False)
    ):
        rev_id, bits = revision.rev_id, revision.deleted
        closed = bits & ~revision.readable
        item: dict[str, Any] = {}
        if with_ids:
            item["revid"] = rev_id
            if revision.parent_id is not None:
                item["parentid"] = revision.parent_id
        if with_flags:
            item["minor"] = revision.minor != 0
        if with_time:
            item["timestamp"] = moment
        item |= user_data(props, closed, revision.user_id, revision.user_name, id_last=True)
        if with_size:
            item["size"] = revision.length or 0
        if with_sha1:
            if bits & visibility.TEXT:
                item["sha1hidden"] = True
            if not closed & visibility.TEXT:
                item["sha1"] = hex_sha1(revision.sha1 or "")
        if with_roles:
            item["roles"] = Arr(of_slots.get(rev_id, ()), "role")
        if contents:
            item |= contents.of(revision, pages[number])
        item |= comment_data(props, closed, revision.comment, markup)
        if revision.readable:
            item |= hidden_flags(props, revision.readable)
        if with_tags:
            item["tags"] = Arr(tagged.get(rev_id, ()), "tag")
        if (
            bits & visibility.RESTRICTED
            and bits & (visibility.TEXT | visibility.COMMENT | visibility.USER)
            and not _HIDDEN.isdisjoint(item)
        ):
            item["suppressed"] = True
        # Most items need no ``Loose``. A single value may be one that format version 1 leaves out.
        is_plain = len(item) > 1 and "content" not in item
        yield item if is_plain else Loose(item, content="content")
