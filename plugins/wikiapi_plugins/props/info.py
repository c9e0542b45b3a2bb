"""``prop=info``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import boolean, continuation, enum, string, title
from wikiapi.api.params.types.timestamp import iso
from wikiapi.api.query.continuation import bad_continue
from wikiapi.api.query.module import PropModule
from wikiapi.errors import ApiError
from wikiapi.i18n.languages import direction, html_code
from wikiapi.i18n.message import Message
from wikiapi.title.pagelanguage import page_language
from wikiapi_plugins.families.actionfacts import TestedActions
from wikiapi_plugins.families.editfacts import EditIntro, Preload, PreloadContent
from wikiapi_plugins.families.pagefact import Fact, InfoPage
from wikiapi_plugins.families.protectionfacts import Protection
from wikiapi_plugins.families.titlefacts import (
    AssociatedPage,
    DisplayTitle,
    LinkClasses,
    SubjectId,
    TalkId,
    Url,
    VariantTitles,
)
from wikiapi_plugins.families.watchfacts import (
    NotificationTimestamp,
    Readable,
    VisitingWatchers,
    Watched,
    Watchers,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.site import Site

_FACTS: tuple[type[Fact], ...] = (
    Protection,
    TalkId,
    Watched,
    Watchers,
    VisitingWatchers,
    NotificationTimestamp,
    SubjectId,
    AssociatedPage,
    Url,
    Readable,
    Preload,
    PreloadContent,
    EditIntro,
    DisplayTitle,
    VariantTitles,
    LinkClasses,
)
_FOR_ONE_PAGE = frozenset({PreloadContent.name, EditIntro.name})


def _main_page(site: Site) -> str:
    return site.config.site.main_page


class Info(PropModule):
    """Get basic page information."""

    name = "info"
    prefix = "in"
    params = (
        enum("prop", *(fact.name for fact in _FACTS), multi=True,
             deprecated_values=("preload", "readable"), help="What to tell beside the basics."),
        title("linkcontext", "The page on which links would stand, for linkclasses.",
              default=_main_page),
        string("testactions", "Actions that the user might want to perform.", multi=True),
        enum("testactionsdetail", "boolean", "full", "quick", default="boolean",
             help="How much to tell about those actions: yes or no, every reason, the first."),
        boolean("testactionsautocreate", "Tell whether an action would create an account."),
        string("preloadcustom", "Title of a page with text to begin with.",
               info=("preloadcontentonly",)),
        string("preloadparams", "What stands for $1, $2... in that text.", multi=True,
               info=("preloadcontentonly",)),
        boolean("preloadnewsection", "Return the text of a new section, not of a new page.",
                info=("preloadcontentonly",)),
        enum("editintrostyle", "lessframes", "moreframes", default="moreframes",
             help="How richly the introductions are framed.", info=("editintroonly",)),
        string("editintroskip", "Introductions to leave out.", multi=True,
               info=("editintroonly",)),
        string("editintrocustom", "Title of a page with a further introduction.",
               info=("editintroonly",)),
        continuation(),
    )  # fmt: skip
    examples = (
        ("action=query&prop=info&titles=Main%20Page", "Facts about the main page"),
        ("action=query&prop=info&inprop=protection&titles=Main%20Page",
         "Its protection as well"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Info",)

    def execute(self) -> None:
        """Tell about the pages by namespace and title."""
        pages = self._pages()
        self._refuse_several(pages)
        facts = self._facts(pages)
        for page in pages:
            told = self._basics(page)
            for fact in facts:
                told |= fact.of(page)
            if not self.result.merge(("query", "pages", page.page_id), told):
                self.set_continue(f"{page.title.ns}|{page.title.text}")
                return

    def _pages(self) -> list[InfoPage]:
        good = self.page_set.good
        pages = [
            InfoPage(page_id, found, good.get(page_id))
            for page_id, found in self.page_set.good_and_missing()
        ]
        pages.sort(key=_place)
        start = self._start()
        return [page for page in pages if _place(page) >= start] if start else pages

    def _start(self) -> tuple[int, bytes] | None:
        parts = self.continue_parts(2)
        if parts is None:
            return None
        namespace = self.site.namespaces.get(self.continue_int(parts[0]))
        found = namespace and self.site.titles.try_parse(namespace.prefix + parts[1])
        if not found:
            raise bad_continue()
        return _place(InfoPage(0, found, None))

    def _refuse_several(self, pages: Sequence[InfoPage]) -> None:
        asked = _FOR_ONE_PAGE.intersection(self.p["prop"] or ())
        if asked and (len(pages) > 1 or len(self.page_set.revisions) > 1):
            key = "apierror-info-singlepagerevision"
            raise ApiError(Message(key), "invalidparammix")

    def _facts(self, pages: Sequence[InfoPage]) -> list[Fact]:
        asked = self.p["prop"] or ()
        facts = [fact(self, pages) for fact in _FACTS if fact.name in asked]
        if self.p["testactions"]:
            facts.append(TestedActions(self, pages))
        return facts

    def _basics(self, page: InfoPage) -> dict[str, Any]:
        row = page.row
        stored = row.language if row else None
        language = page_language(page.title, page.model, stored, self.site.language)
        told: dict[str, Any] = {
            "contentmodel": page.model,
            "pagelanguage": language,
            "pagelanguagehtmlcode": html_code(language),
            "pagelanguagedir": direction(language),
        }
        if row is None:
            return told
        told |= {"touched": iso(row.touched), "lastrevid": row.latest, "length": row.length}
        if row.is_redirect and not self.query.follows_redirects:
            told["redirect"] = True
        if row.is_new:
            told["new"] = True
        return told


def _place(page: InfoPage) -> tuple[int, bytes]:
    return page.title.ns, page.title.dbkey.encode()
