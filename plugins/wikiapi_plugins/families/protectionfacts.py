"""The fact of ``prop=info`` about protection, and the reading of it that permissions need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.types.timestamp import compact, iso
from wikiapi.api.permissions import PageProtection
from wikiapi.api.result import Arr, Obj
from wikiapi.store import protection
from wikiapi.title.namespaces import FILE
from wikiapi_plugins.families.pagefact import Fact, InfoPage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wikiapi.api.query.module import PropModule
    from wikiapi.title.title import Title

_INFINITY = "infinity"


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
    """The protection of pages that is in force now, by title. Four queries at most."""
    now = compact(module.context.now)
    existing = [page.page_id for page in pages if page.row is not None]
    own = protection.of_pages(module.db, existing)
    created = protection.of_titles(
        module.db, [page.title.key for page in pages if page.row is None]
    )
    cascades = protection.cascade_sources(module.db, [page.title.key for page in pages])
    return {
        page.title.key: PageProtection(
            [r for r in own.get(page.page_id, ()) if _in_force(r.expiry, now)],
            [s for s in cascades.get(page.title.key, ()) if _in_force(s.expiry, now)],
            _only(created.get(page.title.key), now),
        )
        for page in pages
    }


def _only(found: protection.TitleProtection | None, now: str) -> protection.TitleProtection | None:
    return found if found and _in_force(found.expiry, now) else None


def _in_force(expiry: str, now: str) -> bool:
    return expiry == _INFINITY or expiry > now


def _shown(kind: str, level: str, expiry: str, *, cascade: int = 0) -> Obj:
    item = Obj({"type": kind, "level": level, "expiry": _expiry(expiry)})
    if cascade:
        item["cascade"] = True
    return item


def _expiry(expiry: str) -> str:
    return expiry if expiry == _INFINITY else iso(expiry)


def _types(title: Title, *, exists: bool) -> list[str]:
    general = ["edit", "move"] if exists else ["create"]
    return [*general, "upload"] if title.ns == FILE else general
