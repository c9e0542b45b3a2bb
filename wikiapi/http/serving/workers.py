"""Serves a site with several processes, which gunicorn starts, monitors and replaces.

Each process opens the site itself, and runs the same server as a single process does, on listening
sockets that all processes share. gunicorn handles the signals: SIGHUP reads the configuration again
and replaces the processes, SIGTERM stops them after they have answered all received requests, and
SIGTTIN and SIGTTOU add and remove a process
(https://docs.gunicorn.org/en/stable/signals.html). A process that dies is replaced.
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
from wsgiref.types import WSGIApplication

from gunicorn.app.base import BaseApplication
from gunicorn.workers.base import Worker

from wikiapi.config import Config, HttpConfig
from wikiapi.errors import ConfigError
from wikiapi.http.serving.balance import ConnectionCounts, Place
from wikiapi.http.serving.reopening import Reopening
from wikiapi.http.serving.server import address_of, keep_heap, listening_sockets, serve

logger = logging.getLogger(__name__)

_HANGS_AFTER = 60
"""Seconds after which a process is killed if its main loop, which never blocks, has stopped."""
_STOPPING = (signal.SIGTERM, signal.SIGQUIT)
"""The signals with which gunicorn stops a process; the second one is used after Ctrl-C."""
_KEY_BYTES = 32
_METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable with the folder for the metrics of prometheus_client."""

Opening = Callable[[Config], AbstractContextManager[Reopening]]


def serve_by_workers(
    opening: Opening,
    read: Callable[[], Config],
    workers: int,
    on_bound: Callable[[Config, Reopening, str], None],
) -> None:
    """Serve a site with several processes until SIGINT or SIGTERM.

    Args:
        opening: returns a context manager that opens the site of a configuration, and yields its
            application.
        read: returns the configuration; called at the beginning and after SIGHUP. If it has no key
            for tokens, a random one is used for all processes.
        workers: the number of processes.
        on_bound: called with the configuration, the application and the URL once the sockets
            listen.

    Raises:
        ConfigError: the address cannot be used, or the configuration is invalid.
        StoreError: the database cannot be opened.
    """
    manager = _Manager(opening, read, workers)
    with _shared_metrics(manager.config.http):
        # This reports errors before processes are started, and loads the modules for all of them.
        with opening(manager.config) as app:
            on_bound(manager.config, app, manager.address)
        keep_heap()
        manager.run()


@contextmanager
def _shared_metrics(http: HttpConfig) -> Iterator[None]:
    """Create a folder in which processes share their metrics, unless one is configured."""
    if http.metrics == "off" or _METRICS_FOLDER in os.environ:
        yield
        return
    folder, first = tempfile.mkdtemp(prefix="wikiapi-metrics-"), os.getpid()
    os.environ[_METRICS_FOLDER] = folder
    try:
        yield
    finally:
        if os.getpid() == first:  # Forked processes also leave the block when they end.
            del os.environ[_METRICS_FOLDER]
            shutil.rmtree(folder, ignore_errors=True)


class ServingWorker(Worker):  # type: ignore[misc]
    """A process that opens the site and answers requests."""

    app: _Manager
    place: Place | None

    def load_wsgi(self) -> None:
        """Do nothing: :meth:`run` opens the application, and also closes it."""

    def init_signals(self) -> None:
        """Ignore SIGINT, which a terminal sends to all processes and the first one handles."""
        super().init_signals()
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def run(self) -> None:
        """Answer requests until a signal arrives or the parent process ends."""
        own = [each.sock for each in self.sockets]
        manager = self.app
        with manager.opening(manager.config) as app:
            serve(
                app,
                manager.config.http,
                sockets=own,
                place=self.place,
                keep_running=self._keep_running,
                signals=_STOPPING,
            )

    def _keep_running(self) -> bool:
        """Report that the process is alive; return whether it should go on.

        It should not if its parent has ended, or a signal has arrived while the site was opened.
        """
        self.notify()
        return bool(self.alive and self.ppid == os.getppid())


class _Manager(BaseApplication):  # type: ignore[misc]
    """gunicorn's application, with the settings for a site instead of files and options."""

    def __init__(self, opening: Opening, read: Callable[[], Config], workers: int) -> None:
        self.opening = opening
        self._read = read
        self._workers = workers
        self._key = secrets.token_hex(_KEY_BYTES)
        self.config = self._configuration()
        sockets = listening_sockets(self.config.http.listen)
        self.address = address_of(sockets[0])
        self._counts = ConnectionCounts()
        self._files = [each.detach() for each in sockets]  # gunicorn closes them.
        super().__init__()

    def _configuration(self) -> Config:
        config = self._read()
        key = config.http.secret_key or self._key
        return replace(config, http=replace(config.http, secret_key=key))

    def reload(self) -> None:
        """Read the configuration again; keep the old one if the new one is invalid."""
        try:
            self.config = self._configuration()
        except ConfigError as error:
            logger.error("the old configuration remains in use: %s", error)
        super().reload()

    def load_config(self) -> None:
        """Set the options that gunicorn would read from its own configuration."""
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
            "pre_fork": self._give_place,
            "child_exit": self._forget,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def _give_place(self, _arbiter: object, worker: ServingWorker) -> None:
        worker.place = self._counts.take()

    def _forget(self, _arbiter: object, worker: ServingWorker) -> None:
        """Forget a process that has ended."""
        if _METRICS_FOLDER in os.environ:
            from prometheus_client.multiprocess import mark_process_dead

            mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
        if worker.place is not None:
            self._counts.release(worker.place)

    def load(self) -> WSGIApplication:
        """Raise NotImplementedError: this is not called, as the processes open the site."""
        raise NotImplementedError
