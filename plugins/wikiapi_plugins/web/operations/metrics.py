"""Metrics in Prometheus format: numbers and durations of requests, and those in progress.

If the environment variable ``PROMETHEUS_MULTIPROC_DIR`` names a folder for the files of
prometheus_client, the metrics of several processes are added up. Memory and CPU time, which belong
to a single process, are then omitted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector

from wikiapi.http import ACTION, PART, Page, Reply, WebRequest, headers_of, is_local
from wikiapi_plugins.web.operations.observed import Exchange, observe
from wikiapi_plugins.web.replies import content_reply, web_app

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

API = "api"
OTHER = "other"


class RequestMetrics:
    """The metrics of requests, in a registry or in files that all processes share."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register the metrics."""
        self.requests = Counter(
            "wikiapi_requests",
            "Answered requests",
            ["part", "action", "status"],
            registry=registry,
        )
        self.seconds = Histogram(
            "wikiapi_request_seconds",
            "Time until a request was answered",
            ["part", "action"],
            buckets=BUCKETS,
            registry=registry,
        )
        self.sent = Counter("wikiapi_sent_bytes", "Bytes of bodies sent", registry=registry)
        self.running = Gauge(
            "wikiapi_requests_running",
            "Requests being answered",
            registry=registry,
            multiprocess_mode="livesum",
        )


def is_shared() -> bool:
    """Return whether the metrics of several processes are added up."""
    return SHARED_FOLDER in os.environ


@cache
def _of_process() -> RequestMetrics:
    """Return the metrics of this process; all its wikis share them, since they share the files."""
    return RequestMetrics(CollectorRegistry())


class MetricsMiddleware:
    """WSGI middleware that measures requests, and serves the metrics at a path."""

    def __init__(self, app: WSGIApplication, path: str, *, is_public: bool) -> None:
        """Wrap an application; unless ``is_public``, only local clients may see the metrics."""
        self._app = app
        self._path = path
        self._is_public = is_public
        self._page = web_app(self._answer, path)
        self._refusal = web_app(_refuse, path)
        self._registry = CollectorRegistry()
        if is_shared():
            self._metrics = _of_process()
            MultiProcessCollector(self._registry)  # type: ignore[no-untyped-call]
        else:
            ProcessCollector(registry=self._registry)
            PlatformCollector(registry=self._registry)
            self._metrics = RequestMetrics(self._registry)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a WSGI request, and measure it unless it is for the metrics."""
        if environ.get("PATH_INFO") == self._path:
            may_see = self._is_public or is_local(environ, headers_of(environ))
            app = self._page if may_see else self._refusal
            return app(environ, start_response)
        self._metrics.running.inc()
        return observe(self._app, environ, start_response, self._count)

    def _count(self, exchange: Exchange) -> None:
        environ, metrics = exchange.environ, self._metrics
        action = environ.get(ACTION, "none")
        part = environ.get(PART) or (API if ACTION in environ else OTHER)
        metrics.running.dec()
        metrics.requests.labels(part, action, str(exchange.status)).inc()
        metrics.seconds.labels(part, action).observe(exchange.seconds)
        metrics.sent.inc(exchange.sent)

    def _answer(self, _request: WebRequest) -> Reply:
        return content_reply(generate_latest(self._registry), CONTENT_TYPE_LATEST)


def _refuse(_request: WebRequest) -> Reply:
    return Page(403, "Metrics are available only to local clients that connect directly.").reply()
