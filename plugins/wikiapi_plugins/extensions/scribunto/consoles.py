"""The consoles of a site: what each was asked before, for a while."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock

MAX_SIZE = 500_000
"""Bytes that the module and the questions of a console may have together."""
_MOST = 50
_SECONDS = 3600.0
_LARGEST_ID = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Console:
    """A console: the module beside which it runs, and what it was asked so far."""

    id: int
    content: str = ""
    questions: tuple[str, ...] = ()
    used: float = 0.0

    @property
    def size(self) -> int:
        """Bytes it takes."""
        texts = (self.content, *self.questions)
        return sum(len(text.encode("utf-8", "replace")) for text in texts)

    def code(self, question: str) -> str:
        """Lua that asks everything again, forgets what was printed, then asks the question.

        All of it is one chunk, so that local variables last from one question to the next. What
        begins with ``=`` is an expression.
        """
        before = [f"do local _ = {q[1:]}\nend" if q.startswith("=") else q for q in self.questions]
        last = f"return {question[1:]}" if question.startswith("=") else question
        return "\n".join(["local forget = ...", *before, "forget()", last])


class Consoles:
    """Consoles by number. A number is a secret: who knows it shares the console."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with none."""
        self._clock = clock
        self._kept: OrderedDict[int, Console] = OrderedDict()
        self._lock = Lock()

    def get(self, number: int | None) -> Console | None:
        """The console of a number, unless it is forgotten."""
        with self._lock:
            self._forget_old()
            return None if number is None else self._kept.get(number)

    def new(self) -> Console:
        """A console that was asked nothing yet."""
        return Console(secrets.randbelow(_LARGEST_ID) + 1)

    def keep(self, console: Console) -> None:
        """Remember a console for an hour, or until too many others are used."""
        with self._lock:
            self._kept[console.id] = replace(console, used=self._clock())
            self._kept.move_to_end(console.id)
            self._forget_old()

    def _forget_old(self) -> None:
        oldest = self._clock() - _SECONDS
        while self._kept:
            first = next(iter(self._kept.values()))
            if len(self._kept) <= _MOST and first.used >= oldest:
                return
            self._kept.popitem(last=False)
