"""``action=move``: moving pages, with their redirects, protection, watchers and log entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from wikiapi.api import (
    MOVE_TARGET,
    REASON,
    TAGS,
    WATCHLIST,
    Arr,
    ErrorFormatter,
    Module,
    Obj,
    WriteAction,
    boolean,
    code_of,
    compact,
    current_page,
    integer,
    named_page,
    parse_title,
    refuse,
    right_of_level,
    string,
    valid_title,
)
from wikiapi.errors import ApiError, InvalidTitle
from wikiapi.expiry import is_in_force
from wikiapi.languages import Message
from wikiapi.pages import Changelog, NewText, PageRemover, PageWriter, tag_change, watching
from wikiapi.store import PageRow, next_id
from wikiapi.store.models import PageRestrictions, Revision
from wikiapi.store.queries import pages, protection
from wikiapi.title import FILE, Title
from wikiapi_plugins.editing.files.pagefiles import PageFiles


class MoveOptions(NamedTuple):
    """The options of a move."""

    reason: str
    leaves_redirect: bool
    tags: tuple[str, ...] = ()


class Moved(NamedTuple):
    """The result of a move: whether it left a redirect, and whether it replaced one."""

    redirect_created: bool
    over_redirect: bool


class PageMover:
    """Moves pages on behalf of a request's user. Call it in a transaction."""

    def __init__(self, module: Module) -> None:
        """Move pages of the request's site."""
        self._module, self._site, self._db = module, module.site, module.db
        self._user = module.context.user

    # Checking

    def obstacles(self, old: Title, new: Title) -> list[Message]:
        """Return why a page cannot be moved to a title by anybody; empty if it can."""
        if old.key == new.key:
            return [Message("selfmove")]
        messages = []
        if old.namespace.is_virtual:
            messages.append(Message("immobile-source-namespace", (old.namespace.name,)))
        if new.namespace.is_virtual:
            messages.append(Message("immobile-target-namespace", (new.namespace.name,)))
        if old.ns == FILE and new.ns != FILE:
            messages.append(Message("imagenocrossnamespace"))
        if new.ns == FILE and old.ns != FILE:
            messages.append(Message("nonfile-cannot-move-to-file"))
        if messages:
            return messages
        target = pages.by_titles(self._db, [new.key]).get(new.key)
        if target is not None:
            messages += self._obstacles_of_target(old, new, target)
        return messages

    def _obstacles_of_target(self, old: Title, new: Title, target: PageRow) -> list[Message]:
        """Return why the target cannot be overwritten.

        It can be if it is a redirect to the moved page and has only one revision.
        """
        revisions = Revision.select(Revision.rev_id).where(Revision.rev_page == target.page_id)
        if not target.is_redirect or len(self._db.execute(revisions.limit(2))) > 1:
            return [Message("articleexists", (new.prefixed_text,))]
        page = current_page(self._module, new)
        model = self._site.content_models.get(page.model)
        leads_to = model.redirect_target(self._site, page.text or "") if model else None
        if leads_to is None or leads_to.key != old.key:
            return [Message("redirectexists", (new.prefixed_text,))]
        return []

    # Moving

    def move(self, old: Title, new: Title, options: MoveOptions, fragment: str = "") -> Moved:
        """Move an existing page. The caller has made all checks.

        The redirect that it leaves leads to the ``fragment`` of the new title.
        """
        target = pages.by_titles(self._db, [new.key]).get(new.key)
        if target is not None:
            reason = self._content_text("delete_and_move_reason", old.prefixed_text)
            remover = PageRemover(self._module.context.performer)
            remover.remove(new, target, reason, action="delete_redir", tags=options.tags)
        page = current_page(self._module, old)
        if page.row is None:
            raise ValueError("a page that does not exist cannot be moved")
        model = self._site.content_models.get(page.model)
        redirect = None
        if model and options.leaves_redirect:
            redirect = model.redirect_text(self._site, replace(new, fragment=fragment))
        kind = "" if target is None else "_redir"
        key = f"logentry-move-move{kind}{'' if redirect is not None else '-noredirect'}"
        name, pages_moved = self._user.name, (f"[[{old.full_text}]]", f"[[{new.full_text}]]")
        summary = self._with_reason(
            self._content_text(key, name, name, *pages_moved), options.reason
        )
        writer = PageWriter(self._module.context.performer)
        step = NewText(
            "",
            page.model,
            summary,
            is_minor=True,
            skips_recent_changes=True,
            tags=options.tags,
            is_null=True,
        )
        saved = writer.rename(old, page.row, new, step)
        watching.copy_watchers(self._site, old, new)
        if redirect is not None:
            tags = ("mw-new-redirect", *options.tags)
            new_page = NewText(
                redirect,
                page.model,
                summary,
                skips_recent_changes=True,
                is_logged=False,
                counts_for_author=False,
                tags=tags,
            )
            left = writer.save(old, None, new_page)
            self._protect_redirect(old, new, page.row.page_id, left.page_id, options)
        entry_id = Changelog(self._module.context.performer).add_entry(
            "move",
            "move" if target is None else "move_redir",
            old,
            page_id=page.row.page_id,
            reason=options.reason,
            params={
                "4::target": new.prefixed_text,
                "5::noredir": "1" if redirect is None else "0",
            },
            revision_id=saved.revision_id,
        )
        tag_change(self._db, options.tags, log_id=entry_id)
        return Moved(redirect is not None, target is not None)

    def _content_text(self, key: str, *params: str) -> str:
        return self._site.messages.content_text(key, *params)

    def _with_reason(self, text: str, reason: str) -> str:
        return f"{text}{self._content_text('colon-separator')}{reason}" if reason else text

    def _protect_redirect(
        self, old: Title, new: Title, page_id: int, redirect_id: int, options: MoveOptions
    ) -> None:
        """Copy the page's protection to the redirect, and log that it was moved."""
        table = PageRestrictions
        columns = (table.pr_type, table.pr_level, table.pr_cascade, table.pr_expiry)
        restrictions = self._db.execute(table.select(*columns).where(table.pr_page == page_id))
        if not restrictions:
            return
        first = next_id(self._db, table.pr_id)
        rows = [(first + n, redirect_id, *row) for n, row in enumerate(restrictions)]
        self._db.insert_many(table, rows)
        reason = self._content_text("prot_1movedto2", old.prefixed_text, new.prefixed_text)
        Changelog(self._module.context.performer).add_entry(
            "protect",
            "move_prot",
            new,
            page_id=page_id,
            reason=self._with_reason(reason, options.reason),
            params={"4::oldtitle": old.prefixed_text},
            relations={"pr_id": [row[0] for row in rows]},
        )

    # Subpages

    def subpages(self, title: Title) -> Sequence[Title]:
        """Return the subpages of a page, at most 100 of them."""
        rows = pages.by_title(self._db, title.ns, _MAX_SUBPAGES, prefix=f"{title.dbkey}/")
        return [self._site.titles.make(title.ns, dbkey) for dbkey, _ in rows]

    def moved_subpage(self, subpage: Title, old: Title, new: Title) -> Title | None:
        """Return a subpage's title after its page is moved; ``None`` if it would be invalid."""
        try:
            made = self._site.titles.make(new.ns, new.dbkey + subpage.dbkey[len(old.dbkey) :])
            return self._site.titles.parse(made.prefixed_text)
        except InvalidTitle:
            return None


