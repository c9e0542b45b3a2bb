"""``action=rollback``."""

from __future__ import annotations

from peewee import fn

from wikiapi.accounts import user_kind, user_text
from wikiapi.api import (
    PAGE,
    TAGS,
    WATCHLIST,
    Obj,
    WriteAction,
    boolean,
    moment_of,
    named_page,
    string,
    user,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Num, Plain, fill
from wikiapi.pages import (
    PATROLLED,
    UNPATROLLED,
    NewText,
    PageWriter,
    Reverted,
    Saved,
    automatic_tags,
    reverts,
)
from wikiapi.store import PageRow, RevisionRow
from wikiapi.store.models import Actor, RecentChanges, Revision
from wikiapi.store.queries import pages, revisions, texts, users, visibility
from wikiapi.title import Title

_SUMMARY, _SUMMARY_HIDDEN = "revertpage", "revertpage-nouser"


class Rollback(WriteAction):
    """Revert the latest edits of a page, all by the same user."""

    name = "rollback"
    position = 26
    params = (
        *PAGE,
        TAGS,
        user(
            "user",
            "The user whose edits are reverted.",
            kinds=("name", "ip", "temp", "interwiki", "id"),
            required=True,
        ),
        string("summary", "Edit summary; the default one if empty.", default=""),
        boolean("markbot", "Mark the reverted edits and the revert as bot edits."),
        *WATCHLIST,
    )
    needs_token = "rollback"
    examples = (
        (
            "action=rollback&title=Main%20Page&user=Example&token=123ABC",
            "Revert the latest edits of a user",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Rollback",)

    def perform(self) -> None:
        """Save the latest text by another author, and put the revisions involved in the result.

        Raises:
            ApiError: ``missingtitle``, ``alreadyrolled``, ``onlyauthor``, ``notvisiblerev``, or
                the user may not roll back.
        """
        title = named_page(self, "title", "pageid")
        row = pages.by_titles(self.db, [title.key]).get(title.key)
        if row is None:
            raise ApiError("missingtitle", "apierror-missingtitle")
        name = self._reverted_user()
        self.check_all_allowed(("edit", "rollback"), title, row)
        current = revisions.by_ids(self.db, [row.latest])[row.latest]
        params = (Plain(title.prefixed_text), Plain(name), Plain(current.user_name or ""))
        already_rolled = ApiError("alreadyrolled", "alreadyrolled", *params)
        if current.user_name != name:
            raise already_rolled
        author = Revision.select(Revision.rev_actor).where(Revision.rev_id == row.latest)
        query = revisions.SELECT_REVISIONS.where(
            Revision.rev_page == row.page_id, Revision.rev_actor != self.db.scalar(author)
        )
        newest = query.order_by(Revision.rev_timestamp.desc(), Revision.rev_id.desc())
        newest_row = self.db.execute(newest.limit(1))
        if not newest_row:
            raise ApiError("onlyauthor", "cantrollback")
        target = revisions.read(newest_row[0])
        if target.deleted & (visibility.TEXT | visibility.USER):
            raise ApiError("notvisiblerev", "notvisiblerev")
        self._mark_undone(name, row, target)
        saved, summary = self._save(title, row, current, target)
        if saved is None:
            self.failure = already_rolled
            return
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

    def _mark_undone(self, name: str, page: PageRow, target: RevisionRow) -> None:
        """Mark a user's changes of a page since a revision as patrolled, and as a bot's if asked.

        The changes are marked even if the page has the text of that revision already.
        """
        table = RecentChanges
        is_later = (table.rc_timestamp > target.timestamp) | (
            (table.rc_timestamp == target.timestamp) & (table.rc_this_oldid > target.rev_id)
        )
        undone = (
            table.rc_cur_id == page.page_id,
            table.rc_actor.in_(Actor.select(Actor.actor_id).where(Actor.actor_name == name)),
            is_later,
        )
        if self.p.flag("markbot") and self.context.user.can("markbotedits", "bot"):
            self.db.execute_write(table.update(rc_bot=1).where(*undone))
        marked = table.update(rc_patrolled=PATROLLED)
        self.db.execute_write(marked.where(*undone, table.rc_patrolled == UNPATROLLED))

    def _reverted_user(self) -> str:
        """Return the name of the user whose edits are reverted."""
        user = self.p.text("user")
        if user.startswith("#"):
            row = users.by_ids(self.db, [int(user[1:])]).get(int(user[1:]))
            if row is None:
                raise ApiError("nosuchuserid", "apierror-nosuchuserid", Plain(user[1:]))
            return row.name
        return user_kind(user_text(user, self.site) or user)[1] or user

    def _save(
        self, title: Title, row: PageRow, current: RevisionRow, target: RevisionRow
    ) -> tuple[Saved | None, str]:
        stored = texts.of_revisions(self.db, [current.rev_id, target.rev_id])
        before, after = stored[current.rev_id], stored[target.rev_id]
        user = self.context.user
        summary = self._summary(current, target)
        if (before.text, before.model) == (after.text, after.model):
            return None, summary
        redirects = self.site.redirects
        automatic = automatic_tags(
            before.text,
            after.text or "",
            redirects.target(before.text) if before.text else None,
            redirects.target(after.text) if after.text else None,
        )
        new = NewText(
            after.text or "",
            after.model,
            summary,
            is_minor=user.can("minoredit"),
            is_bot=self.p.flag("markbot") and user.can("markbotedits", "bot"),
            tags=(reverts.ROLLBACK, *self.p.texts("tags"), *automatic),
            reverted=Reverted(target.rev_id, current.rev_id, reverts.ROLLBACK, is_exact=True),
        )
        writer = PageWriter(self.context.performer)
        saved = writer.save(title, row, new)
        if before.model != after.model:
            models = (before.model, after.model)
            writer.log_model_change(title, row.page_id, models, summary)
        return saved, summary

    def _summary(self, current: RevisionRow, target: RevisionRow) -> str:
        """Return the summary: the one that the user has written, or a text of the wiki."""
        language = self.site.language
        later = Revision.rev_id > target.rev_id
        undone = Revision.select(fn.COUNT(Revision.rev_id)).where(
            Revision.rev_page == current.page_id, later
        )
        values = (
            target.user_name or "",
            current.user_name or "",
            str(target.rev_id),
            self.site.usual_time("both", moment_of(target.timestamp), language),
            str(current.rev_id),
            self.site.usual_time("both", moment_of(current.timestamp), language),
        )
        if own := self.p.text("summary"):
            return fill(own, tuple(map(Plain, values)), language).strip()
        key = _SUMMARY if current.user_name else _SUMMARY_HIDDEN
        return self.site.messages.content_text(key, *values, Num(self.db.scalar(undone)))
