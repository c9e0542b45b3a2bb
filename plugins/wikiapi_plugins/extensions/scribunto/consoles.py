"""The consoles of a site: a module and the questions evaluated beside it."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock

MAX_SIZE = 500_000
"""Bytes that the module and the questions of a console may have together."""
_MAX_CONSOLES = 50
_LIFETIME = 3600.0
_LARGEST_ID = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Console:
    """A console: the module beside which it runs, and the questions evaluated so far."""

    id: int
    content: str = ""
    questions: tuple[str, ...] = ()
    used: float = 0.0
    """When it was used last, by the clock of the consoles."""

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
        self._clock = clock
        self._consoles: OrderedDict[int, Console] = OrderedDict()
        self._lock = Lock()

    def get(self, number: int | None) -> Console | None:
        """Return the console of a number, unless it has been dropped."""
        with self._lock:
            self._drop_old()
            return None if number is None else self._consoles.get(number)

    def new(self) -> Console:
        """Return a console without questions."""
        return Console(secrets.randbelow(_LARGEST_ID) + 1)

    def store(self, console: Console) -> None:
        """Store a console for an hour, or until too many others are used."""
        with self._lock:
            self._consoles[console.id] = replace(console, used=self._clock())
            self._consoles.move_to_end(console.id)
            self._drop_old()

    def _drop_old(self) -> None:
        oldest = self._clock() - _LIFETIME
        while self._consoles:
            first = next(iter(self._consoles.values()))
            if len(self._consoles) <= _MAX_CONSOLES and first.used >= oldest:
                return
            self._consoles.popitem(last=False)
