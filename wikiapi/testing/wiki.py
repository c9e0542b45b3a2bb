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
from wikiapi.testing.declaration import (
    VISITOR,
    Declaration,
    DeclaredUser,
    Edit,
    History,
    declared_users,
)
from wikiapi.testing.rehearsal import (
    KINDS,
    Interrupted,
    Kind,
    RehearsalApp,
    Trouble,
    Write,
    interrupted,
)
from wikiapi.testing.server import ANY_PORT, live_server
from wikiapi.testing.shared import SharedParts

QUIET = {"http": {"debug_info": "off", "secret_key": "of every wiki under test"}}
"""Settings of every wiki that does not declare them: answers as a visitor from afar gets them.

With a key, sessions outlast the change of address when the wiki is first served.
"""


class Wiki:
    """A wiki under test. Its store is in memory and its own; close it, or use it in ``with``.

    ``clock`` is the time that it tells: it stands still until ``clock.advance`` or ``clock.set``.
    ``site`` is the :class:`~wikiapi.site.Site`, for what this class does not offer. ``writes`` are
    the attempts of clients to write, each a :class:`~wikiapi.testing.rehearsal.Write`.
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
        self.writes: list[Write] = []
        self._troubles: list[Trouble] = []
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
            self._app = make_app(self.site, RehearsalApp(self.site, self._troubles, self.writes))
        try:
            return self._app(environ, start_response)
        except Interrupted as error:
            return interrupted(error, environ, start_response)

    # Requests in process

    @property
    def client(self) -> ApiClient:
        """A client in this process, with cookies of its own; every test begins without any."""
        if self._client is None:
            self._client = self.new_client()
        return self._client

    def new_client(self) -> ApiClient:
        """Return another client in this process, which raises for errors."""
        return ApiClient(self.wsgi, path=f"{self.script_path}api.php", raises=True)

    @property
    def users(self) -> dict[str, DeclaredUser]:
        """The declared users by name."""
        return {user.name: user for user in declared_users(self._declared.users)}

    def login(self, name: str) -> ApiClient:
        """Return a client in this process that is logged in as a declared user.

        Raises:
            KeyError: no such user is declared.
            PermissionError: the wiki is not writable.
        """
        client = self.new_client()
        client.login(name, self.users[name].secret)
        return client

    def get(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer to a GET request, decoded; parameters as for :class:`ApiClient`.

        Raises:
            RequestFailed: the answer is an error.
        """
        return self.client.get(params, **named)

    def post(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer to a POST request, decoded.

        Raises:
            RequestFailed: the answer is an error.
        """
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

    # What goes wrong

    def trouble(
        self,
        kind: Kind,
        times: int | None = 1,
        *,
        actions: str | Iterable[str] = (),
        retry_after: int = 5,
        seconds: float = 2.0,
    ) -> Trouble:
        """Make the next requests fail; return the trouble, which can be used in ``with``.

        Args:
            kind: what goes wrong. ``editconflict``, ``maxlag``, ``ratelimited`` and ``readonly``
                are errors of the API; ``assertuserfailed`` is a session that is lost; after
                ``cut`` the client receives no answer, and after ``lost`` none to what has been
                done; ``unavailable`` is an answer with status 503; ``slow`` is a late one.
            times: how many requests are struck; ``None`` for all until ``end()``.
            actions: the actions that are struck. By default ``editconflict`` strikes ``edit``,
                ``ratelimited`` and ``readonly`` what writes, ``maxlag`` requests with that
                parameter, and the others every request to the API.
            retry_after: seconds in the header ``Retry-After``.
            seconds: how late an answer is.

        Raises:
            ValueError: there is no such kind.
        """
        if kind not in KINDS:
            raise ValueError(f"there is no trouble {kind!r}; there are {', '.join(KINDS)}")
        struck = frozenset([actions] if isinstance(actions, str) else actions)
        trouble = Trouble(kind, times, struck, retry_after, seconds)
        self._troubles.append(trouble)
        return trouble

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
        """Save a text at the time of the wiki's clock; return the id of the page's latest revision.

        A page that is not there is made; a text that is the page's already makes no revision.

        Raises:
            InvalidTitle: no page can be called so.
        """
        edit = Edit(text, user, comment, minor=minor) if isinstance(text, str) else text
        return Changes(self.site).edit(title, edit)

    def delete(self, title: str, *, user: str = VISITOR, reason: str = "") -> None:
        """Delete a page; its revisions go to the archive, and a log entry is added.

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
        """Move a page to another title, with its history; it leaves a redirect by default.

        Raises:
            LookupError: there is no such page.
            FileExistsError: there is a page at the new title.
        """
        Changes(self.site).move(title, to, user=user, reason=reason, redirect=redirect)

    def _move_to(self, server: str) -> None:
        """Make every address that the wiki writes begin with another server."""
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
        """Take ``base``, the declaration of every wiki, which individual ones extend."""
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
