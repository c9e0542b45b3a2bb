"""``action=delete``."""

from __future__ import annotations

from wikiapi.api import (
    PAGE,
    TAGS,
    UNWATCH_PAGE,
    WATCH_PAGE,
    WATCHLIST,
    CurrentPage,
    Obj,
    WriteAction,
    boolean,
    current_page,
    string,
    title_or_id,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.pages import LONGEST_COMMENT, DerivedData, PageRemover
from wikiapi.store.models import Revision
from wikiapi.store.queries import revisions, texts, visibility
from wikiapi.title import Title
from wikiapi_plugins.editing.files.pagefiles import PageFiles

_AUTHORS_LOOKED_AT = 20
_LINE_ENDS = str.maketrans("\r\n", "  ")


class Delete(WriteAction):
    """Delete a page."""

    name = "delete"
    position = 27
    params = (
        *PAGE,
        string("reason", "The reason; by default, one is generated from the text."),
        TAGS,
        boolean("deletetalk", "Delete the talk page as well."),
        WATCH_PAGE,
        *WATCHLIST,
        UNWATCH_PAGE,
        string("oldimage", "Name of the old version of a file to delete."),
    )
    examples = (
        (
            "action=delete&title=Main%20Page&token=123ABC&reason=Preparing%20for%20move",
            "Delete a page with a reason",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Delete",)

    def perform(self) -> None:
        """Delete the page, and put the reason and the log entry into the result.

        A file can be deleted even if it has no page.

        Raises:
            ApiError: ``missingtitle``, ``badtags``, or the user may not delete the page.
        """
        page = current_page(self, title_or_id(self))
        files, tags = PageFiles(self), self.p.texts("tags")
        is_file = files.exists(page.title)
        if page.row is None and not is_file:
            raise ApiError("missingtitle", "apierror-missingtitle")
        # MediaWiki tells of a missing talk page before it checks the right, but not for files.
        if is_file:
            self.check_allowed("delete", page.title, page.row)
        talk = self._talk_page(page.title) if self.p.flag("deletetalk") else None
        if not is_file:
            self.check_allowed("delete", page.title, page.row)
        if talk is not None:
            self.check_allowed("delete", talk.title, talk.row)
        if is_file and self.p.is_given("oldimage"):
            comment, name = self.p.text_or_none("reason") or "", self.p.text("oldimage")
            entry_id = files.delete_old(page.title, name, comment, tags)
            done = Obj({"title": page.title.prefixed_text, "reason": comment, "logid": entry_id})
            self.result.set((), self.name, done)
            return
        reason = self.p.text_or_none("reason")
        if reason is None and not is_file:
            reason = _reason_from(self, page)
        remover = PageRemover(self.context.performer)
        files.delete(page.title, reason or "")
        if page.row is None:
            entry_id = remover.log_removal(page.title, 0, reason or "", tags=tags)
            DerivedData(self.site).page_changed(page.title, existed=True)
        else:
            entry_id = remover.remove(page.title, page.row, reason or "", tags=tags)
        if talk is not None and talk.row is not None:
            with_page = self.site.messages.content_text(
                "delete-talk-summary-prefix", Plain(reason or "")
            )
            remover.remove(talk.title, talk.row, with_page, tags=tags)
        self.watch([page.title], "watchdeletion")
        done = Obj({"title": page.title.prefixed_text, "reason": reason, "logid": entry_id})
        self.result.set((), self.name, done)

    def _talk_page(self, title: Title) -> CurrentPage | None:
        """Return the talk page to delete as well; add a warning if there is none."""
        talk = self.site.titles.talk(title)
        if talk is None or title.namespace.is_talk:
            self.warn("delete-error-associated-alreadytalk")
            return None
        page = current_page(self, talk)
        if page.row is None:
            self.warn("delete-error-associated-doesnotexist")
            return None
        return page


def _reason_from(action: WriteAction, page: CurrentPage) -> str:
    """Return the default reason of a deletion: an excerpt of the page, and its only author.

    At most three queries.
    """
    if page.row is None:
        return ""
    text, key = page.text or "", "excontent"
    if not text.strip():
        # As in MediaWiki, the last revision blanked the page, also if it only records a move or a
        # protection, so that the text before it is empty too.
        before = _text_before(action, page.row.page_id)
        if before is not None:
            text, key = before, "exbeforeblank"
    author = _only_author(action, page.row.page_id) if key == "excontent" else None
    if author:
        key = "excontentauthor"
    say, who = action.site.messages.content_text, author or ""
    room = LONGEST_COMMENT - len(say(key, Plain(""), who))
    return say(key, Plain(_shortened(text, room)), who)


def _text_before(action: WriteAction, page_id: int) -> str | None:
    """Return the text of the last revision but one; ``None`` if it is hidden or there is none."""
    query = Revision.select(Revision.rev_id).where(Revision.rev_page == page_id)
    newest = query.order_by(Revision.rev_timestamp.desc(), Revision.rev_id.desc()).limit(2)
    ids = [number for (number,) in action.db.execute(newest)]
    if len(ids) < 2:
        return None
    text = texts.of_revisions(action.db, ids[1:]).get(ids[1])
    return text.text if text else None


def _only_author(action: WriteAction, page_id: int) -> str | None:
    """Return the author of the last revisions, if it is the only one that is not hidden."""
    is_shown = Revision.rev_deleted.bin_and(visibility.USER) == 0
    query = revisions.SELECT_REVISIONS.where(Revision.rev_page == page_id, is_shown)
    newest = query.order_by(Revision.rev_timestamp.desc(), Revision.rev_id.desc())
    rows = action.db.execute(newest.limit(_AUTHORS_LOOKED_AT))
    names = {revisions.read(row).user_name for row in rows}
    return names.pop() if len(names) == 1 else None


def _shortened(text: str, room: int) -> str:
    line = text.translate(_LINE_ENDS)
    if len(line) > room:
        line = f"{line[: max(room - 3, 0)]}..."
    body = line.removesuffix("]")
    start = body.find("[[", body.rfind("]") + 1)
    return line if start < 0 else body[:start] + body[start + 2 :]
