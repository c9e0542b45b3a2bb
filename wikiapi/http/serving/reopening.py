"""A site that is opened again when the file of its store has been replaced."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Self
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from wikiapi.errors import WikiapiError
from wikiapi.http.app import WikiApp, make_app
from wikiapi.http.routing import Mount
from wikiapi.site import Site

logger = logging.getLogger(__name__)

_REST = 5.0
"""Seconds until a store that could not be opened is tried again."""


class Reopening:
    """The application of a site, which is created again when its store is replaced.

    Requests that are being answered at that moment get an error, as do all while the new store
    cannot be opened: it may still be on its way.
    """

    def __init__(self, opening: Callable[[], AbstractContextManager[Site]]) -> None:
        """Take what opens the site until the end of a block."""
        self._opening = opening
        self._opened = ExitStack()
        self._lock = threading.Lock()
        self._rests_until = 0.0
        self.labelled: Sequence[Mount] = ()
        """What people find at the site besides the API, once it is open."""
        self._site: Site
        self._app: WSGIApplication

    def __enter__(self) -> Self:
        """Open the site.

        Raises:
            StoreError: the database cannot be opened.
            ConfigError: settings contradict each other.
            PluginError: a plugin cannot be loaded.
        """
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self._opened.close()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request, as WSGI has it."""
        if self._site.db.is_replaced:
            self._reopen()
        return self._app(environ, start_response)

    def _reopen(self) -> None:
        with self._lock:
            if not self._site.db.is_replaced or time.monotonic() < self._rests_until:
                return  # another thread has been here
            try:
                self._open()
            except WikiapiError as error:
                self._rests_until = time.monotonic() + _REST
                logger.error("the store was replaced, and cannot be opened: %s", error)
            else:
                logger.warning("the store was replaced, and has been opened anew")

    def _open(self) -> None:
        with ExitStack() as opened:
            site = opened.enter_context(self._opening())
            wiki = WikiApp(site)
            app = make_app(site, wiki)
            self.labelled = wiki.labelled
            before, self._opened = self._opened, opened.pop_all()
        self._site, self._app = site, app
        before.close()
