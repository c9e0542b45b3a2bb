"""Metrics in Prometheus' format: requests, their times, and how many are being answered."""

from __future__ import annotations

from collections.abc import Iterable
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

from wikiapi.http import Reply
from wikiapi.http.address import is_local
from wikiapi.http.app import ACTION
from wikiapi.http.reply import Page
from wikiapi.http.requests import headers_of
from wikiapi_plugins.web.operations.observed import Exchange, observe
from wikiapi_plugins.web.replies import content_reply, web_app
from wikiapi_plugins.web.requests import WebRequest

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metered:
    """An application whose requests are counted; the figures are at a path of their own."""

    def __init__(self, app: WSGIApplication, path: str, *, is_public: bool) -> None:
        """Take the application; unless public, only who runs the server sees the figures."""
        self._app = app
        self._path = path
        self._is_public = is_public
        self._figures = web_app(self._answer, path)
        self._refusal = web_app(_refuse, path)
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._requests = Counter(
            "wikiapi_requests", "Answered requests", ["action", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "wikiapi_request_seconds",
            "Time until a request was answered",
            ["action"],
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._sent = Counter("wikiapi_sent_bytes", "Bytes of bodies sent", registry=self._registry)
        self._running = Gauge(
            "wikiapi_requests_running", "Requests being answered", registry=self._registry
        )

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request, as WSGI has it."""
        if environ.get("PATH_INFO") == self._path:
            app = self._figures if self._may_see(environ) else self._refusal
            return app(environ, start_response)
        self._running.inc()
        return observe(self._app, environ, start_response, self._count)

    def _count(self, exchange: Exchange) -> None:
        action = exchange.environ.get(ACTION, "none")
        self._running.dec()
        self._requests.labels(action, str(exchange.status)).inc()
        self._seconds.labels(action).observe(exchange.seconds)
        self._sent.inc(exchange.sent)

    def _may_see(self, environ: WSGIEnvironment) -> bool:
        return self._is_public or is_local(environ, headers_of(environ))

    def _answer(self, _request: WebRequest) -> Reply:
        return content_reply(generate_latest(self._registry), CONTENT_TYPE_LATEST)


def _refuse(_request: WebRequest) -> Reply:
    return Page(403, "Metrics are for the user who runs this server, and asks it directly.").reply()
