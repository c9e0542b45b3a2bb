"""Reverts: the revisions that an edit reverts get the change tag ``mw-reverted``.

If the edit has to be patrolled, they get it only when that has been done.
https://www.mediawiki.org/wiki/Manual:Reverts
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import NamedTuple

from wikiapi.accounts.objectcache import Entries
from wikiapi.accounts.user import Performer
from wikiapi.pages.tags import tag_change, tag_revisions
from wikiapi.site import Site
from wikiapi.store.models import ChangeTag, ChangeTagDef, RecentChanges, Revision
from wikiapi.store.queries import revisions
from wikiapi.store.sql import bounds

_TAG = "mw-reverted"
_MOST = 1000
"""If an edit reverts more revisions than this, none of them is tagged.

https://www.mediawiki.org/wiki/Manual:$wgRevertedTagMaxDepth
"""
_WAITS = timedelta(days=90)
"""How long an edit can be patrolled: as long as it is in recent changes."""
_WAITING = Entries("revert", _WAITS)
"""What revisions revert that are not patrolled yet, by their ids."""

UNDO, ROLLBACK, MANUAL = "mw-undo", "mw-rollback", "mw-manual-revert"
"""The change tags of edits that revert others."""
_METHODS: Mapping[str, int] = MappingProxyType({UNDO: 1, ROLLBACK: 2, MANUAL: 3})
_VERSION = "1"


class Reverted(NamedTuple):
    """The revisions that an edit reverts: those after ``after_id``, up to ``newest_id``."""

    after_id: int
    newest_id: int
    tag: str
    """The change tag of the edit, which tells how it reverts."""
    is_exact: bool
    """Whether the edit restores exactly the text of ``after_id``."""


def tag_revert(
    performer: Performer, tags: Iterable[str], change_id: int, revert_id: int, reverted: Reverted
) -> None:
    """Tag a revision that reverts others, and tag those as reverted.

    The latter is done at once if the revision needs no patrolling, and otherwise when it is
    patrolled.
    """
    site = performer.site
    revision_ids = _between(site, reverted)
    params = {reverted.tag: _params(reverted, revision_ids)} if revision_ids else {}
    tag_change(site.db, tags, change_id=change_id, revision_id=revert_id, params=params)
    if performer.user.can("autopatrol"):
        _mark(site, revert_id, reverted, revision_ids)
        return
    _WAITING.put(site, str(revert_id), json.dumps(reverted), performer.site.clock() + _WAITS)


def revision_patrolled(performer: Performer, revision_id: int) -> None:
    """Tag what a patrolled revision reverts, unless it has been reverted itself by now."""
    site = performer.site
    waiting = _WAITING.pop(site, str(revision_id))
    if waiting is not None and not _tagged(site, [revision_id]):
        reverted = Reverted(*json.loads(waiting))
        _mark(site, revision_id, reverted, _between(site, reverted))


def _params(reverted: Reverted, revision_ids: Sequence[int], revert_id: int = 0) -> str:
    """Return the parameters that MediaWiki stores with the tags of reverts and reverted revisions.

    Args:
        reverted: what is reverted.
        revision_ids: the ids of the reverted revisions, oldest first.
        revert_id: the revision that reverts them; 0 for the tag of that revision itself.
    """
    facts: dict[str, object] = {"revertId": revert_id} if revert_id else {}
    facts |= {
        "isNew": False,
        "originalRevisionId": reverted.after_id if reverted.is_exact else False,
        "revertMethod": _METHODS[reverted.tag],
        "newestRevertedRevId": reverted.newest_id,
        "oldestRevertedRevId": revision_ids[0],
        "isExactRevert": reverted.is_exact,
        "isNullEdit": False,
        "revertTags": [reverted.tag],
        "version": _VERSION,
    }
    return json.dumps(facts, separators=(",", ":"))


def _mark(site: Site, revert_id: int, reverted: Reverted, revision_ids: Sequence[int]) -> None:
    """Tag the revisions and their recent changes as reverted. At most seven statements."""
    if not 0 < len(revision_ids) <= _MOST:
        return
    new = sorted(set(revision_ids) - _tagged(site, revision_ids))
    changes = RecentChanges.select(RecentChanges.rc_this_oldid, RecentChanges.rc_id).where(
        RecentChanges.rc_this_oldid.in_(new), RecentChanges.rc_source.in_(("mw.edit", "mw.new"))
    )
    change_ids: dict[int, int] = dict(site.db.execute(changes)) if new else {}
    changed = {number: change_ids.get(number, 0) for number in new}
    tag_revisions(site.db, _TAG, changed, _params(reverted, revision_ids, revert_id))


def _between(site: Site, reverted: Reverted) -> Sequence[int]:
    """Return the ids of the reverted revisions, oldest first; at most ``_MOST`` and one more."""
    numbers = (reverted.after_id, reverted.newest_id)
    ends = revisions.by_ids(site.db, numbers)
    if len(ends) != len(numbers):
        return ()
    after, newest = (ends[number] for number in numbers)
    order = [Revision.rev_timestamp, Revision.rev_id]
    query = Revision.select(Revision.rev_id).where(
        Revision.rev_page == newest.page_id,
        bounds.starting_at(order, [after.timestamp, after.rev_id]),
        bounds.starting_at(order, [newest.timestamp, newest.rev_id], descending=True),
        Revision.rev_id != after.rev_id,
    )
    return [number for (number,) in site.db.execute(query.order_by(*order).limit(_MOST + 1))]


def _tagged(site: Site, revision_ids: Iterable[int]) -> set[int]:
    """Return which of the revisions are tagged as reverted."""
    query = (
        ChangeTag.select(ChangeTag.ct_rev_id)
        .join_from(ChangeTag, ChangeTagDef, on=(ChangeTagDef.ctd_id == ChangeTag.ct_tag_id))
        .where(ChangeTagDef.ctd_name == _TAG, ChangeTag.ct_rev_id.in_(list(revision_ids)))
    )
    return {number for (number,) in site.db.execute(query)}
