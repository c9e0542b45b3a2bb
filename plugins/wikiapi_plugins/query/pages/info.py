"""``prop=info``."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from wikiapi.api import (
    Arr,
    CacheMode,
    Condition,
    Obj,
    PropModule,
    bad_continue,
    boolean,
    compact,
    continuation,
    enum,
    iso,
    string,
    title,
)
from wikiapi.errors import ApiError
from wikiapi.languages import direction, html_code
from wikiapi.store import Key
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries import revisions, users
from wikiapi.timestamps import iso_all, parse_moment
from wikiapi.title import Title, default_model, page_language
from wikiapi_plugins.query.changes.watchlists import WatchedPage, watched_pages
from wikiapi_plugins.query.pages.introductions import EditIntro, Preload, PreloadContent
from wikiapi_plugins.query.pages.protection import Fact, InfoPage, Protection, TestedActions

_RIGHT = "unwatchedpages"
# A watcher who has not seen the latest edit within this time no longer visits the page.
_VISIT = timedelta(days=180)


class Watched(Fact):
    """Whether the user watches the page; visitors without an account watch none."""

    name = "watched"

    def load(self) -> None:
        self._since = _watched(self)

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        if page.title.key not in self._since:
            return {"watched": False}
        expiry = self._since[page.title.key].expiry
        return {"watched": True} | ({"watchlistexpiry": iso(expiry)} if expiry else {})


class NotificationTimestamp(Fact):
    """The first edit that a watching user has not seen."""

    name = "notificationtimestamp"

    def load(self) -> None:
        self._since = _watched(self)

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        watched = self._since.get(page.title.key)
        since = watched.unseen_since if watched else None
        return {"notificationtimestamp": iso(since) if since else ""}


def _watched(fact: Fact) -> dict[Key, WatchedPage]:
    """Return the pages that the user watches. One query; none for visitors."""
    context = fact.module.context
    if context.user.is_anonymous or not context.user.can("viewmywatchlist"):
        return {}
    keys = [page.title.key for page in fact.pages]
    return watched_pages(context.site, context.user.id, keys)


class Watchers(Fact):
    """How many users watch the page; shown to users with the right ``unwatchedpages``."""

    name = "watchers"

    def load(self) -> None:
        self._allowed = self.module.context.user.can(_RIGHT)
        keys = [page.title.key for page in self.pages] if self._allowed else []
        self._counts = users.watchers(self.module.db, keys)

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        return {"watchers": self._counts.get(page.title.key, 0)} if self._allowed else {}


class VisitingWatchers(Fact):
    """How many watchers have visited the page recently; shown with the same right."""

    name = "visitingwatchers"

    def load(self) -> None:
        self._allowed = self.module.context.user.can(_RIGHT)
        latest = [page.page_id for page in self.existing] if self._allowed else []
        edits = revisions.latest_of_pages(self.module.db, latest)
        since = {}
        for page in self.existing:
            if page.page_id in edits:
                digits = edits[page.page_id].timestamp
                moment = parse_moment(digits)
                since[page.title.key] = compact(moment - _VISIT) if moment else digits
        missing = [page.title.key for page in self.pages if page.row is None]
        self._counts = users.visiting_watchers(self.module.db, since)
        self._counts |= users.watchers(self.module.db, missing if self._allowed else [])

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        return {"visitingwatchers": self._counts.get(page.title.key, 0)} if self._allowed else {}


class Readable(Fact):
    """Whether the user may read the page; users who may not cannot use the API at all."""

    name = "readable"

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        return {"readable": self.module.context.user.can("read")}


class AssociatedPage(Fact):
    """The talk page of the page, or the subject page of a talk page."""

    name = "associatedpage"

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        other = _associated(self, page)
        return {"associatedpage": other.prefixed_text} if other else {}


class DisplayTitle(Fact):
    """The title as the page sets it for display, or else its plain title."""

    name = "displaytitle"

    def load(self) -> None:
        ids = [page.page_id for page in self.existing]
        self._own = stored_pages.page_props(self.module.db, ids, ["displaytitle"])

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        plain = html.escape(page.title.prefixed_text, quote=False)
        return {"displaytitle": self._own.get(page.page_id, {}).get("displaytitle", plain)}


class LinkClasses(Fact):
    """The CSS classes of links to the page."""

    name = "linkclasses"

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        if page.row is None:
            return {}
        return {"linkclasses": Arr(["mw-redirect"] if page.row.is_redirect else [])}


class _OtherId(Fact):
    """The id of a page's talk page, or of the page that a talk page is about."""

    from_talk: bool

    def load(self) -> None:
        others = {page.page_id: _associated(self, page) for page in self.pages}
        self._keys = {
            page.page_id: other.key
            for page in self.pages
            if (other := others[page.page_id]) and page.title.namespace.is_talk is self.from_talk
        }
        self._rows = stored_pages.by_titles(self.module.db, self._keys.values())

    def data(self, page: InfoPage) -> Mapping[str, Any]:
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
    """The URLs for reading and for editing the page, and its canonical URL."""

    name = "url"

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        address = self.module.site.page_url(page.title)
        return {
            "fullurl": address,
            "editurl": self.module.site.page_url(page.title, "action=edit"),
            "canonicalurl": address,
        }


