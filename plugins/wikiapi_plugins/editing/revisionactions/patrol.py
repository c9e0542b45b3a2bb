"""``action=patrol``."""

from __future__ import annotations

from typing import Any

from wikiapi.api import TAGS, Obj, WriteAction, integer, one_of, refuse, refuse_blocked, title_data
from wikiapi.errors import ApiError
from wikiapi.languages import Message
from wikiapi.pages import PATROLLED, UNPATROLLED, Changelog, reverts, tag_change
from wikiapi.store.models import Actor, RecentChanges
from wikiapi.store.queries import pages, revisions


class Patrol(WriteAction):
    """Mark a change as patrolled."""

    name = "patrol"
    position = 38
    params = (
        integer("rcid", "Id of the recent change."),
        integer("revid", "Id of the revision."),
        TAGS,
    )
    needs_token = "patrol"
    examples = (("action=patrol&token=123ABC&rcid=230672766", "Patrol a recent change"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Patrol",)

    def perform(self) -> None:
        """Mark the change, unless it is marked already.

        Raises:
            ApiError: ``nosuchrcid``, ``nosuchrevid``, ``notpatrollable``, or the user may not
                patrol the change.
        """
        table = RecentChanges
        query = table.select(
            table.rc_id,
            table.rc_namespace,
            table.rc_title,
            table.rc_this_oldid,
            table.rc_last_oldid,
            table.rc_patrolled,
            Actor.actor_name,
        ).join_from(table, Actor, on=(Actor.actor_id == table.rc_actor))
        row = self.db.row(query.where(self._condition()).order_by(table.rc_id))
        if row is None:
            raise self._not_found()
        change_id, namespace, name, revision_id, parent_id, mark, author = row
        title = self.site.titles.make(namespace, name)
        page = pages.by_titles(self.db, [title.key]).get(title.key)
        reasons = self.reasons_against("patrol", title, page)
        if author == self.context.user.name and not self.context.user.can("autopatrol"):
            # MediaWiki asks this before the right, so that it is the code of the answer.
            reasons.insert(0, Message("markedaspatrollederror-noautopatrol"))
        refuse(reasons)
        refuse_blocked(self.context, "patrol", title, page)
        if mark == UNPATROLLED:
            marked = table.update(rc_patrolled=PATROLLED).where(table.rc_id == change_id)
            self.db.execute_write(marked)
            entry_id = Changelog(self.context.performer).add_entry(
                "patrol",
                "patrol",
                title,
                page_id=page.page_id if page else 0,
                params={
                    "4::curid": str(revision_id),
                    "5::previd": str(parent_id),
                    "6::auto": 0,
                },
                is_public=False,
            )
            tag_change(self.db, self.p.texts("tags"), log_id=entry_id)
            reverts.revision_patrolled(self.context.performer, revision_id)
        self.result.set((), self.name, Obj({"rcid": change_id, **title_data(title)}))

    def _condition(self) -> Any:
        if one_of(self, "rcid", "revid") == "rcid":
            return RecentChanges.rc_id == self.p.number("rcid")
        number = self.p.number("revid")
        if number not in revisions.by_ids(self.db, [number]):
            raise ApiError("nosuchrevid", "apierror-nosuchrevid", number)
        # Entries about categories have the revision of the change that caused them.
        is_of_revision = RecentChanges.rc_this_oldid == number
        return is_of_revision & RecentChanges.rc_source.in_(("mw.edit", "mw.new", "mw.log"))

    def _not_found(self) -> ApiError:
        if self.p.is_given("rcid"):
            return ApiError("nosuchrcid", "apierror-nosuchrcid", self.p.number("rcid"))
        return ApiError("notpatrollable", "apierror-notpatrollable", self.p.number("revid"))
