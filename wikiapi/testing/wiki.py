"""A wiki to test bots, clients and plugins with, in the same process or on a port.

::

    with Wiki(Declaration(pages={"Tea": "It is hot."})) as wiki:
        wiki.get(action="query", titles="Tea", prop="info")
        wiki.edit("Tea", "It is cold.", user="Ada")
        mwclient.Site(wiki.host, scheme="http", path=wiki.script_path)
"""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from wikiapi.api.calling import Answer, Value
from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import Received
from wikiapi.store.queries import texts
from wikiapi.testing.changes import Changes
from wikiapi.testing.client import ApiClient
from wikiapi.testing.clock import Clock
from wikiapi.testing.declaration import (
    VISITOR,
    Declaration,
    DeclaredUser,
    DeclaredUsers,
    Edit,
    History,
)
from wikiapi.testing.faults import (
    KINDS,
    Interrupted,
    Kind,
    RecordingApp,
    Trouble,
    Write,
    interrupted,
)
from wikiapi.testing.server import ANY_PORT, live_server
from wikiapi.testing.shared import SharedParts

QUIET = {"http": {"debug_info": "off", "secret_key": "of every wiki under test"}}
"""The default settings of every wiki: no debug information, as in answers to remote clients.

The key keeps sessions valid when the wiki's server changes as it is first served on a port.
"""


