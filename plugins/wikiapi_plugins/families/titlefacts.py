"""Facts of ``prop=info`` about a page's title: addresses, spellings, the pages that go with it."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from wikiapi.api.result import Arr, Obj
from wikiapi.store import pageprops, pages
from wikiapi_plugins.families.pagefact import Fact, InfoPage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.title.title import Title


class AssociatedPage(Fact):
    """The page that is discussed, or the page it is discussed on."""

    name = "associatedpage"

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        other = _associated(self, page)
        return {"associatedpage": other.prefixed_text} if other else {}


class DisplayTitle(Fact):
    """The title as the page wants it shown."""

    name = "displaytitle"

    def load(self) -> None:
        ids = [page.page_id for page in self.existing]
        self._own = pageprops.of_pages(self.module.db, ids, ["displaytitle"])

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        plain = html.escape(page.title.prefixed_text, quote=False)
        return {"displaytitle": self._own.get(page.page_id, {}).get("displaytitle", plain)}


class LinkClasses(Fact):
    """The CSS classes of links to the page."""

    name = "linkclasses"

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        if page.row is None:
            return {}
        return {"linkclasses": Arr(["mw-redirect"] if page.row.is_redirect else [])}


class _OtherId(Fact):
    """Base of the ids of the page that goes with another."""

    from_talk: bool

    def load(self) -> None:
        others = {page.page_id: _associated(self, page) for page in self.pages}
        self._keys = {
            page.page_id: other.key
            for page in self.pages
            if (other := others[page.page_id]) and page.title.namespace.is_talk is self.from_talk
        }
        self._rows = pages.by_titles(self.module.db, self._keys.values())

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        row = self._rows.get(self._keys.get(page.page_id, (0, "")))
        return {self.name: row.page_id} if row else {}


class TalkId(_OtherId):
    """The id of the page's talk page."""

    name = "talkid"
    from_talk = False


class SubjectId(_OtherId):
    """The id of the page that a talk page is about."""

    name = "subjectid"
    from_talk = True


class Url(Fact):
    """Full addresses: to read, to edit, and the canonical one."""

    name = "url"

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        address = self.module.site.page_url(page.title)
        return {
            "fullurl": address,
            "editurl": self.module.site.page_url(page.title, "action=edit"),
            "canonicalurl": address,
        }


class VariantTitles(Fact):
    """The title in each variant of the content language; most have none but themselves."""

    name = "varianttitles"

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        if page.row is None:
            return {}
        return {"varianttitles": Obj({self.module.site.language: page.title.prefixed_text})}


def _associated(fact: Fact, page: InfoPage) -> Title | None:
    titles = fact.module.site.titles
    if page.title.namespace.is_talk:
        return titles.subject(page.title)
    return titles.talk(page.title)
