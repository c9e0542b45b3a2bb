"""``action=rollback``."""

from __future__ import annotations

from wikiapi.api import Obj, moment_of
from wikiapi.api.params.types.title import user_kind, user_text
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain
from wikiapi.i18n.catalog import fill
from wikiapi.i18n.dates import format_time_and_date
from wikiapi.store import PageRow, RevisionRow
from wikiapi.store.models import Actor, RecentChanges, Revision
from wikiapi.store.queries import pages, revisions, texts, users
from wikiapi.store.queries.visibility import TEXT, USER
from wikiapi.title import Title
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.pages import page_of
from wikiapi_plugins.editing.recording.changelog import AUTOPATROLLED
from wikiapi_plugins.editing.recording.reverts import ROLLBACK, Reverted
from wikiapi_plugins.editing.saving import NewText, PageWriter, Saved

_SUMMARY = (
    "Reverted edits by [[Special:Contributions/$2|$2]] ([[User talk:$2|talk]]) "
    "to last revision by [[User:$1|$1]]"
)
_SUMMARY_HIDDEN = "Reverted edits to last revision by $1"


class Rollback(WriteAction):
    """Reverts the latest edits of a page, all by the same user, in one step."""

    def perform(self) -> None:
        """Save the latest text by another author, and put the revisions involved in the result.

        Raises:
            ApiError: ``missingtitle``, ``alreadyrolled``, ``onlyauthor``, ``notvisiblerev``, or
                the user may not roll back.
        """
        title = page_of(self, "title", "pageid")
        row = pages.by_titles(self.db, [title.key]).get(title.key)
        if row is None:
            raise ApiError.of("missingtitle", "apierror-missingtitle")
        name = self._name()
        self.check_allowed("edit", title, row)
        self.check_allowed("rollback", title, row)
        current = self._revision(row.latest)
        if current.user_name != name:
            params = (Plain(title.prefixed_text), Plain(name), Plain(current.user_name or ""))
            raise ApiError(Message("alreadyrolled", params), "alreadyrolled")
        target = self._target(row)
        saved, summary = self._save(title, row, current, target)
        if saved is None:
            params = (Plain(title.prefixed_text), Plain(name), Plain(current.user_name or ""))
            raise ApiError(Message("alreadyrolled", params), "alreadyrolled")
        self._mark_changes(row, target)
        self.watch([title], "watchrollback")
        data = Obj(
            {
                "title": title.prefixed_text,
                "pageid": row.page_id,
                "summary": summary,
                "revid": saved.revision_id,
                "old_revid": current.rev_id,
                "last_revid": target.rev_id,
            }
        )
        self.result.set((), self.name, data)

    def _name(self) -> str:
        """Return the name of the user whose edits are reverted."""
        given = self.p.text("user")
        if given.startswith("#"):
            row = users.by_ids(self.db, [int(given[1:])]).get(int(given[1:]))
            if row is None:
                raise ApiError.of("nosuchuserid", "apierror-nosuchuserid", Plain(given[1:]))
            return row.name
        return user_kind(user_text(given, self.site) or given)[1] or given

    def _revision(self, number: int) -> RevisionRow:
        return revisions.by_ids(self.db, [number])[number]

    def _target(self, row: PageRow) -> RevisionRow:
        """Return the latest revision that is not by the author of the current one."""
        author = Revision.select(Revision.rev_actor).where(Revision.rev_id == row.latest)
        query = revisions.SELECT_REVISIONS.where(
            Revision.rev_page == row.page_id, Revision.rev_actor != self.db.scalar(author)
        )
        newest = query.order_by(Revision.rev_timestamp.desc(), Revision.rev_id.desc())
        found = self.db.execute(newest.limit(1))
        if not found:
            raise ApiError.of("onlyauthor", "cantrollback")
        target = revisions.read(found[0])
        if target.deleted & (TEXT | USER):
            raise ApiError.of("notvisiblerev", "notvisiblerev")
        return target

    def _save(
        self, title: Title, row: PageRow, current: RevisionRow, target: RevisionRow
    ) -> tuple[Saved | None, str]:
        found = texts.of_revisions(self.db, [current.rev_id, target.rev_id])
        before, after = found[current.rev_id], found[target.rev_id]
        user = self.context.user
        summary = self._summary(current, target)
        if (before.text, before.model) == (after.text, after.model):
            return None, summary
        new = NewText(
            after.text or "",
            after.model,
            summary,
            is_minor=user.can("minoredit"),
            is_bot=self.p.flag("markbot") and user.can("markbotedits", "bot"),
            tags=(ROLLBACK, *self.p.texts("tags")),
            reverted=Reverted(target.rev_id, current.rev_id, ROLLBACK, is_exact=True),
        )
        return PageWriter(self.context).save(title, row, new), summary

    def _summary(self, current: RevisionRow, target: RevisionRow) -> str:
        template = self.p.text("summary") or (_SUMMARY if current.user_name else _SUMMARY_HIDDEN)
        language = self.site.language
        values = (
            target.user_name or "",
            current.user_name or "",
            str(target.rev_id),
            format_time_and_date(moment_of(target.timestamp), language),
            str(current.rev_id),
            format_time_and_date(moment_of(current.timestamp), language),
        )
        return fill(template, tuple(map(Plain, values)), language)

    def _mark_changes(self, row: PageRow, target: RevisionRow) -> None:
        """Mark the reverted changes as patrolled and, if requested, as a bot's."""
        author = Actor.select(Actor.actor_id).where(Actor.actor_name == self._name())
        marks = {"rc_patrolled": AUTOPATROLLED}
        if self.p.flag("markbot") and self.context.user.can("markbotedits", "bot"):
            marks["rc_bot"] = 1
        undone = RecentChanges.update(marks).where(
            RecentChanges.rc_cur_id == row.page_id,
            RecentChanges.rc_actor.in_(author),
            RecentChanges.rc_this_oldid > target.rev_id,
        )
        self.db.execute_write(undone)
