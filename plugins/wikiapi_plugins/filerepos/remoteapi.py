"""Another wiki's action API: what it is asked, and what becomes of a wiki that does not answer."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any, Protocol

from wikiapi.filerepo.repository import RepositoryUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

RETRY_AFTER = 10.0
"""Seconds for which a wiki that failed to answer is not asked again."""

_MOST_ROUNDS = 20
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Fetches(Protocol):
    """Sends a request's parameters and brings the body of the answer."""

    def ask(self, params: Mapping[str, str]) -> bytes:
        """The body; raises RepositoryUnavailable."""


class RemoteApi:
    """Asks an API and keeps to a pause after each failure. Safe to use from several threads."""

    def __init__(self, fetcher: Fetches, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` tells seconds."""
        self._fetcher = fetcher
        self._clock = clock
        self._silent_until = float("-inf")

    def query(self, *, follow: str = "", **params: str) -> Iterator[tuple[dict[str, Any], int]]:
        """The ``query`` objects of the answers to a query, with their sizes in bytes.

        There is one for each part of an answer that comes in parts.

        Args:
            follow: the continuation parameter that leads to further parts; others are let be.
            params: the parameters of the query.

        Raises:
            RepositoryUnavailable: the wiki cannot be asked, or answered an error or nonsense.
        """
        base = {"action": "query", "format": "json", "formatversion": "2", **params}
        position: dict[str, str] = {}
        for _ in range(_MOST_ROUNDS):
            answer, size = self._ask(base | position)
            query = answer.get("query", {})
            yield (query if isinstance(query, dict) else {}), size
            following = answer.get("continue")
            if not isinstance(following, dict) or follow not in following:
                return
            position = {str(name): str(value) for name, value in following.items()}

    def _ask(self, params: Mapping[str, str]) -> tuple[dict[str, Any], int]:
        pause = self._silent_until - self._clock()
        if pause > 0:
            raise RepositoryUnavailable(f"it failed to answer; asked again in {pause:.0f} s")
        try:
            body = self._fetcher.ask(params)
            return _decode(body), len(body)
        except RepositoryUnavailable:
            self._silent_until = self._clock() + RETRY_AFTER
            raise


def _decode(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body, parse_constant=_refuse)
        if _SURROGATE.search(body):
            answer = json.loads(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise RepositoryUnavailable("the answer is not JSON") from error
    if not isinstance(answer, dict):
        raise RepositoryUnavailable("the answer is no object")
    if problem := answer.get("error"):
        code = problem.get("code") if isinstance(problem, dict) else problem
        raise RepositoryUnavailable(f"the answer is the error {str(code)[:100]!r}")
    return answer


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
