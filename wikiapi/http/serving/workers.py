"""Serving a site by several processes, which gunicorn starts, watches and replaces.

Each process opens the site itself and runs the same server as a single process does, on listening
sockets that all of them share. gunicorn has the signals: SIGHUP reads the configuration again and
replaces the processes, SIGTERM lets them answer what was asked, and SIGTTIN and SIGTTOU add
and remove one (https://docs.gunicorn.org/en/stable/signals.html). One that dies is replaced.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any
from wsgiref.types import WSGIApplication

from gunicorn.app.base import BaseApplication
from gunicorn.workers.base import Worker

from wikiapi.config import Config, HttpConfig
from wikiapi.errors import ConfigError
from wikiapi.http.serving.reopening import Reopening
from wikiapi.http.serving.server import address_of, keep_heap, listening_sockets, serve

logger = logging.getLogger(__name__)

_HANGS_AFTER = 60
"""Seconds after which a process is killed whose main loop stands still, which waits for nothing."""
_STOPPING = (signal.SIGTERM, signal.SIGQUIT)
"""The signals by which gunicorn stops a process; the second one after Ctrl-C."""
_KEY_BYTES = 32
_FIGURES = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder of metrics to prometheus_client."""

Opening = Callable[[Config], AbstractContextManager[Reopening]]


def serve_by_workers(
    opening: Opening,
    read: Callable[[], Config],
    workers: int,
    on_bound: Callable[[Config, Reopening, str], None],
) -> None:
    """Serve a site by several processes until SIGINT or SIGTERM.

    Args:
        opening: opens the site of a configuration, and yields its application.
        read: returns the configuration, at the beginning and after SIGHUP. A random key for tokens
            is chosen for all processes if it has none.
        workers: the number of processes.
        on_bound: gets the configuration, the application and the address once the sockets listen.

    Raises:
        ConfigError: the address cannot be used, or the configuration is wrong.
        StoreError: the database cannot be opened.
    """
    manager = _Manager(opening, read, workers)
    with _shared_figures(manager.config.http):
        # Errors are found here, and modules loaded for all processes.
        with opening(manager.config) as app:
            on_bound(manager.config, app, manager.address)
        keep_heap()
        manager.run()


@contextmanager
def _shared_figures(http: HttpConfig) -> Iterator[None]:
    """Let the processes add up their metrics in a folder, unless one is named already."""
    if http.metrics == "off" or _FIGURES in os.environ:
        yield
        return
    folder, first = tempfile.mkdtemp(prefix="wikiapi-metrics-"), os.getpid()
    os.environ[_FIGURES] = folder
    try:
        yield
    finally:
        if os.getpid() == first:  # A forked process leaves the block as well when it ends.
            del os.environ[_FIGURES]
            shutil.rmtree(folder, ignore_errors=True)


def _forget_figures(_arbiter: object, worker: Any) -> None:
    """Take a process that has ended out of the requests being answered."""
    if _FIGURES in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


class ServingWorker(Worker):  # type: ignore[misc]
    """A process that opens the site and answers requests."""

    app: _Manager

    def load_wsgi(self) -> None:
        """Leave the application to :meth:`run`, which closes it as well."""

    def init_signals(self) -> None:
        """Leave SIGINT, which a terminal sends to all processes, to the first one."""
        super().init_signals()
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def run(self) -> None:
        """Answer requests until a signal or the end of the first process."""
        own = [each.sock for each in self.sockets]
        manager = self.app
        with manager.opening(manager.config) as app:
            serve(
                app,
                manager.config.http,
                sockets=own,
                goes_on=self._goes_on,
                signals=_STOPPING,
            )

    def _goes_on(self) -> bool:
        """Report that the process is alive; return whether it still has its parent."""
        self.notify()
        return bool(self.ppid == os.getppid())


class _Manager(BaseApplication):  # type: ignore[misc]
    """gunicorn with the settings that a site needs, in place of files and options."""

    def __init__(self, opening: Opening, read: Callable[[], Config], workers: int) -> None:
        self.opening = opening
        self._read = read
        self._workers = workers
        self._key = secrets.token_hex(_KEY_BYTES)
        self.config = self._configuration()
        sockets = listening_sockets(self.config.http.listen)
        self.address = address_of(sockets[0])
        self._files = [each.detach() for each in sockets]  # gunicorn closes them.
        super().__init__()

    def _configuration(self) -> Config:
        config = self._read()
        key = config.http.secret_key or self._key
        return replace(config, http=replace(config.http, secret_key=key))

    def reload(self) -> None:
        """Read the configuration again; keep the one before if it is wrong."""
        try:
            self.config = self._configuration()
        except ConfigError as error:
            logger.error("the configuration stays as it was: %s", error)
        super().reload()

    def load_config(self) -> None:
        """Set what gunicorn would read from its own configuration."""
        http: HttpConfig = self.config.http
        grace = int(http.shutdown_grace) + 1
        settings: dict[str, object] = {
            "bind": [f"fd://{file}" for file in self._files],
            "workers": self._workers,
            "worker_class": ServingWorker,
            "timeout": _HANGS_AFTER + grace,
            "graceful_timeout": grace,
            "loglevel": "warning",
            "proc_name": "wikiapi",
            "child_exit": _forget_figures,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> WSGIApplication:
        """Never called: the processes open the site themselves."""
        raise NotImplementedError
