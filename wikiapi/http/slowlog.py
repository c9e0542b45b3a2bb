"""The log of slow statements: ``[http] slow_query_log``."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager, nullcontext

from wikiapi.api.context import RequestContext
from wikiapi.http.requests import module_params
from wikiapi.site import Site
from wikiapi.store.recording import QueryRecord

logger = logging.getLogger("wikiapi.slow")
_MILLISECONDS = 1000


class SlowQueryLog:
    """Logs each statement that takes too long, with the module and the request it is for.

    A statement is logged with its values. Of the request only what names modules is: tokens are
    parameters, too.
    """

    def __init__(self, site: Site) -> None:
        """Take the time from the site's settings."""
        self._db = site.db
        self._seconds = site.config.http.slow_query_log / _MILLISECONDS

    def around(self, context: RequestContext) -> AbstractContextManager[object]:
        """Watch the statements of a request inside the block, if the log is on."""
        if not self._seconds:
            return nullcontext()

        def log(record: QueryRecord) -> None:
            request = "&".join(f"{k}={v}" for k, v in module_params(context.request.params).items())
            took = record.time * _MILLISECONDS
            text = (took, record.function, ascii(request), ascii(record.sql))
            logger.warning("%.0f ms in %s for %s: %s", *text)

        return self._db.observing(log, self._seconds)
