"""One request on its way to a view, and what views have in common."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikiapi.api import moment_of
from wikiapi.api.params.types.timestamp import in_zone
from wikiapi.errors import WikiapiError
from wikiapi.http import Reply
from wikiapi.i18n import Message, MessageParam, Num, Plain, direction, html_code
from wikiapi.i18n.catalog import format_number
from wikiapi.i18n.dates import format_time_and_date
from wikiapi.i18n.languages import is_known_language
from wikiapi.site import Site
from wikiapi.store import Database, pages
from wikiapi.title import FILE, MAIN, SPECIAL, USER, Title
from wikiapi_plugins.interface import explorer
from wikiapi_plugins.web.replies import CHECKED_AGAIN, NEVER_KEPT, html_reply
from wikiapi_plugins.web.requests import WebRequest

if TYPE_CHECKING:
    from wikiapi_plugins.web.reader.reader import Reader


_NUMBER = re.compile(r"[0-9]{1,15}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Visit:
    """A request, with the reader that answers it and the language it is answered in."""

    reader: Reader
    request: WebRequest
    language: str

    @classmethod
    def of(cls, reader: Reader, request: WebRequest) -> Visit:
        """A visit in the language asked for by ``uselang``, or else in the wiki's."""
        asked = request.params.get("uselang", "")
        known = asked.isascii() and is_known_language(asked)
        return cls(reader, request, asked if known else reader.site.language)

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
        """Where the site is mounted, as it stands in front of addresses."""
        return self.request.root

    @property
    def api_url(self) -> str:
        """Where the API is looked at: in the explorer, where that is there."""
        api = f"{self.site.config.site.script_path}/api.php"
        path = explorer.PATH if explorer.has_explorer(self.site) else api
        return self.reader.addresses.below(self.root, path)

    def param(self, name: str) -> str:
        """A parameter as sound text; empty where there is none."""
        value = self.request.params.get(name, "")
        return value.encode("utf-8", "replace").decode().replace("\0", "")

    def number(self, name: str) -> int | None:
        """A parameter that is a number from 0, ``None`` for anything else."""
        value = self.request.params.get(name, "")
        return int(value) if _NUMBER.match(value) else None

    def text(self, key: str, *params: MessageParam) -> str:
        """A text of the interface."""
        shown = tuple(Num(p) if type(p) is int else p for p in params)
        return self.site.messages.text(Message(f"reader-{key}", shown), self.language)

    def tell(self, message: Message) -> str:
        """Any message as text."""
        return self.site.messages.text(message, self.language)

    def url(self, title: Title, **query: str | int) -> str:
        """The address of a page, or of a view of it."""
        return self.reader.addresses.of_page(title, self.root, **query)

    def special(self, name: str, **query: str | int) -> str:
        """The address of a special page."""
        return self.url(self.site.titles.make(SPECIAL, name), **query)

    def file_url(self, url: str) -> str:
        """The address of a file, as seen from outside."""
        if url.startswith("/") and not url.startswith("//"):
            return self.reader.addresses.below(self.root, url)
        return url

    def full_url(self, url: str) -> str:
        """The address of something elsewhere, with a scheme if it has none (``//host/path``)."""
        scheme = "http" if self.site.config.server.startswith("http:") else "https"
        return f"{scheme}:{url}" if url.startswith("//") else url

    def user_url(self, name: str) -> str:
        """The address of a user's page; empty for a name that can have none."""
        title = self.site.titles.try_parse(name, USER)
        return self.url(title) if title and title.ns == USER and not title.interwiki else ""

    def when(self, timestamp: str) -> str:
        """A moment for people, in the wiki's time zone."""
        local = in_zone(moment_of(timestamp), self.site.config.site.timezone)
        return format_time_and_date(local, self.language)

    def count(self, number: int) -> str:
        """A number for people."""
        return format_number(number, self.language)

    def draw(
        self,
        template: str,
        heading: Any,
        *,
        title: Title | None = None,
        view: str = "",
        status: int = 200,
        is_kept: bool = False,
        is_indexed: bool = False,
        **data: Any,
    ) -> Reply:
        """A page of the reader.

        Args:
            template: what draws it.
            heading: its heading, text or Markup.
            title: the page that it is about.
            view: which of the page's views it is.
            status: of HTTP.
            is_kept: whether browsers may keep it, and ask whether it is still good.
            is_indexed: whether it is for search engines.
            data: what else the template needs.
        """
        document = self.reader.skin.draw(
            template,
            {
                "v": self,
                "t": self.text,
                "heading": heading,
                "title": title,
                "tabs": tabs_of(self, title, view) if title else NO_TABS,
                "is_indexed": is_indexed,
                "lang": html_code(self.language),
                "dir": direction(self.language),
                **data,
            },
        )
        digest = hashlib.sha256(document.encode("utf-8", "replace")).hexdigest()[:24]
        return html_reply(
            document,
            self.reader.skin.policy,
            status=status,
            cache=CHECKED_AGAIN if is_kept else NEVER_KEPT,
            etag=digest if is_kept else "",
        )

    def plain(self, text: str) -> Plain:
        """A text to be put into a message as it is."""
        return Plain(text)


@dataclass(frozen=True, slots=True)
class Tab:
    """A link to a page or a view."""

    label: str
    url: str
    is_current: bool = False
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Tabs:
    """The pages that belong together, and the views of the one that is shown."""

    pages: tuple[Tab, ...] = ()
    views: tuple[Tab, ...] = ()


NO_TABS = Tabs()


def tabs_of(visit: Visit, title: Title, view: str) -> Tabs:
    """The tabs of a page; a special page has none. One query."""
    if title.namespace.is_virtual or title.interwiki:
        return NO_TABS
    subject, talk = visit.site.titles.subject(title), visit.site.titles.talk(title)
    related = [page for page in (subject, talk) if page]
    existing = pages.existing(visit.db, {page.key for page in related})
    shown = tuple(_page_tab(visit, page, title, existing) for page in related)
    views = tuple(_views(visit, title, view)) if title.key in existing else ()
    return Tabs(shown, views)


def _page_tab(visit: Visit, page: Title, current: Title, existing: set[tuple[int, str]]) -> Tab:
    return Tab(
        _label(visit, page),
        visit.url(page),
        is_current=page.key == current.key,
        is_missing=page.key not in existing and page.ns != FILE,
    )


def _label(visit: Visit, page: Title) -> str:
    if page.namespace.is_talk:
        return visit.text("tab-talk")
    return visit.text("tab-page") if page.ns == MAIN else page.namespace.name


def _views(visit: Visit, title: Title, view: str) -> Iterator[Tab]:
    yield Tab(visit.text("tab-read"), visit.url(title), view == "read")
    yield Tab(visit.text("tab-source"), visit.url(title, action="edit"), view == "source")
    yield Tab(visit.text("tab-history"), visit.url(title, action="history"), view == "history")


class Declined(WikiapiError):
    """A request is answered with an HTTP status and a page that says why."""

    def __init__(self, status: int, key: str, *params: MessageParam) -> None:
        """Take the status and the message."""
        super().__init__(key)
        self.status = status
        self.message = Message(key, params)
