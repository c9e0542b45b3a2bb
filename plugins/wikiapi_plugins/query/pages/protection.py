"""The facts of ``prop=info`` about protection and permissions, and the base class of facts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from wikiapi.accounts import UserBlocks
from wikiapi.api import (
    BC,
    PLAINTEXT,
    Arr,
    ErrorFormatter,
    Obj,
    PageProtection,
    Permissions,
    PropModule,
    blocked_error,
    compact,
    iso,
)
from wikiapi.expiry import INFINITY, is_in_force
from wikiapi.languages import Message
from wikiapi.store import BlockRow, PageRow
from wikiapi.store.queries import protection
from wikiapi.title import FILE, Title


@dataclass(frozen=True, slots=True)
class InfoPage:
    """A page of the answer; for a missing page ``row`` is None and ``page_id`` negative."""

    page_id: int
    title: Title
    row: PageRow | None
    model: str
    """The page's content model."""


class Fact(ABC):
    """A fact about pages. ``name`` is its value of ``inprop``.

    An instance serves all pages of an answer: it reads what it needs from the store in a fixed
    number of queries, and then returns the data of each page.
    """

    name: ClassVar[str]

    def __init__(self, module: PropModule, pages: Sequence[InfoPage]) -> None:
        """Load what the fact needs for all of the pages."""
        self.module = module
        self.pages = pages
        self.load()

    def load(self) -> None:
        """Query the store; by default nothing is needed."""
        return

    @abstractmethod
    def data(self, page: InfoPage) -> Mapping[str, Any]:
        """Return the data of a page."""

    @property
    def existing(self) -> list[InfoPage]:
        """The pages that exist."""
        return [page for page in self.pages if page.row is not None]


class Protection(Fact):
    """What the page is protected against, and what pages like it can be protected against."""

    name = "protection"

    def load(self) -> None:
        self._protection = read_protection(self.module, self.pages)

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        exists, in_force = page.row is not None, self._protection[page.title.key]
        items = []
        for restriction in in_force.restrictions:
            item = _item(restriction.type, restriction.level, restriction.expiry)
            if restriction.cascade:
                item["cascade"] = True
            items.append(item)
        if not exists and in_force.creation:
            items.append(_item("create", in_force.creation.level, in_force.creation.expiry))
        for source in in_force.cascades:
            item = _item(source.type, source.level, source.expiry)
            title = self.module.site.titles.make(source.namespace, source.title)
            item["source"] = title.prefixed_text
            items.append(item)
        types = ["edit", "move"] if exists else ["create"]
        if page.title.ns == FILE:
            types.append("upload")
        return {"protection": Arr(items, "pr"), "restrictiontypes": Arr(types, "rt")}


def _item(kind: str, level: str, expiry: str) -> Obj:
    expiry = expiry if expiry == INFINITY else iso(expiry)
    return Obj({"type": kind, "level": level, "expiry": expiry})


def read_protection(
    module: PropModule, pages: Sequence[InfoPage]
) -> dict[tuple[int, str], PageProtection]:
    """Return the protection of pages that is in force now, by title. Four queries at most."""
    db, now = module.db, compact(module.context.now)
    own = protection.of_pages(db, [page.page_id for page in pages if page.row is not None])
    created = protection.of_titles(db, [page.title.key for page in pages if page.row is None])
    cascades = protection.cascade_sources(db, [page.title.key for page in pages])
    in_force: dict[tuple[int, str], PageProtection] = {}
    for page in pages:
        key = page.title.key
        creation = created.get(key)
        in_force[key] = PageProtection(
            [r for r in own.get(page.page_id, ()) if is_in_force(r.expiry, now)],
            [s for s in cascades.get(key, ()) if is_in_force(s.expiry, now)],
            creation if creation and is_in_force(creation.expiry, now) else None,
        )
    return in_force


_NEEDED = {"protect": ("edit",), "undelete": ("edit", "create")}
"""What else one must be able to do with a page to perform an action."""


class TestedActions(Fact):
    """Whether the user may perform each action asked about, or why not.

    A quick answer overlooks blocks, as MediaWiki's does.
    """

    name = "testactions"

    def load(self) -> None:
        in_force = read_protection(self.module, self.pages)
        self._permissions = Permissions(self.module.site, self.module.context.user, in_force)
        form = self.module.context.error_format
        self._formatter = ErrorFormatter(self.module.context, PLAINTEXT if form == BC else form)
        is_quick = self.module.p.text("testactionsdetail") == "quick"
        are_checked = self.module.site.is_writable and not is_quick
        self._blocks = UserBlocks(self.module.context.performer) if are_checked else None

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        p = self.module.p
        detail = p.text("testactionsdetail")
        answers = Obj()
        for action in p.texts("testactions"):
            errors, block = self._errors(action, page), self._block(action, page)
            # Protecting and restoring a page requires to be able to edit it.
            for needed in _NEEDED.get(action, ()):
                if needed == "create" and page.row is not None:
                    continue
                if self._errors(needed, page) or self._block(needed, page):
                    errors.append(Message(f"{action}-cant{needed}"))
            # Protection that keeps from editing a page also keeps from deleting it.
            is_deleted = action == "delete" and page.row is not None
            if is_deleted and self._permissions.protection_errors("edit", page.title):
                errors.append(Message("deleteprotected"))
            if detail == "boolean":
                answers[action] = not errors and block is None
                continue
            answers[action] = self._formatter.listed(errors)
            if block is not None:
                refused = blocked_error(self.module.context, block)
                [item] = self._formatter.listed([refused.message])
                answers[action].append(Obj({**item, "data": Obj(refused.data)}))
        data: dict[str, Any] = {"actions": answers}
        if p.flag("testactionsautocreate"):
            # Accounts are never created automatically here.
            data["wouldautocreate"] = Obj(dict.fromkeys(answers, False))
        return data

    def _errors(self, action: str, page: InfoPage) -> list[Message]:
        model = page.row.content_model if page.row else None
        exists = page.row is not None
        return self._permissions.errors(action, page.title, exists=exists, model=model)

    def _block(self, action: str, page: InfoPage) -> BlockRow | None:
        if self._blocks is None or action == "read":
            return None
        return self._blocks.against(action, page.title, page.row)