_MAX_SUBPAGES = 100


class Move(WriteAction):
    """Move a page to another title."""

    name = "move"
    spreads_blocks = True
    position = 32
    params = (
        string("from", "Title of the page to move. Not together with ``fromid``."),
        integer("fromid", "Id of the page to move. Not together with ``from``."),
        string("to", "New title of the page.", required=True),
        REASON,
        boolean("movetalk", "Move the talk page as well, if there is one."),
        boolean("movesubpages", "Move subpages as well."),
        boolean("noredirect", "Do not leave a redirect."),
        *WATCHLIST,
        boolean("ignorewarnings", "Ignore all warnings."),
        TAGS,
    )
    examples = (
        (
            "action=move&from=Badtitle&to=Goodtitle&token=123ABC&reason=Misspelled&movetalk=&noredirect=",
            "Move a page and its talk without a redirect",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Move",)

    def prepare(self) -> None:
        """Find the pages, and ask shared repositories for a file at the new title.

        Raises:
            ApiError: a title is invalid, the page does not exist, or a shared file would be hidden.
        """
        old = named_page(self, "from", "fromid")
        if self._row(old) is None:
            raise ApiError("missingtitle", "apierror-missingtitle")
        new = parse_title(self, self.p.text("to"))
        if self._row(new) is None:
            PageFiles(self).check_shared(new, ignore_warnings=self.p.flag("ignorewarnings"))
        self._titles = old, new
        self._fragment = valid_title(self.site, self.p.text("to")).fragment

    def perform(self) -> None:
        """Move the pages, and put the outcome for each into the result.

        Raises:
            ApiError: the page cannot be moved, or the user may not move it.
        """
        old, new = self._titles
        if self._row(old) is None:
            raise ApiError("missingtitle", "apierror-missingtitle")
        files, mover = PageFiles(self), PageMover(self)
        refuse(
            [
                *mover.obstacles(old, new),
                *files.obstacles(old, new),
                *self._errors_against_move(old, new),
            ]
        )
        keeps_redirect = not self.p.flag("noredirect")
        leaves_redirect = keeps_redirect or not self.context.user.can("suppressredirect")
        options = MoveOptions(self.p.text("reason"), leaves_redirect, self.p.texts("tags"))
        talk = self.site.titles.talk(old) if self.p.flag("movetalk") else None
        if old.namespace.is_talk:
            talk = None
        data = Obj({"from": old.prefixed_text, "to": new.prefixed_text, "reason": options.reason})
        files.move(old, new)
        moved = mover.move(old, new, options, self._fragment)
        data["redirectcreated"] = moved.redirect_created
        data["moveoverredirect"] = moved.over_redirect
        if talk is not None:
            self._move_talk(mover, talk, new, options, data)
        if self.p.flag("movesubpages"):
            data["subpages"] = self._move_subpages(mover, old, new, options)
            new_talk = self.site.titles.talk(new)
            if self.p.flag("movetalk") and new_talk is not None:
                origin = talk or old
                data["subpages-talk"] = self._move_subpages(mover, origin, new_talk, options)
        self.watch([old, new], "watchmoves")
        self.result.set((), self.name, data)

    def _row(self, title: Title) -> PageRow | None:
        return pages.by_titles(self.db, [title.key]).get(title.key)

    def _errors_against_move(self, old: Title, new: Title) -> list[ApiError]:
        """Return why the user may not move a page: what is at either title would be changed."""
        errors = self.errors_against(("move", "edit"), old, self._row(old))
        errors += self.errors_against((MOVE_TARGET, "edit"), new, self._row(new))
        salted = protection.of_titles(self.db, [new.key]).get(new.key)
        is_salted = salted is not None and is_in_force(salted.expiry, compact(self.context.now))
        if salted and is_salted and not self.context.user.can(right_of_level(salted.level)):
            message = Message("titleprotected", (salted.level,))
            errors.append(ApiError(code_of(message), message))
        return errors

    def _reasons(self, mover: PageMover, old: Title, new: Title) -> list[Message]:
        """Return why a page that belongs to the one that is moved cannot be moved as well."""
        errors = self._errors_against_move(old, new)
        return [*mover.obstacles(old, new), *(error.message for error in errors)]

    def _move_talk(
        self, mover: PageMover, talk: Title, new: Title, options: MoveOptions, data: Obj
    ) -> None:
        """Move the talk page, if there is one, and put the outcome into the answer."""
        to = self.site.titles.talk(new)
        if self._row(talk) is None or to is None:
            return
        if reasons := self._reasons(mover, talk, to):
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
                message = Message("namespace-nosubpages", (title.namespace.canonical,))
                return Obj({"errors": errors.listed([message])})
        moved = []
        for subpage in mover.subpages(old):
            item = Obj({"from": subpage.prefixed_text})
            to = mover.moved_subpage(subpage, old, new)
            if to is None:
                reasons = [Message("movepage-page-unmoved", (subpage.prefixed_text,))]
            else:
                reasons = self._reasons(mover, subpage, to)
            if to is None or reasons:
                item["errors"] = errors.listed(reasons)
            else:
                mover.move(subpage, to, options)
                item["to"] = to.prefixed_text
            moved.append(item)
        return Arr(moved, "subpage")
