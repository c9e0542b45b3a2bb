"""The health check: whether this process can read its database."""

from __future__ import annotations

import json
import logging
from wsgiref.types import WSGIApplication

from wikiapi.errors import StoreError
from wikiapi.http import Reply
from wikiapi.site import Site
from wikiapi.store.queries import pages
from wikiapi_plugins.web.replies import content_reply, web_app
from wikiapi_plugins.web.requests import WebRequest

logger = logging.getLogger(__name__)
DEADLINE = 2.0
"""Seconds within which the database must answer; load balancers do not wait long."""


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
