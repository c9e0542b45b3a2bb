"""The consoles of a site: a module and the questions evaluated beside it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from wikiapi.cache import MemoryCache

MAX_SIZE = 500_000
"""Bytes that the module and the questions of a console may have together."""
_CACHE_BYTES = 50 * MAX_SIZE
_LIFETIME = 3600.0
"""Seconds since a console was last used."""
_LARGEST_ID = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Console:
    """A console: the module beside which it runs, and the questions evaluated so far."""

    id: int
    content: str = ""
    questions: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Bytes of its texts."""
        texts = (self.content, *self.questions)
        return sum(len(text.encode("utf-8", "replace")) for text in texts)

    def code(self, question: str) -> str:
        """Return Lua that evaluates all questions again, forgets the output, then evaluates this.

        All of it is one chunk, so that local variables last from one question to the next. A
        question that begins with ``=`` is an expression.
        """
        before = [f"do local _ = {q[1:]}\nend" if q.startswith("=") else q for q in self.questions]
        last = f"return {question[1:]}" if question.startswith("=") else question
        return "\n".join(["local forget = ...", *before, "forget()", last])


class Consoles:
    """The consoles of a site. Their numbers are secrets: a console is shared with its number."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with none."""
        self._cache = MemoryCache(_CACHE_BYTES, clock)

    def get(self, number: int | None) -> Console | None:
        """Return the console of a number, unless it has been dropped."""
        return cast("Console | None", self._cache.get(number))

    def new(self) -> Console:
        """Return a console without questions."""
        return Console(secrets.randbelow(_LARGEST_ID) + 1)

    def store(self, console: Console) -> None:
        """Cache a console for an hour; the least recently used ones are dropped."""
        self._cache.put(console.id, console, seconds=_LIFETIME, size=console.size)
