"""The access log: one line for each request, through the logger ``wikiapi.access``.

Query strings may contain tokens and passwords, so that only the parameters that select modules are
logged.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from urllib.parse import parse_qsl
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from wikiapi.config import HttpConfig
from wikiapi.http import ClientAddresses, module_params
from wikiapi_plugins.web.operations.observed import Exchange, observe

logger = logging.getLogger("wikiapi.access")
_LONGEST = 200


class AccessLog:
    """WSGI middleware that logs requests in one of several formats."""

    def __init__(self, app: WSGIApplication, http: HttpConfig) -> None:
        """Wrap an application; clients behind trusted proxies are logged with their own address."""
        self._app = app
        self._clients = ClientAddresses(http.trusted_proxies)
        self._format = _FORMATS[http.access_log]

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a WSGI request and log it."""
        return observe(self._app, environ, start_response, self._log)

    def _log(self, exchange: Exchange) -> None:
        if logger.isEnabledFor(logging.INFO):
            environ = exchange.environ
            params = dict(parse_qsl(environ.get("QUERY_STRING", ""), errors="replace"))
            line = self._format(
                {
                    "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
                    "client": self._clients.find(environ),
                    "method": environ["REQUEST_METHOD"],
                    "path": environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", ""),
                    "modules": module_params(params),
                    "status": exchange.status,
                    "bytes": exchange.sent,
                    "ms": round(exchange.seconds * 1000, 3),
                    "agent": environ.get("HTTP_USER_AGENT", "")[:_LONGEST],
                }
            )
            logger.info("%s", line)


def _short(facts: Mapping[str, object]) -> str:
    """Return a short line for reading at a terminal."""
    moment = datetime.fromisoformat(str(facts["time"])).astimezone().strftime("%H:%M:%S")
    text = f"{facts['method']} {_path(facts)}".encode("latin-1", "replace").decode(
        "utf-8", "replace"
    )
    request = "".join(char if char.isprintable() else "\ufffd" for char in text)
    return f"{moment} {facts['status']} {facts['ms']:8.1f} ms {facts['bytes']:9} B  {request}"


def _path(facts: Mapping[str, object]) -> str:
    """Return the path with the logged parameters."""
    modules = facts["modules"]
    assert isinstance(modules, dict)
    query = "&".join(f"{name}={value}" for name, value in modules.items())
    return f"{facts['path']}?{query}" if query else str(facts["path"])


def _combined(facts: Mapping[str, object]) -> str:
    """Return a line in Apache's combined format; text from the client is quoted as in JSON."""
    moment = datetime.fromisoformat(str(facts["time"])).strftime("%d/%b/%Y:%H:%M:%S %z")
    request = json.dumps(f"{facts['method']} {_path(facts)}")
    return (
        f"{facts['client']} - - [{moment}] {request} {facts['status']} {facts['bytes']}"
        f' "-" {json.dumps(facts["agent"])}'
    )


_FORMATS: Mapping[str, Callable[[Mapping[str, object]], str]] = {
    "short": _short,
    "json": json.dumps,
    "combined": _combined,
}