class VariantTitles(Fact):
    """The title in each variant of the content language; most languages have only one."""

    name = "varianttitles"

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        if page.row is None:
            return {}
        site = self.module.site
        language = site.parser.content_converter
        if language is None:
            return {"varianttitles": Obj({site.language: page.title.prefixed_text})}
        titles = Obj()
        for code in language.by_code:
            namespace = language.convert(page.title.namespace.name, code)
            text = language.convert(page.title.text, code)
            titles[code] = f"{namespace}:{text}" if namespace else text
        return {"varianttitles": titles}


def _associated(fact: Fact, page: InfoPage) -> Title | None:
    titles = fact.module.site.titles
    if page.title.namespace.is_talk:
        return titles.subject(page.title)
    return titles.talk(page.title)


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
_PUBLIC = frozenset(
    fact.name
    for fact in (
        *(Protection, TalkId, SubjectId, AssociatedPage, Url),
        *(Preload, PreloadContent, DisplayTitle, VariantTitles, LinkClasses),
    )
)
"""Facts that are the same for everybody."""
_FOR_ONE_PAGE = frozenset({PreloadContent.name, EditIntro.name})


_OF_PRELOADING = (Condition("preloadcontentonly", "Only with inprop=preloadcontent."),)
_OF_INTRODUCTIONS = (Condition("editintroonly", "Only with inprop=editintro."),)

_MOST_TESTS, _MOST_TESTS_HIGH = 50, 500
"""After how many tested actions an answer ends: for most users, and with ``apihighlimits``."""


