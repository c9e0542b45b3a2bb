"""Routes of the REST API (``rest.php``), their parameters, replies and errors."""

from __future__ import annotations

from wikiapi.rest.errors import RestError, Unavailable, WrongMethod, invalid_parameter
from wikiapi.rest.params import RestField, RestParam
from wikiapi.rest.registries import routes_of
from wikiapi.rest.routes import SCRIPT, RestCall, RestReply, Route

__all__ = [
    "SCRIPT",
    "RestCall",
    "RestError",
    "RestField",
    "RestParam",
    "RestReply",
    "Route",
    "Unavailable",
    "WrongMethod",
    "invalid_parameter",
    "routes_of",
]
