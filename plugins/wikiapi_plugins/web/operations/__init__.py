"""For operators: a health check, metrics and an access log.

They are configured in ``[http]`` by ``health_path``, ``metrics`` and ``access_log``.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from wsgiref.types import WSGIApplication

from wikiapi.errors import StoreError
from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount, Reply, WebRequest
from wikiapi.site import Site
from wikiapi.store.queries import pages
from wikiapi_plugins.web.operations.accesslog import AccessLog
from wikiapi_plugins.web.replies import content_reply, web_app

METRICS_PATH = "/metrics"
DEADLINE = 2.0
"""Seconds within which the database must answer; load balancers do not wait long."""

logger = logging.getLogger(__name__)


def health_app(site: Site) -> WSGIApplication:
    """Return the application of the health check.

    It answers with status 200 and ``{"status": "ok"}``, or with 503 if the database does not
    answer.
    """

    def answer(_request: WebRequest) -> Reply:
        try:
            with site.db.deadline(DEADLINE):
                pages.by_ids(site.db, [0])
        except StoreError as error:
            logger.warning("health check: %s", error)
            return _reply(503, "the database does not answer")
        return _reply(200, "ok")

    return web_app(answer, site.config.http.health_path)


def _reply(status: int, text: str) -> Reply:
    return content_reply(json.dumps({"status": text}).encode(), "application/json", status=status)


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Mount the health check, unless its path is empty."""
    path = site.config.http.health_path
    return [Mount(path, health_app(site))] if path else []


@hookimpl
def wrap_wsgi(app: WSGIApplication, site: Site) -> WSGIApplication:
    """Wrap the whole application in the metrics and the access log, if they are enabled."""
    http = site.config.http
    if http.metrics != "off":
        # prometheus_client is an optional dependency.
        from wikiapi_plugins.web.operations.metrics import MetricsMiddleware

        app = MetricsMiddleware(app, METRICS_PATH, is_public=http.metrics == "public")
    if http.access_log not in ("off", "auto"):
        app = AccessLog(app, http)
    return app