class Info(PropModule):
    """Return facts about pages: length, latest revision, protection and others."""

    name = "info"
    prefix = "in"
    params = (
        enum("prop", *(fact.name for fact in _FACTS), multi=True,
             deprecated_values=("preload", "readable"),
             help="Properties to include besides the basic ones."),
        title("linkcontext", "The page on which links would stand, for linkclasses.",
              default=lambda site: site.main_page.prefixed_text),
        string("testactions", "Actions that the user might want to perform.", multi=True),
        enum("testactionsdetail", "boolean", "full", "quick", default="boolean",
             help="Detail about those actions: yes or no, all reasons, or only the first."),
        boolean("testactionsautocreate", "Tell whether an action would create an account."),
        string("preloadcustom", "Title of a page whose text to preload.",
               info=_OF_PRELOADING),
        string("preloadparams", "Values for $1, $2... in that text.", multi=True,
               info=_OF_PRELOADING),
        boolean("preloadnewsection", "Return the text of a new section, not of a new page.",
                info=_OF_PRELOADING),
        enum("editintrostyle", "lessframes", "moreframes", default="moreframes",
             help="Whether to put frames around the introductions.", info=_OF_INTRODUCTIONS),
        string("editintroskip", "Introductions to leave out.", multi=True,
               info=_OF_INTRODUCTIONS),
        string("editintrocustom", "Title of a page with a further introduction.",
               info=_OF_INTRODUCTIONS),
        continuation(),
    )  # fmt: skip
    examples = (
        ("action=query&prop=info&titles=Main%20Page", "Facts about the main page"),
        ("action=query&prop=info&inprop=protection&titles=Main%20Page",
         "The same with its protection"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Info",)

    def cache_mode(self) -> CacheMode:
        """Return ``PRIVATE`` if the answer depends on the user."""
        if self.p.texts("testactions") or not _PUBLIC.issuperset(self.p.texts("prop")):
            return CacheMode.PRIVATE
        return CacheMode.PUBLIC

    def execute(self) -> None:
        """Add the facts of the pages, by namespace and title."""
        pages, props = self._pages(), self.p.texts("prop")
        if not _FOR_ONE_PAGE.isdisjoint(props) and (
            len(pages) > 1 or len(self.page_set.revisions) > 1
        ):
            key = "apierror-info-singlepagerevision"
            raise ApiError("invalidparammix", key, self.prefix)
        facts: list[Fact] = [fact(self, pages) for fact in _FACTS if fact.name in props]
        batch = pages
        if actions := self.p.texts("testactions"):
            facts.append(TestedActions(self, pages))
            most = _MOST_TESTS_HIGH if self.context.user.can("apihighlimits") else _MOST_TESTS
            # The page with which the number is reached is the last one.
            batch = pages[: -(-most // len(actions))]
        items: list[tuple[int, dict[str, Any]]] = []
        for page, data in zip(batch, self._basics(batch), strict=True):
            for fact in facts:
                data |= fact.data(page)
            items.append((page.page_id, data))
        added = self.result.merge_by_page(("query", "pages"), items)
        if added < len(pages):
            first = pages[added].title
            self.set_continue(f"{first.ns}|{first.text}")

    def _pages(self) -> list[InfoPage]:
        """Return the pages in the order of their titles, from the title of ``continue`` on."""
        good = self.page_set.good
        titles = sorted(self.page_set.good_and_missing(), key=lambda item: _sort_key(item[1]))
        pages = []
        for page_id, page_title in titles:
            row = good.get(page_id)
            model = (row.content_model if row else None) or default_model(page_title)
            pages.append(InfoPage(page_id, page_title, row, model))
        parts = self.continue_parts(2)
        if parts is None:
            return pages
        namespace = self.site.namespaces.get(self.continue_int(parts[0]))
        first = self.site.titles.try_parse(namespace.prefix + parts[1]) if namespace else None
        if first is None:
            raise bad_continue()
        return [page for page in pages if _sort_key(page.title) >= _sort_key(first)]

    def _basics(self, pages: Sequence[InfoPage]) -> Iterator[dict[str, Any]]:
        """Yield the facts about each page that do not depend on ``inprop``."""
        own, follows_redirects = self.site.language, self.query.follows_redirects
        codes = [
            page_language(page.title, page.model, page.row.language if page.row else None, own)
            for page in pages
        ]
        languages: dict[str, dict[str, Any]] = {
            code: {
                "pagelanguage": code,
                "pagelanguagehtmlcode": html_code(code),
                "pagelanguagedir": direction(code),
            }
            for code in set(codes)
        }
        moments = iter(iso_all([page.row.touched for page in pages if page.row]))
        for page, code in zip(pages, codes, strict=True):
            row, data = page.row, {"contentmodel": page.model, **languages[code]}
            if row is not None:
                data |= {"touched": next(moments), "lastrevid": row.latest, "length": row.length}
                if row.is_redirect and not follows_redirects:
                    data["redirect"] = True
                if row.is_new:
                    data["new"] = True
            yield data


def _sort_key(title: Title) -> tuple[int, bytes]:
    return title.ns, title.dbkey.encode()
