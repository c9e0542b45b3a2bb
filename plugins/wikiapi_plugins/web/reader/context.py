"""The context of a view: the request, the languages, and the functions that templates call."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import unquote

from markupsafe import Markup
from werkzeug.http import parse_cookie

from wikiapi.api import moment_of
from wikiapi.http import ApiCalls, Reply, WebRequest, cookie_prefix
from wikiapi.languages import (
    ENGLISH,
    Kind,
    Message,
    MessageParam,
    Plain,
    Raw,
    direction,
    format_number,
    html_code,
    is_known_language,
    localize_digits,
)
from wikiapi.site import Site
from wikiapi.store import Database
from wikiapi.store.queries import pages
from wikiapi.timestamps import in_zone
from wikiapi.title import FILE, MAIN, USER, Title, page_language
from wikiapi_plugins.shared.feeds.feed import ATOM
from wikiapi_plugins.shared.interface import explorer
from wikiapi_plugins.web.load.links import SiteLinks, site_links
from wikiapi_plugins.web.reader.indexing import HIDDEN
from wikiapi_plugins.web.reader.pagerevision import (
    PageRevision,
    load_page,
    neighbour_of,
    require_revision,
)
from wikiapi_plugins.web.reader.reader import Reader
from wikiapi_plugins.web.reader.rendering import Rendering, with_mount_point
from wikiapi_plugins.web.reader.words import as_block, counted, html, isolated, plain_text
from wikiapi_plugins.web.replies import NO_STORE, REVALIDATE, html_reply

_COUNTERS: Mapping[str, str] = {
    "\u0660": "arabic-indic", "\u06f0": "persian", "\u0966": "devanagari", "\u09e6": "bengali",
    "\u0b66": "oriya", "\u0be6": "tamil", "\u0c66": "telugu", "\u0ce6": "kannada",
    "\u0e50": "thai", "\u0ed0": "lao", "\u0f20": "tibetan", "\u1040": "myanmar",
    "\u17e0": "khmer",
}  # fmt: skip
"""The names that CSS has for digits, by the digit zero."""
_NUMBER = re.compile(r"[0-9]{1,15}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class FeedLink:
    """A feed that a page links in its head."""

    title: str
    url: str


class ContentLanguage(NamedTuple):
    """The attributes ``lang`` and ``dir`` of a text in the content of the wiki."""

    lang: str
    dir: str


@dataclass(frozen=True, slots=True)
class ViewContext:
    """A request, the reader that answers it, and the language of the answer.

    ``page`` is the requested page, once it is known; it may be a special page. ``variant`` is the
    variant of the content language in which pages are shown; empty if it has none. ``may_read`` is
    false for visitors of a private wiki, who must not see anything of it.
    """

    reader: Reader
    request: WebRequest
    language: str
    page: Title | None = None
    variant: str = ""
    may_read: bool = True

    @classmethod
    def of(cls, reader: Reader, request: WebRequest) -> ViewContext:
        """Return the context of a request.

        The language is that of ``uselang``, or the variant of ``variant``, or the wiki's. The
        variant is that of ``variant`` or ``uselang``, or the main one.
        """
        code = request.params.get("uselang", "")
        is_known = code.isascii() and is_known_language(code)
        written = reader.site.parser.content_converter
        explicit = request.params.get("variant", "")
        variant = (written.find(explicit or code) or written.main) if written else ""
        language = reader.site.language
        if is_known:
            language = code
        elif written:
            language = written.find(explicit) or language
        return cls(reader, request, language, variant=variant)

    @property
    def site(self) -> Site:
        """The wiki."""
        return self.reader.site

    @property
    def db(self) -> Database:
        """The wiki's store."""
        return self.reader.site.db

    @property
    def root(self) -> str:
        """The path at which the site is mounted, a prefix of URLs."""
        return self.request.root

    @property
    def api_url(self) -> str:
        """The path of the API explorer, or of the API itself if there is none."""
        api = f"{self.site.config.site.script_path}/api.php"
        path = explorer.PATH if explorer.has_explorer(self.site) else api
        return self.reader.addresses.below(self.root, path)

    @property
    def rsd_url(self) -> str:
        """The URL of the description of the API (RSD), without a scheme."""
        scheme, mark, rest = self.site.script_url.partition("//")
        return f"{mark}{rest}?action=rsd" if mark else f"{scheme}?action=rsd"

    @property
    def opensearch_url(self) -> str:
        """The path of the OpenSearch description."""
        return self.reader.addresses.below(self.root, self.reader.addresses.opensearch)

    @property
    def account(self) -> str:
        """The name of the account in the browser's cookies; empty for none.

        It is not authenticated, so that it is only used for links.
        """
        if not self.reader.is_writable:
            return ""
        cookies = parse_cookie(self.request.headers.get("cookie", ""))
        prefix = cookie_prefix(self.site.config)
        return (
            unquote(cookies.get(f"{prefix}UserName", "")) if cookies.get(f"{prefix}UserID") else ""
        )

    def api_calls(self) -> ApiCalls:
        """Return an object that calls the API on behalf of the sender of the request."""
        return ApiCalls(self.reader.api, self.request, self.language)

    def canonical_url(self, title: Title | None) -> str:
        """Return the absolute URL of a view's page; empty if it has none."""
        page = title or self.page
        return self.site.page_url(page) if page and not page.interwiki else ""

    def site_feed(self) -> FeedLink:
        """Return the feed of recent changes, which every page links."""
        url = self.special("RecentChanges", feed=ATOM)
        return FeedLink(f"{self.site.config.site.name} Atom feed", url)

    def param(self, name: str) -> str:
        """Return a parameter as valid Unicode without NUL; empty if it is missing."""
        value = self.request.params.get(name, "")
        return value.encode("utf-8", "replace").decode().replace("\0", "")

    def number(self, name: str) -> int | None:
        """Return a parameter that is a non-negative integer; ``None`` for anything else."""
        value = self.request.params.get(name, "")
        return int(value) if _NUMBER.match(value) else None

    def text(self, key: str, *params: MessageParam) -> str:
        """Return a message of the reader as text without markup."""
        if len(params) == 1 and type(params[0]) is int:
            own = counted(self.site.messages.catalog, f"reader-{key}", params[0], self.language)
            if own is not None:
                return own
        return self.message_text(Message(f"reader-{key}", params))

    def message_text(self, message: Message) -> str:
        """Return any message as text without markup."""
        return plain_text(self.site.messages, message, self.language, self.page)

    def phrase(self, key: str, *params: MessageParam) -> Markup:
        """Return a message of the reader as HTML for use within a line.

        Parameters that are Markup are inserted as they are, other texts are escaped.
        """
        return self.message_html(Message(f"reader-{key}", params))

    def sentence(self, key: str, *params: MessageParam) -> Markup:
        """Return a message of the reader as a paragraph or, if its text has some, as blocks."""
        return as_block(self.phrase(key, *params))

    def message_html(self, message: Message) -> Markup:
        """Return any message as HTML, as :meth:`phrase` does."""
        text = html(self.site.messages, message, self.language, self.page)
        return self.with_mount_point(text) if "<a " in text else text

    def named(self, title: Title) -> Markup:
        """Return the title of a page as HTML, set apart from text in another direction."""
        return isolated(title.prefixed_text)

    def name_of(self, key: str, otherwise: str) -> str:
        """Return the name of a group or a level, or its code where only an English name is there.

        The codes are in English themselves, and those that addresses and the API have.
        """
        template = self.site.messages.find(key, self.language)
        is_named = template is not None and template.language != ENGLISH
        return self.message_text(Message(key)) if is_named else otherwise

    def separator(self, kind: str) -> str:
        """Return what stands between two things, such as those of a list (``comma``)."""
        return self.message_text(Message(f"{kind}-separator"))

    def has_text(self, key: str) -> bool:
        """Return whether the reader has a message."""
        return self.site.messages.find(f"reader-{key}", self.language) is not None

    def url(self, title: Title, **query: str | int) -> str:
        """Return the URL of a page or, with a query, of a view of it."""
        return self.reader.addresses.of_page(title, self.root, **query)

    def variant_url(self, title: Title, variant: str) -> str:
        """Return the URL of a page in a variant of the content language."""
        return self.reader.addresses.of_variant(title, variant, self.root)

    def special(self, name: str, **query: str | int) -> str:
        """Return the URL of a special page."""
        return self.url(self.site.special_page(name), **query)

    def file_url(self, url: str) -> str:
        """Return the URL of a file, with the mount point of the site."""
        return self.reader.addresses.of_file(url, self.root)

    def full_url(self, url: str) -> str:
        """Return a URL with the wiki's scheme added if it has none (``//host/path``)."""
        scheme = "http" if self.site.config.server.startswith("http:") else "https"
        return f"{scheme}:{url}" if url.startswith("//") else url

    def user_url(self, name: str) -> str:
        """Return the URL of a user's page; empty for a name that cannot have one."""
        title = self.site.titles.try_parse(name, USER)
        return self.url(title) if title and title.ns == USER and not title.interwiki else ""

    def contributions_url(self, name: str) -> str:
        """Return the URL of a user's contributions; empty for a user of another wiki."""
        title = self.site.titles.try_parse(name, USER)
        is_here = title and title.ns == USER and not title.interwiki
        return self.special(f"Contributions/{name.replace(' ', '_')}") if is_here else ""

    def existing_user_pages(self, names: Iterable[str | None]) -> frozenset[str]:
        """Return which of the users have a user page. One query, if any are named."""
        titles = {name: self.site.titles.try_parse(name, USER) for name in names if name}
        keys = {title.key for title in titles.values() if title and title.ns == USER}
        existing = pages.existing(self.db, keys) if keys else set()
        return frozenset(name for name, title in titles.items() if title and title.key in existing)

    def format_time(self, timestamp: str, kind: Kind = "both") -> str:
        """Return a time, formatted in the wiki's time zone; or only its date, or its time."""
        local = in_zone(moment_of(timestamp), self.site.config.site.timezone)
        return self.site.usual_time(kind, local, self.language)

    def format_number(self, number: int) -> str:
        """Return a number, formatted for the language."""
        return format_number(str(number), self.language)

    def requested_revision(self, title: Title) -> PageRevision | None:
        """Return the revision that ``oldid`` names or, without it, the latest one of a page.

        If the parameter ``direction`` is ``next`` or ``prev``, it is the revision after or before
        that one. After the last revision this is the latest one, and before the first it is the
        first one. ``cur`` stands for the latest one. ``None`` if the page does not exist.

        Raises:
            ViewError: there is no revision with that id.
        """
        number, direction = self.number("oldid"), self.param("direction")
        if not number or direction == "cur":
            return load_page(self.site, title)
        if direction in ("next", "prev"):
            stored = require_revision(self.site, number)
            beside = neighbour_of(self.site, number, direction)
            if beside is None:
                return load_page(self.site, stored.title) if direction == "next" else stored
            number = beside
        return require_revision(self.site, number)

    def rendering_of(self, stored: PageRevision) -> Rendering | None:
        """Return the rendering of a revision; ``None`` if only its source can be shown.

        Raises:
            ViewError: its text is suppressed.
        """
        return self.reader.renderings.of(stored, self.language, self.variant)

    def with_mount_point(self, text: str) -> Markup:
        """Return the HTML of a rendering with the mount point in its local URLs."""
        return with_mount_point(text, self.reader.addresses, self.root)

    def language_of(self, page: Title, model: str, own: str | None = None) -> ContentLanguage:
        """Return the language in which a page is written, that of programs being English.

        ``own`` is the language that is stored with the page, if any.
        """
        code = page_language(page, model, own, self.site.language)
        return ContentLanguage(html_code(code), direction(code))

    @property
    def counter(self) -> str:
        """The style of numbered lists in CSS; empty where digits are the usual ones."""
        return _COUNTERS.get(localize_digits("0", self.language), "")

    @property
    def content_language(self) -> ContentLanguage:
        """The language of the wiki's pages, as far as they have none of their own."""
        code = self.variant or self.site.language
        return ContentLanguage(html_code(code), direction(code))

    def render(
        self,
        template: str,
        heading: Any,
        *,
        title: Title | None = None,
        view: str = "",
        status: int = 200,
        is_cacheable: bool = False,
        robots: str = HIDDEN,
        feeds: Sequence[FeedLink] = (),
        people: Iterable[str | None] = (),
        **data: Any,
    ) -> Reply:
        """Return a page of the reader.

        Args:
            template: the name of the template.
            heading: the heading, as text or Markup.
            title: the title of the wiki's page that it is about.
            view: the current view of that page, for its tab.
            status: the HTTP status.
            is_cacheable: whether browsers may store it and revalidate it, if nobody is logged in.
            robots: what search engines are told of it; empty if they may index it.
            feeds: feeds to link in addition to that of recent changes.
            people: the names of users in the page; links to those without a user page lead to
                their contributions.
            data: further variables of the template.
        """
        own = SiteLinks()
        if self.may_read:
            has_scripts = self.reader.settings.site_scripts
            own = site_links(self.site, self.root, self.language, title, has_scripts=has_scripts)
        document = self.reader.skin.render(
            template,
            {
                "v": self,
                "t": self.text,
                "phrase": self.phrase,
                "sentence": self.sentence,
                "isolated": isolated,
                "wikitext": Raw,
                "heading": heading,
                "title": title,
                "own": own,
                "tabs": tabs_of(self, title, view) if title else NO_TABS,
                "robots": robots,
                "feeds": [self.site_feed(), *feeds],
                "user_pages": self.existing_user_pages(people),
                "lang": html_code(self.language),
                "dir": direction(self.language),
                **data,
            },
        )
        is_cacheable = is_cacheable and not self.account and not self.reader.is_private
        digest = hashlib.sha256(document.encode("utf-8", "replace")).hexdigest()[:24]
        return html_reply(
            document,
            self.reader.skin.policy,
            status=status,
            cache=REVALIDATE if is_cacheable else NO_STORE,
            etag=digest if is_cacheable else "",
        )

    def plain(self, text: str) -> Plain:
        """Return a message parameter whose text is not parsed as wikitext."""
        return Plain(text)


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab that leads to a page or a view."""

    label: str
    url: str
    is_current: bool = False
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Tabs:
    """The tabs of a page and its talk page, and those of the views of the current page."""

    pages: tuple[Tab, ...] = ()
    views: tuple[Tab, ...] = ()


NO_TABS = Tabs()


def tabs_of(context: ViewContext, title: Title, view: str) -> Tabs:
    """Return the tabs of a page; a special page has none. One query.

    Where nobody can edit, the page and its talk page are only offered if they exist.
    """
    if title.namespace.is_virtual or title.interwiki:
        return NO_TABS
    subject, talk = context.site.titles.subject(title), context.site.titles.talk(title)
    related = [page for page in (subject, talk) if page]
    existing = pages.existing(context.db, {page.key for page in related})
    tabs = tuple(
        Tab(
            _label(context, page),
            context.url(page),
            is_current=page.key == title.key,
            is_missing=page.key not in existing and page.ns != FILE,
        )
        for page in related
        if page.key in existing
        or page.key == title.key
        or page.ns == FILE
        or context.reader.is_writable
    )
    views = tuple(_views(context, title, view)) if title.key in existing else ()
    return Tabs(tabs, views)


def _label(context: ViewContext, page: Title) -> str:
    if page.namespace.is_talk:
        return context.text("tab-talk")
    return context.text("tab-page") if page.ns == MAIN else page.namespace.name


def _views(context: ViewContext, title: Title, view: str) -> Iterator[Tab]:
    yield Tab(context.text("tab-read"), context.url(title), view == "read")
    can_edit = context.reader.is_writable
    source = context.text("tab-edit") if can_edit else context.text("tab-source")
    yield Tab(source, context.url(title, action="edit"), view == "source")
    yield Tab(context.text("tab-history"), context.url(title, action="history"), view == "history")
