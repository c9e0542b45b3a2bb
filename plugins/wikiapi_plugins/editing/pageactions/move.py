"""``action=move``."""

from __future__ import annotations

from wikiapi.api import Arr, Obj
from wikiapi.api.errorformat import ErrorFormatter
from wikiapi.errors import ApiError
from wikiapi.i18n import Message
from wikiapi.store import BlockRow, PageRow
from wikiapi.store.queries import pages
from wikiapi.title import Title
from wikiapi_plugins.editing.action import WriteAction, refuse
from wikiapi_plugins.editing.blocking.enforcing import block_against, blocked_error
from wikiapi_plugins.editing.files.pagefiles import PageFiles
from wikiapi_plugins.editing.moving import MoveOptions, PageMover
from wikiapi_plugins.editing.pages import page_of, parse_title


class Move(WriteAction):
    """Moves a page, and its talk page and subpages if requested."""

    def prepare(self) -> None:
        """Find the pages, and ask shared repositories for a file at the new title.

        Raises:
            ApiError: a title is invalid, the page does not exist, or a shared file would be hidden.
        """
        old = page_of(self, "from", "fromid")
        if self._row(old) is None:
            raise ApiError.of("missingtitle", "apierror-missingtitle")
        new = parse_title(self, self.p.text("to"))
        if self._row(new) is None:
            PageFiles(self).check_shared(new, ignore_warnings=self.p.flag("ignorewarnings"))
        self._titles = old, new

    def perform(self) -> None:
        """Move the pages, and put the outcome for each into the result.

        Raises:
            ApiError: the page cannot be moved, or the user may not move it.
        """
        old, new = self._titles
        if self._row(old) is None:
            raise ApiError.of("missingtitle", "apierror-missingtitle")
        files, mover = PageFiles(self), PageMover(self)
        refuse([*self._reasons(mover, old, new), *files.obstacles(old, new)])
        block = self._block_against(old, new)
        if block is not None:
            raise blocked_error(self.context, block)
        keeps_redirect = not self.p.flag("noredirect")
        leaves_redirect = keeps_redirect or not self.context.user.can("suppressredirect")
        options = MoveOptions(self.p.text("reason"), leaves_redirect, self.p.texts("tags"))
        talk = self.site.titles.talk(old) if self.p.flag("movetalk") else None
        if old.namespace.is_talk:
            talk = None
        data = Obj({"from": old.prefixed_text, "to": new.prefixed_text, "reason": options.reason})
        files.move(old, new)
        moved = mover.move(old, new, options)
        data["redirectcreated"] = moved.redirect_created
        data["moveoverredirect"] = moved.over_redirect
        if talk is not None:
            self._move_talk(mover, talk, new, options, data)
        if self.p.flag("movesubpages"):
            data["subpages"] = self._move_subpages(mover, old, new, options)
            new_talk = self.site.titles.talk(new)
            if talk is not None and new_talk is not None:
                data["subpages-talk"] = self._move_subpages(mover, talk, new_talk, options)
        self.watch([old, new], "watchmoves")
        self.result.set((), self.name, data)

    def _row(self, title: Title) -> PageRow | None:
        return pages.by_titles(self.db, [title.key]).get(title.key)

    def _reasons(self, mover: PageMover, old: Title, new: Title) -> list[Message]:
        """Return why a page cannot be moved by anybody or, failing that, by this user."""
        if found := mover.obstacles(old, new):
            return found
        if found := mover.missing_rights(old, new):
            return found
        row, target = self._row(old), self._row(new)
        checked = [("move", old, row), ("edit", old, row), ("edit", new, target)]
        if target is not None:
            checked.append(("move", new, target))
        return [reason for check in checked for reason in self.reasons_against(*check)][:1]

    def _block_against(self, old: Title, new: Title) -> BlockRow | None:
        """Return the block that keeps the user from one of the titles of a move, if there is one.

        What is at the new title, and the new title itself, would be changed as well.
        """
        for title in (old, new):
            block = block_against(self.context, "move", title, self._row(title))
            if block is not None:
                return block
        return None

    def _reasons_or_block(self, mover: PageMover, old: Title, new: Title) -> list[Message]:
        """Return why the user may not move a page that belongs to the one that is moved."""
        if found := self._reasons(mover, old, new):
            return found
        block = self._block_against(old, new)
        return [] if block is None else [blocked_error(self.context, block).message]

    def _move_talk(
        self, mover: PageMover, talk: Title, new: Title, options: MoveOptions, data: Obj
    ) -> None:
        """Move the talk page, if there is one, and put the outcome into the answer."""
        to = self.site.titles.talk(new)
        if self._row(talk) is None or to is None:
            return
        if reasons := self._reasons_or_block(mover, talk, to):
            data["talkmove-errors"] = ErrorFormatter(self.context).listed(reasons)
            return
        moved = mover.move(talk, to, options)
        data["talkfrom"], data["talkto"] = talk.prefixed_text, to.prefixed_text
        data["talkmoveoverredirect"] = moved.over_redirect

    def _move_subpages(
        self, mover: PageMover, old: Title, new: Title, options: MoveOptions
    ) -> Arr | Obj:
        """Move the subpages of a page; return the outcome for each, or why none was moved."""
        errors = ErrorFormatter(self.context)
        if not self.context.user.can("move-subpages"):
            return Obj({"errors": errors.listed([Message("cant-move-subpages")])})
        for title in (old, new):
            if not title.namespace.subpages:
                message = Message("namespace-nosubpages", (title.namespace.name,))
                return Obj({"errors": errors.listed([message])})
        moved = []
        for subpage in mover.subpages(old):
            item = Obj({"from": subpage.prefixed_text})
            to = mover.moved_subpage(subpage, old, new)
            if to is None:
                reasons = [Message("movepage-page-unmoved", (subpage.prefixed_text,))]
            else:
                reasons = self._reasons_or_block(mover, subpage, to)
            if to is None or reasons:
                item["errors"] = errors.listed(reasons)
            else:
                mover.move(subpage, to, options)
                item["to"] = to.prefixed_text
            moved.append(item)
        return Arr(moved, "subpage")
