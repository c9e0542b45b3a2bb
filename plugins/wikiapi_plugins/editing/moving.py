"""Moving a page to another title, with its redirect, protection, watchers and log entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wikiapi.api import Module
from wikiapi.api.permissions import right_of_level
from wikiapi.errors import InvalidTitle
from wikiapi.i18n import Message, Plain
from wikiapi.store import PageRow
from wikiapi.store.models import PageRestrictions, Revision
from wikiapi.store.queries import pages, protection
from wikiapi.store.write.ids import next_id
from wikiapi.title import CATEGORY, FILE, USER, Title
from wikiapi_plugins.editing.pages import current_page
from wikiapi_plugins.editing.recording.changelog import Changelog
from wikiapi_plugins.editing.recording.tagging import tag_change
from wikiapi_plugins.editing.removal import PageRemover
from wikiapi_plugins.editing.saving import NewText, PageWriter
from wikiapi_plugins.editing.watchlists.watching import copy_watchers


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
        found = []
        if old.namespace.is_virtual:
            found.append(Message("immobile-source-namespace", (old.namespace.name,)))
        if new.namespace.is_virtual:
            found.append(Message("immobile-target-namespace", (new.namespace.name,)))
        if old.ns == FILE and new.ns != FILE:
            found.append(Message("imagenocrossnamespace"))
        if new.ns == FILE and old.ns != FILE:
            found.append(Message("nonfile-cannot-move-to-file"))
        if found:
            return found
        target = pages.by_titles(self._db, [new.key]).get(new.key)
        if target is not None:
            found += self._obstacles_of_target(old, new, target)
        return found

    def _obstacles_of_target(self, old: Title, new: Title, target: PageRow) -> list[Message]:
        """Return why the target cannot be overwritten.

        It can be if it is a redirect to the moved page and has only one revision.
        """
        revisions = Revision.select(Revision.rev_id).where(Revision.rev_page == target.page_id)
        if not target.is_redirect or len(self._db.execute(revisions.limit(2))) > 1:
            return [Message("articleexists", (Plain(new.prefixed_text),))]
        page = current_page(self._module, new)
        model = self._site.parser.registries.content_models.get(page.model)
        leads_to = model.redirect_target(self._site, page.text or "") if model else None
        if leads_to is None or leads_to.key != old.key:
            return [Message("redirectexists", (Plain(new.prefixed_text),))]
        return []

    def missing_rights(self, old: Title, new: Title) -> list[Message]:
        """Return why the user lacks the right to move a page between these titles."""
        found: list[Message] = []
        if not self._can("move"):
            key = "movenologintext" if self._user.is_anonymous else "movenotallowed"
            return [Message(key)]
        if old.ns == USER and "/" not in old.text and not self._can("move-rootuserpages"):
            found.append(Message("cant-move-user-page"))
        if new.ns == USER and "/" not in new.text and not self._can("move-rootuserpages"):
            found.append(Message("cant-move-to-user-page"))
        if old.ns == FILE and not self._can("movefile"):
            found.append(Message("movenotallowedfile"))
        if old.ns == CATEGORY and not self._can("move-categorypages"):
            found.append(Message("cant-move-category-page"))
        if new.ns == CATEGORY and not self._can("move-categorypages"):
            found.append(Message("cant-move-to-category-page"))
        salted = protection.of_titles(self._db, [new.key]).get(new.key)
        if salted and not self._can(right_of_level(salted.level)):
            found.append(Message("titleprotected", (salted.level,)))
        return found

    def _can(self, right: str) -> bool:
        return self._user.can(right)

    # Moving

    def move(self, old: Title, new: Title, options: MoveOptions) -> Moved:
        """Move an existing page. The caller has made all checks."""
        target = pages.by_titles(self._db, [new.key]).get(new.key)
        if target is not None:
            reason = f'Deleted to make way for move from "[[{old.prefixed_text}]]"'
            remover = PageRemover(self._module.context)
            remover.remove(new, target, reason, action="delete_redir", tags=options.tags)
        page = current_page(self._module, old)
        if page.row is None:
            raise ValueError("a page that does not exist cannot be moved")
        model = self._site.parser.registries.content_models.get(page.model)
        redirect = None
        if model and options.leaves_redirect:
            redirect = model.redirect_text(self._site, new)
        how = _words(over_redirect=target is not None, leaves_redirect=redirect is not None)
        summary = f"{self._user.name} moved page [[{old.full_text}]] to [[{new.full_text}]]{how}"
        summary += f": {options.reason}" if options.reason else ""
        writer = PageWriter(self._module.context)
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
        copy_watchers(self._site, old, new)
        if redirect is not None:
            tags = ("mw-new-redirect", *options.tags)
            new_page = NewText(
                redirect, page.model, summary, skips_recent_changes=True, is_logged=False, tags=tags
            )
            left = writer.save(old, None, new_page)
            self._protect_redirect(old, new, page.row.page_id, left.page_id, options)
        entry_id = Changelog(self._module.context).add_entry(
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

    def _protect_redirect(
        self, old: Title, new: Title, page_id: int, redirect_id: int, options: MoveOptions
    ) -> None:
        """Copy the page's protection to the redirect, and log that it was moved."""
        table = PageRestrictions
        columns = (table.pr_type, table.pr_level, table.pr_cascade, table.pr_expiry)
        found = self._db.execute(table.select(*columns).where(table.pr_page == page_id))
        if not found:
            return
        first = next_id(self._db, table.pr_id)
        rows = [(first + n, redirect_id, *row) for n, row in enumerate(found)]
        self._db.insert_many(table, rows)
        reason = f"[[{old.prefixed_text}]] moved to [[{new.prefixed_text}]]"
        Changelog(self._module.context).add_entry(
            "protect",
            "move_prot",
            new,
            page_id=page_id,
            reason=f"{reason}: {options.reason}" if options.reason else reason,
            params={"4::oldtitle": old.prefixed_text},
            relations={"pr_id": [row[0] for row in rows]},
        )

    # Subpages

    def subpages(self, title: Title) -> Sequence[Title]:
        """Return the subpages of a page, at most 100 of them."""
        found = pages.by_title(self._db, title.ns, _MAX_SUBPAGES, prefix=f"{title.dbkey}/")
        return [self._site.titles.make(title.ns, dbkey) for dbkey, _ in found]

    def moved_subpage(self, subpage: Title, old: Title, new: Title) -> Title | None:
        """Return a subpage's title after its page is moved; ``None`` if it would be invalid."""
        try:
            made = self._site.titles.make(new.ns, new.dbkey + subpage.dbkey[len(old.dbkey) :])
            return self._site.titles.parse(made.prefixed_text)
        except InvalidTitle:
            return None


_MAX_SUBPAGES = 100


def _words(*, over_redirect: bool, leaves_redirect: bool) -> str:
    if leaves_redirect:
        return " over redirect" if over_redirect else ""
    over = " over a redirect" if over_redirect else ""
    return f"{over} without leaving a redirect"
