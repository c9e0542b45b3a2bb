"""For those who run a server: a health check, metrics and an access log.

All three are set in ``[http]``: ``health_path``, ``metrics`` and ``access_log``.
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
    """Return the health check, unless its path is empty."""
    path = site.config.http.health_path
    return [Mount(path, health_app(site))] if path else []


@hookimpl
def wrap_wsgi(app: WSGIApplication, site: Site) -> WSGIApplication:
    """Measure and log around the whole application."""
    http = site.config.http
    if http.metrics != "off":
        # A dependency of those alone who ask for it.
        from wikiapi_plugins.web.operations.metrics import Metered

        app = Metered(app, METRICS_PATH, is_public=http.metrics == "public")
    if http.access_log not in ("off", "auto"):
        app = AccessLog(app, http)
    return app
