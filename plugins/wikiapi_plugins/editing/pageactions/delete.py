"""``action=delete``."""

from __future__ import annotations

from wikiapi.api import Obj
from wikiapi.errors import ApiError
from wikiapi.i18n import Message
from wikiapi.store.models import Revision
from wikiapi.store.queries import revisions, texts
from wikiapi.title import FILE, Title
from wikiapi_plugins.editing.action import WriteAction, refuse
from wikiapi_plugins.editing.files.pagefiles import PageFiles
from wikiapi_plugins.editing.pages import CurrentPage, current_page
from wikiapi_plugins.editing.recording.derived import DerivedData
from wikiapi_plugins.editing.removal import PageRemover
from wikiapi_plugins.editing.texts.summaries import LONGEST_SUMMARY
from wikiapi_plugins.query.titleorid import title_or_id

_AUTHORS_LOOKED_AT = 20
_LINE_ENDS = str.maketrans("\r\n", "  ")


class Delete(WriteAction):
    """Deletes a page, and its talk page if requested."""

    def perform(self) -> None:
        """Delete the page, and put the reason and the log entry into the result.

        A file can be deleted even if it has no page.

        Raises:
            ApiError: ``missingtitle``, ``badtags``, or the user may not delete the page.
        """
        page = current_page(self, title_or_id(self))
        self._check(page)
        files, tags = PageFiles(self), self.p.texts("tags")
        if page.row is None and not files.exists(page.title):
            raise ApiError.of("missingtitle", "apierror-missingtitle")
        is_file = page.title.ns == FILE
        if is_file and self.p.is_given("oldimage"):
            self._delete_version(files, page.title)
            return
        talk = self._talk_page(page.title) if self.p.flag("deletetalk") else None
        reason = self.p.text_or_none("reason")
        if reason is None:
            reason = "" if is_file else _reason_from(self, page)
        remover = PageRemover(self.context)
        files.delete(page.title, reason)
        if page.row is None:
            entry_id = remover.log_removal(page.title, 0, reason, tags=tags)
            DerivedData(self.site).page_changed(page.title, existed=True)
        else:
            entry_id = remover.remove(page.title, page.row, reason, tags=tags)
        if talk is not None and talk.row is not None:
            with_page = f"Deleted together with the associated page with reason: {reason}"
            remover.remove(talk.title, talk.row, with_page, tags=tags)
        self.watch([page.title], "watchdeletion")
        done = Obj({"title": page.title.prefixed_text, "reason": reason, "logid": entry_id})
        self.result.set((), self.name, done)

    def _delete_version(self, files: PageFiles, title: Title) -> None:
        """Delete one earlier version of a file, but not its page."""
        reason = self.p.text_or_none("reason") or ""
        entry_id = files.delete_old(title, self.p.text("oldimage"), reason, self.p.texts("tags"))
        done = Obj({"title": title.prefixed_text, "reason": reason, "logid": entry_id})
        self.result.set((), self.name, done)

    def _check(self, page: CurrentPage) -> None:
        """Refuse users who may not both delete and edit the page."""
        self.check_allowed("delete", page.title, page.row)
        if page.row is not None and self.reasons_against("edit", page.title, page.row):
            refuse([Message("deleteprotected")])

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
        self._check(page)
        return page


def _reason_from(action: WriteAction, page: CurrentPage) -> str:
    """Return the default reason of a deletion: an excerpt of the page, and its only author.

    At most three queries.
    """
    if page.row is None:
        return ""
    text, begins = page.text or "", "content was"
    if not text.strip():
        before = _text_before(action, page.row.page_id)
        if before.strip():
            text, begins = before, "content before blanking was"
    author = _only_author(action, page.row.page_id) if begins == "content was" else None
    ends = ""
    if author:
        ends = (
            f', and the only contributor was "[[Special:Contributions/{author}|{author}]]" '
            f"([[User talk:{author}|talk]])"
        )
    room = LONGEST_SUMMARY - len(f'{begins}: ""{ends}')
    return f'{begins}: "{_shortened(text, room)}"{ends}'


def _text_before(action: WriteAction, page_id: int) -> str:
    query = Revision.select(Revision.rev_id).where(Revision.rev_page == page_id)
    newest = query.order_by(Revision.rev_timestamp.desc(), Revision.rev_id.desc()).limit(2)
    ids = [number for (number,) in action.db.execute(newest)]
    if len(ids) < 2:
        return ""
    found = texts.of_revisions(action.db, ids[1:]).get(ids[1])
    return (found.text if found else None) or ""


def _only_author(action: WriteAction, page_id: int) -> str | None:
    query = revisions.SELECT_REVISIONS.where(Revision.rev_page == page_id)
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
