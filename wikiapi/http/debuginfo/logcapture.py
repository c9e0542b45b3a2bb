"""What is logged while a request is answered, for those who may see it beside the answer."""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wikiapi.api.context import LogEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.api.context import RequestContext

LOGGER = "wikiapi"


@contextmanager
def captured(context: RequestContext) -> Iterator[None]:
    """Add to the context's log what this thread logs below the logger ``wikiapi``.

    The records go where they would have gone as well.
    """
    logger = logging.getLogger(LOGGER)
    handler = _Capture(context)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class _Capture(logging.Handler):
    def __init__(self, context: RequestContext) -> None:
        super().__init__()
        self._context = context
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread != self._thread:
            return
        entry = LogEntry(record.getMessage(), record.levelname.lower(), record.name)
        self._context.log.append(entry)
        # Where nobody has configured logging, this handler must not be the one that swallows it.
        if logging.lastResort and not logging.getLogger().handlers:
            logging.lastResort.handle(record)
