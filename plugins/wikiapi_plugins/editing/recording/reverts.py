"""Reverts: the revisions that an edit takes back get the change tag ``mw-reverted``.

What is reverted by somebody whose edits have to be patrolled waits until that has happened.
https://www.mediawiki.org/wiki/Manual:Reverts
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import NamedTuple

from wikiapi.api import RequestContext, compact
from wikiapi.site import Site
from wikiapi.store.models import ChangeTag, ChangeTagDef, RecentChanges, Revision
from wikiapi.store.queries import revisions
from wikiapi.store.sql import bounds
from wikiapi_plugins.editing.recording.tagging import tag_revisions
from wikiapi_plugins.editing.tables import ObjectCache

_TAG = "mw-reverted"
_MOST = 1000
"""Revisions; where more are taken back, none is marked.

https://www.mediawiki.org/wiki/Manual:$wgRevertedTagMaxDepth
"""
_WAITS = timedelta(days=90)
"""For as long, changes can be patrolled."""


class Reverted(NamedTuple):
    """What an edit takes back: the revisions of its page after one of them, to another one."""

    after_id: int
    newest_id: int


def record_revert(context: RequestContext, revert_id: int, reverted: Reverted) -> None:
    """Mark what a revision takes back, at once or when the revision is patrolled."""
    site = context.site
    if context.user.can("autopatrol"):
        _mark(site, reverted)
        return
    ends = compact(context.now + _WAITS)
    row = (_key(site, revert_id), f"{reverted.after_id}|{reverted.newest_id}", ends)
    site.db.insert_many(ObjectCache, [row], ("keyname", "value", "exptime"))


def revision_patrolled(context: RequestContext, revision_id: int) -> None:
    """Mark what a revision takes back, if it waits for that, and was not taken back itself."""
    site = context.site
    key = ObjectCache.keyname == _key(site, revision_id)
    waiting = site.db.scalar(ObjectCache.select(ObjectCache.value).where(key))
    if waiting is None:
        return
    site.db.execute_write(ObjectCache.delete().where(key))
    if not _tagged(site, [revision_id]):
        _mark(site, Reverted(*map(int, waiting.split("|"))))


def _mark(site: Site, reverted: Reverted) -> None:
    """Give the revisions and their recent changes the tag. Eight statements at most."""
    found = _between(site, reverted)
    if len(found) > _MOST:
        return
    new = sorted(set(found) - _tagged(site, found))
    changes = RecentChanges.select(RecentChanges.rc_this_oldid, RecentChanges.rc_id).where(
        RecentChanges.rc_this_oldid.in_(new), RecentChanges.rc_source.in_(("mw.edit", "mw.new"))
    )
    change_ids: dict[int, int] = dict(site.db.execute(changes)) if new else {}
    tag_revisions(site.db, _TAG, {number: change_ids.get(number, 0) for number in new})


def _between(site: Site, reverted: Reverted) -> Sequence[int]:
    """Return the ids of the revisions, one more than may be marked if there are more."""
    ends = revisions.by_ids(site.db, reverted)
    if len(ends) != len(reverted):
        return ()
    after, newest = (ends[number] for number in reverted)
    order = [Revision.rev_timestamp, Revision.rev_id]
    query = Revision.select(Revision.rev_id).where(
        Revision.rev_page == newest.page_id,
        bounds.starting_at(order, [after.timestamp, after.rev_id]),
        bounds.starting_at(order, [newest.timestamp, newest.rev_id], descending=True),
        Revision.rev_id != after.rev_id,
    )
    return [number for (number,) in site.db.execute(query.order_by(*order).limit(_MOST + 1))]


def _tagged(site: Site, revision_ids: Iterable[int]) -> set[int]:
    """Return which of the revisions have the tag."""
    query = (
        ChangeTag.select(ChangeTag.ct_rev_id)
        .join_from(ChangeTag, ChangeTagDef, on=(ChangeTagDef.ctd_id == ChangeTag.ct_tag_id))
        .where(ChangeTagDef.ctd_name == _TAG, ChangeTag.ct_rev_id.in_(list(revision_ids)))
    )
    return {number for (number,) in site.db.execute(query)}


def _key(site: Site, revision_id: int) -> str:
    return f"{site.config.site.wiki_id}:wikiapi-revert:{revision_id}"