class Wiki:
    """A wiki under test with its own store in memory. Close it, or use it as a context manager.

    ``clock`` is its clock, which stands still until ``clock.advance`` or ``clock.set`` is called.
    ``site`` is the :class:`~wikiapi.site.Site`, for everything that this class does not offer.
    ``writes`` are the attempts of clients to write, each a
    :class:`~wikiapi.testing.faults.Write`.
    """

    def __init__(self, declared: Declaration, shared: SharedParts | None = None) -> None:
        """Create the declared wiki, as a copy of an earlier one if possible.

        Raises:
            ConfigError, InvalidTitle, PluginError: see :func:`~wikiapi.testing.make_site`.
            TypeError: the settings are not a mapping.
        """
        self._declared = declared = Declaration(config=QUIET).with_more(**vars(declared))
        self._closing = ExitStack()
        self.clock = Clock(declared.clock)
        self.writes: list[Write] = []
        self._troubles: list[Trouble] = []
        folder = uploads_folder()
        self._closing.callback(shutil.rmtree, folder, ignore_errors=True)
        self.site = (shared or SharedParts()).site(declared, self.clock, str(folder))
        self._closing.callback(self.site.db.close)
        self._app: WSGIApplication | None = None
        self._base = ""
        self._client: ApiClient | None = None

    def __enter__(self) -> Wiki:
        """Return this object."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the wiki."""
        self.close()

    def close(self) -> None:
        """Stop serving and close the store. It is safe to repeat."""
        self._closing.close()

    # Addresses

    @property
    def script_path(self) -> str:
        """The path of the folder with ``api.php``, with a slash at both ends."""
        return f"{self.site.config.site.script_path.rstrip('/')}/"

    @property
    def url(self) -> str:
        """``http://HOST:PORT``, where the wiki is served after this is first accessed.

        It becomes the setting ``site.server`` of the wiki, unless that is declared.
        """
        if not self._base:
            self._base = self._closing.enter_context(live_server(self.wsgi, ANY_PORT))
            if "server" not in self._declared.config.get("site", {}):
                self._move_to(self._base)
        return self._base

    @property
    def host(self) -> str:
        """``HOST:PORT``, for clients that build the URL themselves."""
        return urlsplit(self.url).netloc

    @property
    def api_url(self) -> str:
        """The URL of ``api.php``."""
        return f"{self.url}{self.script_path}api.php"

    def wsgi(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request as a WSGI application."""
        if self._app is None:
            self._app = make_app(self.site, RecordingApp(self.site, self._troubles, self.writes))
        try:
            return self._app(environ, start_response)
        except Interrupted as error:
            return interrupted(error, environ, start_response)

    # Requests in process

    @property
    def client(self) -> ApiClient:
        """A client in this process, with its own cookies."""
        if self._client is None:
            self._client = self.new_client()
        return self._client

    def new_client(self) -> ApiClient:
        """Return another client in this process, which raises RequestFailed for errors."""
        return ApiClient(self.wsgi, path=f"{self.script_path}api.php", raises=True)

    @property
    def users(self) -> dict[str, DeclaredUser]:
        """The declared users by name; the error for another name says which there are."""
        return DeclaredUsers(self._declared.users)

    def login(self, name: str) -> ApiClient:
        """Return a client in this process that is logged in as a declared user.

        Raises:
            UndeclaredUser: the user is not declared.
            PermissionError: the wiki is not writable.
        """
        client = self.new_client()
        client.login(name, self.users[name].secret)
        return client

    def get(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the decoded answer to a GET request; see :class:`ApiClient` for parameters.

        Raises:
            RequestFailed: the answer is an error.
        """
        return self.client.get(params, **named)

    def post(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the decoded answer to a POST request.

        Raises:
            RequestFailed: the answer is an error.
        """
        return self.client.post(params, **named)

    def walk(
        self, params: Mapping[str, Value] | None = None, /, **named: Value
    ) -> Iterator[Answer]:
        """Yield every answer to a query, following its continuation to the end."""
        return self.client.walk(params, **named)

    def reply(
        self, method: str = "GET", params: Mapping[str, Value] | None = None, /, **named: Value
    ) -> Received:
        """Return the whole reply to a request: status, headers and body."""
        return self.client.reply(method, {**(params or {}), **named})

    # Faults

    def trouble(
        self,
        kind: Kind,
        times: int | None = 1,
        *,
        actions: str | Iterable[str] = (),
        retry_after: int = 5,
        seconds: float = 2.0,
    ) -> Trouble:
        """Make the next requests fail; return an object that can be used as a context manager.

        Args:
            kind: the kind of fault. ``editconflict``, ``maxlag``, ``ratelimited`` and ``readonly``
                are errors of the API. ``assertuserfailed`` ends the session. ``cut`` closes the
                connection before the request is processed, and ``lost`` after that.
                ``unavailable`` is an answer with status 503, and ``slow`` a delayed one.
            times: how many requests are affected; ``None`` for all until ``end()``.
            actions: the actions that are affected. By default, ``editconflict`` affects ``edit``,
                ``ratelimited`` and ``readonly`` actions that write, ``maxlag`` requests with that
                parameter, and the others every request to the API.
            retry_after: the seconds in the header ``Retry-After``.
            seconds: the delay of a slow answer.

        Raises:
            ValueError: the kind is unknown.
        """
        if kind not in KINDS:
            raise ValueError(f"there is no trouble {kind!r}; there are {', '.join(KINDS)}")
        struck = frozenset([actions] if isinstance(actions, str) else actions)
        trouble = Trouble(kind, times, struck, retry_after, seconds)
        self._troubles.append(trouble)
        return trouble

    # Content

    def text(self, title: str) -> str | None:
        """Return the current wikitext of a page, or None if it does not exist.

        Raises:
            InvalidTitle: the title is not valid.
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
        """Save a text, creating the page if necessary; return the id of its latest revision.

        The timestamp is the time of the wiki's clock. If the page already has the text, no revision
        is created.

        Raises:
            InvalidTitle: the title is not valid.
        """
        edit = Edit(text, user, comment, minor=minor) if isinstance(text, str) else text
        return Changes(self.site).edit(title, edit)

    def delete(self, title: str, *, user: str = VISITOR, reason: str = "") -> None:
        """Delete a page; its revisions are moved to the archive, and a log entry is added.

        Raises:
            LookupError: the page does not exist.
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
        """Move a page with its history to another title, by default leaving a redirect.

        Raises:
            LookupError: the page does not exist.
            FileExistsError: a page with the new title exists.
        """
        Changes(self.site).move(title, to, user=user, reason=reason, redirect=redirect)

    def _move_to(self, server: str) -> None:
        """Reopen the site with another ``site.server``."""
        config: Config = self.site.config
        self.site = open_site(
            replace(config, site=replace(config.site, server=server)),
            database=self.site.db,
            clock=self.clock,
            manager=self.site.plugins,
        )
        self._app = None


_numbers = count(1)


@cache
def _temporary_folder() -> Path:
    """Return a folder for uploaded files, which is removed when the process ends."""
    folder = TemporaryDirectory(prefix="wikiapi-uploads-")
    atexit.register(folder.cleanup)
    return Path(folder.name)


def uploads_folder() -> Path:
    """Return the upload folder of one wiki, which the first upload creates."""
    return _temporary_folder() / str(next(_numbers))


class WikiMaker:
    """Creates wikis, and closes them all at the end; the value of the fixture ``make_wiki``."""

    def __init__(self, base: Declaration, shared: SharedParts) -> None:
        """Use ``base`` as the declaration that those of all wikis extend."""
        self._base = base
        self._shared = shared
        self._made = ExitStack()

    def __call__(self, pages: Mapping[str, History] | None = None, **declared: object) -> Wiki:
        """Create a wiki; the arguments are the fields of :class:`Declaration`.

        Raises:
            TypeError: an argument is not one of these fields.
            ConfigError, InvalidTitle, PluginError: see :func:`~wikiapi.testing.make_site`.
        """
        declaration = self._base.with_more(pages=pages or {}, **declared)
        return self._made.enter_context(Wiki(declaration, self._shared))

    def close(self) -> None:
        """Close all wikis that were created."""
        self._made.close()
