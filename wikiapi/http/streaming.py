"""Bodies that are made while they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wikiapi.budget import Budget
from wikiapi.site import Site

_MOMENT = 0.001
"""Seconds that work begun in time has at least: none at all would be taken for without end."""


class Stream:
    """The pieces of a body, each made when the server asks for it.

    The time that the client takes to receive them counts as the request's: work that does not end
    by its deadline is given up. Whoever is in the midst of an answer cannot be told of an error, so
    the exception goes on to the server, which cuts the connection: without the last chunk the
    client knows that something is missing.
    """

    def __init__(
        self,
        pieces: Iterator[bytes],
        site: Site,
        budget: Budget,
        failed: Callable[[Exception], object],
    ) -> None:
        """Take the pieces, and what is told of an exception before it goes on."""
        self._pieces = pieces
        self._site = site
        self._budget = budget
        self._failed = failed

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> bytes:
        try:
            self._budget.check()
            piece = self._made()
        except Exception as error:
            self._failed(error)
            raise
        if piece is None:
            raise StopIteration
        return piece

    def close(self) -> None:
        """End the work: all is sent, or there is nobody any more to send it to."""
        close = getattr(self._pieces, "close", None)
        if close is not None:
            close()

    def _made(self) -> bytes | None:
        left = max(self._budget.left, _MOMENT)
        work = self._site.config.database.query_deadline
        with self._site.budgets.use(self._budget), self._site.db.deadline(left, work):
            return next(self._pieces, None)
