"""Opens a site again when the file of its store has been replaced."""

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

_RETRY_SECONDS = 5.0
"""Seconds to wait before trying again to open a store that could not be opened."""


class Reopening:
    """The application of a site, which is created again when its store is replaced.

    Requests that are being answered at that time fail, as do all requests while the new store
    cannot be opened, for example because it is still being copied.
    """

    def __init__(self, opening: Callable[[], AbstractContextManager[Site]]) -> None:
        """Take a function that returns a context manager, which opens and closes the site."""
        self._opening = opening
        self._opened = ExitStack()
        self._lock = threading.Lock()
        self._next_attempt = 0.0
        self.labelled: Sequence[Mount] = ()
        """The mounts of the site that have a label, once it is open."""
        self.name = ""
        """The name of the site, once it is open."""
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
        """Close the site."""
        self._opened.close()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request according to WSGI."""
        if self._site.db.is_replaced:
            self._reopen()
        return self._app(environ, start_response)

    def _reopen(self) -> None:
        with self._lock:
            if not self._site.db.is_replaced or time.monotonic() < self._next_attempt:
                return  # another thread has opened it, or tried to
            try:
                self._open()
            except WikiapiError as error:
                self._next_attempt = time.monotonic() + _RETRY_SECONDS
                logger.error("the store was replaced, and the new one cannot be opened: %s", error)
            else:
                logger.warning("the store was replaced, and the new one has been opened")

    def _open(self) -> None:
        with ExitStack() as opened:
            site = opened.enter_context(self._opening())
            wiki = WikiApp(site)
            app = make_app(site, wiki)
            self.labelled, self.name = wiki.labelled, site.config.site.name
            before, self._opened = self._opened, opened.pop_all()
        self._site, self._app = site, app
        before.close()
