"""A wiki to test bots, clients and plugins against: in process or on a port, editable at will.

::

    with Wiki(Declaration(pages={"Tea": "It is hot."})) as wiki:
        wiki.get(action="query", titles="Tea", prop="info")
        wiki.edit("Tea", "It is cold.", user="Ada")
        mwclient.Site(wiki.host, scheme="http", path=wiki.script_path)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import Received
from wikiapi.store.queries import texts
from wikiapi.testing.changes import Changes
from wikiapi.testing.client import Answer, ApiClient, Value
from wikiapi.testing.clock import Clock
from wikiapi.testing.declaration import VISITOR, Declaration, Edit, History
from wikiapi.testing.server import ANY_PORT, live_server
from wikiapi.testing.shared import SharedParts

QUIET = {"http": {"debug_info": "off"}}
"""Settings of every wiki that does not declare them: answers as a visitor from afar gets them."""


class Wiki:
    """A wiki under test. Its store is in memory and its own; close it, or use it in ``with``.

    ``clock`` is the time that it tells: it stands still until ``clock.advance`` or ``clock.set``.
    ``site`` is the :class:`~wikiapi.site.Site`, for what this class does not offer.
    """

    def __init__(self, declared: Declaration, shared: SharedParts | None = None) -> None:
        """Make the wiki that is declared, as a copy of an earlier one where that can be.

        Raises:
            ConfigError, InvalidTitle, PluginError: as for :func:`~wikiapi.testing.make_site`.
            TypeError: the settings are not those of a mapping.
        """
        self._declared = declared = Declaration(config=QUIET).with_more(**vars(declared))
        self._closing = ExitStack()
        self.clock = Clock(declared.clock)
        self.site = (shared or SharedParts()).site(declared, self.clock)
        self._closing.callback(self.site.db.close)
        self._app: WSGIApplication | None = None
        self._base = ""
        self._client: ApiClient | None = None

    def __enter__(self) -> Wiki:
        """Return the wiki itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Stop serving and let go of the store; may be repeated."""
        self._closing.close()

    # How it is reached

    @property
    def script_path(self) -> str:
        """The path of the folder that ``api.php`` is in, with a slash at both ends."""
        return f"{self.site.config.site.script_path.rstrip('/')}/"

    @property
    def url(self) -> str:
        """``http://HOST:PORT``; the wiki is served there from the first time this is requested.

        From then on it is also the wiki's own ``server``, unless one is declared.
        """
        if not self._base:
            self._base = self._closing.enter_context(live_server(self.wsgi, ANY_PORT))
            if "server" not in self._declared.config.get("site", {}):
                self._move_to(self._base)
        return self._base

    @property
    def host(self) -> str:
        """``HOST:PORT``, as clients want it that put an address together themselves."""
        return urlsplit(self.url).netloc

    @property
    def api_url(self) -> str:
        """The address of ``api.php``."""
        return f"{self.url}{self.script_path}api.php"

    def wsgi(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Return the wiki as a WSGI application."""
        if self._app is None:
            self._app = make_app(self.site)
        return self._app(environ, start_response)

    # Requests in process

    @property
    def client(self) -> ApiClient:
        """A client in this process, with cookies of its own; every test begins without any."""
        if self._client is None:
            self._client = self.new_client()
        return self._client

    def new_client(self) -> ApiClient:
        """Another client in this process."""
        return ApiClient(self.wsgi, path=f"{self.script_path}api.php")

    def get(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer to a GET request, decoded; parameters as for :class:`ApiClient`."""
        return self.client.get(params, **named)

    def post(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer to a POST request, decoded."""
        return self.client.post(params, **named)

    def walk(
        self, params: Mapping[str, Value] | None = None, /, **named: Value
    ) -> Iterator[Answer]:
        """Return every answer to a query, following its continuation to the end."""
        return self.client.walk(params, **named)

    def reply(
        self, method: str = "GET", params: Mapping[str, Value] | None = None, /, **named: Value
    ) -> Received:
        """Return the whole reply to a request: status, headers and body."""
        return self.client.reply(method, {**(params or {}), **named})

    # Its content

    def text(self, title: str) -> str | None:
        """Return the wikitext of a page as it is now; None where there is no page.

        Raises:
            InvalidTitle: no page can be called so.
        """
        key = self.site.titles.parse(title).key
        page = texts.current(self.site.db, [key]).get(key)
        return page.text if page else None

    def edit(
        self,
        title: str,
        text: str | Edit,
        *,
        user: str = VISITOR,
        comment: str = "",
        minor: bool = False,
    ) -> int:
        """Save a text, now by the wiki's clock; returns the id of the page's latest revision.

        A page that is not there is made; a text that is the page's already makes no revision.

        Raises:
            InvalidTitle: no page can be called so.
        """
        edit = Edit(text, user, comment, minor=minor) if isinstance(text, str) else text
        return Changes(self.site).edit(title, edit)

    def delete(self, title: str, *, user: str = VISITOR, reason: str = "") -> None:
        """Delete a page; its revisions go to the archive and the log tells of it.

        Raises:
            LookupError: there is no such page.
        """
        Changes(self.site).delete(title, user=user, reason=reason)

    def move(
        self,
        title: str,
        to: str,
        *,
        user: str = VISITOR,
        reason: str = "",
        redirect: bool = True,
    ) -> None:
        """Give a page another title, with its history; a redirect stays unless told otherwise.

        Raises:
            LookupError: there is no such page.
            FileExistsError: there is a page at the new title.
        """
        Changes(self.site).move(title, to, user=user, reason=reason, redirect=redirect)

    def _move_to(self, server: str) -> None:
        """Have every address that the wiki writes begin with another server."""
        config: Config = self.site.config
        self.site = open_site(
            replace(config, site=replace(config.site, server=server)),
            database=self.site.db,
            clock=self.clock,
            manager=self.site.plugins,
        )
        self._app = None


class WikiMaker:
    """Makes wikis and closes them all in the end; what the fixture ``make_wiki`` gives."""

    def __init__(self, base: Declaration, shared: SharedParts) -> None:
        """``base`` is what every wiki has, beside what is declared of it."""
        self._base = base
        self._shared = shared
        self._made = ExitStack()

    def __call__(self, pages: Mapping[str, History] | None = None, **declared: object) -> Wiki:
        """Make a wiki; arguments are the fields of :class:`Declaration`.

        Raises:
            TypeError: an argument is none of these.
            ConfigError, InvalidTitle, PluginError: as for :func:`~wikiapi.testing.make_site`.
        """
        declaration = self._base.with_more(pages=pages or {}, **declared)
        return self._made.enter_context(Wiki(declaration, self._shared))

    def close(self) -> None:
        """Close all that were made."""
        self._made.close()
