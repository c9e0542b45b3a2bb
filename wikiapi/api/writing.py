"""The base class of actions that write, with the checks that they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from typing import ClassVar

from wikiapi.accounts import blocking
from wikiapi.accounts.blocks import UserBlocks
from wikiapi.accounts.rates import exceeds_rate_limit
from wikiapi.api.errorformat import code_of
from wikiapi.api.module import Action
from wikiapi.api.permissions import (
    Blocked,
    PageProtection,
    Permissions,
    blocked_error,
)
from wikiapi.api.writeparams import watch_period
from wikiapi.errors import ApiError, ApiErrors, StoreBusy, WikiapiError
from wikiapi.expiry import INFINITY, is_in_force
from wikiapi.filerepo.folder import FolderChanges, UploadFolder
from wikiapi.languages.message import Message
from wikiapi.pages.watching import UNWATCH, WATCH, Watcher
from wikiapi.store import PageRow
from wikiapi.store.queries import protection
from wikiapi.store.write.sharing import sharing
from wikiapi.timestamps import compact
from wikiapi.title import Title

_MAX_ATTEMPTS = 10
_REQUIRED = {
    "protect": {"edit": "protect-cantedit"},
    "undelete": {"edit": "undelete-cantedit", "create": "undelete-cantcreate"},
}
"""Actions on a page that only those may perform who may also edit it, and create it if it does not
exist, and the messages for others."""


class Outdated(WikiapiError):
    """Somebody else has changed what an action has prepared."""


class WriteAction(Action):
    """An action that changes the wiki in one transaction.

    The transaction keeps everybody else from writing, unless the action ``shares_writing``. What
    takes long, such as parsing, checking a file or asking another server, belongs into
    :meth:`prepare`, which runs before it.
    """

    is_write = True
    shares_writing: ClassVar[bool] = False
    """Whether :meth:`perform` is prepared for others who write at the same time: see
    ``wikiapi.store.write.sharing``."""
    spreads_blocks: ClassVar[bool] = False
    """Whether an autoblock follows when a blocked user tries this."""
    held: ExitStack
    """What :meth:`prepare` acquires for the time until the transaction is committed."""
    failure: ApiError | None = None
    """An error with which the action ends although its changes are committed."""
    _file_changes: FolderChanges | None = None

    @property
    def file_changes(self) -> FolderChanges:
        """The action's changes to files, which are committed or undone with the transaction."""
        if self._file_changes is None:
            changes = FolderChanges(UploadFolder(self.site.config.files))
            self._file_changes = self.held.enter_context(changes)
        return self._file_changes

    def execute(self) -> None:
        """Perform the action.

        Raises:
            ApiError: an error of the action.
            StoreBusy: others changed the same pages each time when the action was prepared.
        """
        self.check_rate()
        if self.p.get("tags") and not self.context.user.can("applychangetags"):
            raise ApiError("tags-apply-no-permission", "tags-apply-no-permission")
        attributes, extras = dict(vars(self)), dict(self.result.root)
        headers, warnings = len(self.context.headers), len(self.context.warnings)

        def undo() -> None:
            """Forget what an attempt has left in the answer and in this object."""
            self.result.reset()
            self.result.root |= extras
            del self.context.headers[headers:], self.context.warnings[warnings:]
            vars(self).clear()
            vars(self).update(attributes)

        self.db.repeated(self._attempt, undo)
        if self.failure is not None:
            raise self.failure

    def _attempt(self) -> None:
        """Prepare and perform the action, again whenever others have changed what was prepared.

        Raises:
            ApiError: an error of the action.
            StoreConflict: others have undone the transaction.
            StoreBusy: others changed the same pages each time.
        """
        for _ in range(_MAX_ATTEMPTS):
            self._file_changes = None
            with self.db.on_primary(), suppress(Outdated), ExitStack() as self.held:
                try:
                    self.prepare()
                    with sharing(self.db) if self.shares_writing else self.db.atomic():
                        self.db.on_commit(self.held.close)
                        self.perform()
                except (Blocked, ApiErrors) as error:
                    errors = error.errors if isinstance(error, ApiErrors) else [error]
                    if self.spreads_blocks and any(isinstance(one, Blocked) for one in errors):
                        blocking.spread_blocks(self.context.performer)
                    raise
                return
        raise StoreBusy("others have changed the same pages again and again")

    def check_rate(self) -> None:
        """Count the request, and refuse users who exceed the rate limit of the action.

        Raises:
            ApiError: ``ratelimited``.
        """
        if exceeds_rate_limit(self.context.performer, self.name):
            raise ApiError("ratelimited", "apierror-ratelimited")

    def prepare(self) -> None:
        """Do what takes long, before the transaction begins; nothing by default.

        Others may write between this and :meth:`perform`, which raises :class:`Outdated` if they
        have changed what was prepared. The action is then prepared again.

        Raises:
            ApiError: the request is refused.
        """

    def perform(self) -> None:
        """Change the wiki and put a description of the change into the result.

        Raises:
            ApiError: ``moduledisabled``, if no subclass implements the action.
            Outdated: somebody else has changed what was prepared.
        """
        raise ApiError("moduledisabled", "apierror-moduledisabled", self.name)

    def check_allowed(
        self, action: str, title: Title, row: PageRow | None, model: str | None = None
    ) -> None:
        """Refuse the request if the user may not perform an action on a page.

        At most five queries. ``model`` is the content model that the page is to have, by default
        its present one.

        Raises:
            ApiErrors: the reasons.
        """
        self.check_all_allowed([action], title, row, model)

    def check_all_allowed(
        self, actions: Sequence[str], title: Title, row: PageRow | None, model: str | None = None
    ) -> None:
        """Refuse the request if the user may not perform all of some actions on a page.

        At most five queries, as for one action.

        Raises:
            ApiErrors: the reasons, see :meth:`errors_against`.
        """
        refuse(self.errors_against(actions, title, row, model))

    def errors_against(
        self, actions: Sequence[str], title: Title, row: PageRow | None, model: str | None = None
    ) -> list[ApiError]:
        """Return why the user may not perform all of some actions on a page; empty if they may.

        At most five queries. The reasons against each action are in MediaWiki's order: rights,
        protection, that a page which may not be edited may not be protected or restored either,
        and a block.
        """
        permissions = self._permissions(title, row)
        model = model or (row.content_model if row else None)
        blocks, exists = UserBlocks(self.context.performer), row is not None
        errors: list[ApiError] = []
        for action in actions:
            reasons = permissions.errors(action, title, exists=exists, model=model)
            if action == "delete" and permissions.protection_errors("edit", title):
                reasons.append(Message("deleteprotected"))
            for required, key in _REQUIRED.get(action, {}).items():
                if exists and required == "create":
                    continue
                against = permissions.errors(required, title, exists=True, model=model)
                if against or blocks.against(required, title, row):
                    reasons.append(Message(key))
            errors += [ApiError(code_of(reason), reason) for reason in reasons]
            block = blocks.against(action, title, row)
            errors += [] if block is None else [blocked_error(self.context, block)]
        return errors

    def reasons_against(
        self, action: str, title: Title, row: PageRow | None, model: str | None = None
    ) -> list[Message]:
        """Return why the user may not perform an action on a page; empty if they may.

        At most three queries. Blocks are not considered.
        """
        model = model or (row.content_model if row else None)
        permissions = self._permissions(title, row)
        return permissions.errors(action, title, exists=row is not None, model=model)

    def _permissions(self, title: Title, row: PageRow | None) -> Permissions:
        """Return what the user may do to a page, considering its protection. Three queries."""
        now, key = compact(self.context.now), title.key
        cascades = protection.cascade_sources(self.db, [key]).get(key, [])
        own = protection.of_pages(self.db, [row.page_id]).get(row.page_id, []) if row else []
        creation = None if row else protection.of_titles(self.db, [key]).get(key)
        in_force = PageProtection(
            [restriction for restriction in own if is_in_force(restriction.expiry, now)],
            [source for source in cascades if is_in_force(source.expiry, now)],
            creation if creation and is_in_force(creation.expiry, now) else None,
        )
        return Permissions(self.site, self.context.user, {key: in_force})

    def watch(self, titles: Iterable[Title], *preferences: str) -> str | None:
        """Watch or unwatch pages, as the request and any of the user's options ask for.

        Returns until when the last of them is watched: 14 digits, or ``infinity`` for no end and
        for visitors, who have no watch list; ``None`` if it is not to be watched.
        """
        watcher, choice, end = Watcher(self.context.performer), self.p.text("watchlist"), None
        if self.p.get("watch"):
            choice = WATCH
        elif self.p.get("unwatch"):
            choice = UNWATCH
        for title in titles:
            is_watched = watcher.wants(choice, title, *preferences)
            watcher.apply(is_watched, title, watch_period(self))
            end = (watcher.end_of(title) or INFINITY) if is_watched else None
        return end


def refuse(reasons: Iterable[Message | ApiError]) -> None:
    """Refuse the request if there are any reasons against it.

    Raises:
        ApiError: the reason, if there is only one.
        ApiErrors: the reasons.
    """
    errors = [
        ApiError(code_of(reason), reason) if isinstance(reason, Message) else reason
        for reason in reasons
    ]
    if errors:
        raise ApiErrors(errors) if len(errors) > 1 else errors[0]
