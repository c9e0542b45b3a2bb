"""The facts of ``prop=info`` about protection and permissions, and the base class of facts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from wikiapi.api import (
    BC,
    PLAINTEXT,
    Arr,
    ErrorFormatter,
    Obj,
    PageProtection,
    Permissions,
    PropModule,
    compact,
    iso,
)
from wikiapi.expiry import INFINITY, is_in_force
from wikiapi.store import PageRow
from wikiapi.store.queries import protection
from wikiapi.title import FILE, Title, default_model


@dataclass(frozen=True, slots=True)
class InfoPage:
    """A page of the answer; for a missing page ``row`` is None and ``page_id`` negative."""

    page_id: int
    title: Title
    row: PageRow | None

    @property
    def model(self) -> str:
        """The page's content model."""
        own = self.row.content_model if self.row else None
        return own or default_model(self.title)


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
    def of(self, page: InfoPage) -> Mapping[str, Any]:
        """Return the data of a page."""

    @property
    def existing(self) -> list[InfoPage]:
        """The pages that exist."""
        return [page for page in self.pages if page.row is not None]


class Protection(Fact):
    """What the page is protected against, and what pages like it can be protected against."""

    name = "protection"

    def load(self) -> None:
        self._found = read_protection(self.module, self.pages)

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        found = self._found[page.title.key]
        shown = [_shown(r.type, r.level, r.expiry, cascade=r.cascade) for r in found.restrictions]
        if page.row is None and found.creation:
            shown.append(_shown("create", found.creation.level, found.creation.expiry))
        for source in found.cascades:
            title = self.module.site.titles.make(source.namespace, source.title)
            item = _shown(source.type, source.level, source.expiry)
            shown.append(Obj(item | {"source": title.prefixed_text}))
        return {
            "protection": Arr(shown, "pr"),
            "restrictiontypes": Arr(_types(page.title, exists=page.row is not None), "rt"),
        }


def read_protection(
    module: PropModule, pages: Sequence[InfoPage]
) -> dict[tuple[int, str], PageProtection]:
    """Return the protection of pages that is in force now, by title. Four queries at most."""
    now = compact(module.context.now)
    existing = [page.page_id for page in pages if page.row is not None]
    own = protection.of_pages(module.db, existing)
    created = protection.of_titles(
        module.db, [page.title.key for page in pages if page.row is None]
    )
    cascades = protection.cascade_sources(module.db, [page.title.key for page in pages])
    return {
        page.title.key: PageProtection(
            [r for r in own.get(page.page_id, ()) if is_in_force(r.expiry, now)],
            [s for s in cascades.get(page.title.key, ()) if is_in_force(s.expiry, now)],
            _only(created.get(page.title.key), now),
        )
        for page in pages
    }


def _only(found: protection.TitleProtection | None, now: str) -> protection.TitleProtection | None:
    return found if found and is_in_force(found.expiry, now) else None


def _shown(kind: str, level: str, expiry: str, *, cascade: int = 0) -> Obj:
    item = Obj({"type": kind, "level": level, "expiry": _expiry(expiry)})
    if cascade:
        item["cascade"] = True
    return item


def _expiry(expiry: str) -> str:
    return expiry if expiry == INFINITY else iso(expiry)


def _types(title: Title, *, exists: bool) -> list[str]:
    general = ["edit", "move"] if exists else ["create"]
    return [*general, "upload"] if title.ns == FILE else general


class TestedActions(Fact):
    """Whether the user may perform each action asked about, or why not."""

    name = "testactions"

    def load(self) -> None:
        found = read_protection(self.module, self.pages)
        self._permissions = Permissions(self.module.context.user, found)
        form = self.module.context.error_format
        self._formatter = ErrorFormatter(self.module.context, PLAINTEXT if form == BC else form)

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        actions = self.module.p.texts("testactions")
        data: dict[str, Any] = {
            "actions": Obj({name: self._answer(name, page) for name in actions})
        }
        if self.module.p.flag("testactionsautocreate"):
            # Accounts are never created automatically here.
            data["wouldautocreate"] = Obj(dict.fromkeys(actions, False))
        return data

    def _answer(self, action: str, page: InfoPage) -> Any:
        exists = page.row is not None
        model = page.row.content_model if page.row else None
        errors = self._permissions.errors(action, page.title, exists=exists, model=model)
        detail = self.module.p.text("testactionsdetail")
        if detail == "boolean":
            return not errors
        return self._formatter.listed(errors[:1] if detail == "quick" else errors)
