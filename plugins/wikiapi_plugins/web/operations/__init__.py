"""For operators: a health check, metrics and an access log.

They are configured in ``[http]`` by ``health_path``, ``metrics`` and ``access_log``.
"""

from __future__ import annotations

from collections.abc import Iterable
from wsgiref.types import WSGIApplication

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount
from wikiapi.site import Site
from wikiapi_plugins.web.operations.accesslog import AccessLog
from wikiapi_plugins.web.operations.health import health_app

METRICS_PATH = "/metrics"


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
