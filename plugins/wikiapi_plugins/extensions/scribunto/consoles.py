"""The consoles of a site: modules and the questions evaluated with access to them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from wikiapi.cache import MemoryCache

MAX_SIZE = 500_000
"""The largest total size, in bytes, of the module and the questions of a console."""
_CACHE_BYTES = 50 * MAX_SIZE
_LIFETIME = 3600.0
"""Seconds for which a console is kept after its last use."""
_MAX_ID = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Console:
    """A console: the source of its module, and the questions evaluated so far."""

    id: int
    content: str = ""
    questions: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The total size of the texts in bytes."""
        texts = (self.content, *self.questions)
        return sum(len(text.encode("utf-8", "replace")) for text in texts)

    def code(self, question: str) -> str:
        """Return Lua code that repeats all earlier questions, and then evaluates this one.

        The output of the earlier questions is discarded. The code is a single chunk, so that local
        variables remain in scope from one question to the next. A question that begins with ``=``
        is an expression.
        """
        before = [f"do local _ = {q[1:]}\nend" if q.startswith("=") else q for q in self.questions]
        last = f"return {question[1:]}" if question.startswith("=") else question
        return "\n".join(["local forget = ...", *before, "forget()", last])


class Consoles:
    """The consoles of a site. Their ids are random: whoever has the id can use the console."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Create a cache without consoles."""
        self._cache = MemoryCache(_CACHE_BYTES, clock)

    def get(self, id: int | None) -> Console | None:
        """Return the console with an id, or ``None`` if it does not exist or has been dropped."""
        return cast("Console | None", self._cache.get(id))

    def new(self) -> Console:
        """Return a console with a new id and without questions."""
        return Console(secrets.randbelow(_MAX_ID) + 1)

    def store(self, console: Console) -> None:
        """Keep a console for an hour; if the cache is full, drop the least recently used ones."""
        self._cache.put(console.id, console, seconds=_LIFETIME, size=console.size)
