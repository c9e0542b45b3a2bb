"""A worker's life: told to run functions of modules, it asks the server what they ask it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from .chunks import ChunkCache, Literal
from .confine import CpuBudget, confine
from .limits import MEMORY
from .runtime import PageRuntime
from .wire import Channel, Disconnected

_ROOM = 8 * MEMORY
"""Address space for Lua, for messages and for Python's own work on what Lua passes."""
_RECURSION = 20_000


class Worker:
    """Runs what it is told. One page at a time, pages within pages included."""

    def __init__(self, channel: Channel) -> None:
        """Talk over this channel."""
        self._channel = channel
        self._chunks = ChunkCache()
        self._answers = AnswerCache()
        self._site: Literal | None = None
        self._used: list[str] = []
        self._digests: set[str] = set()
        self._pages: dict[int, PageRuntime] = {}
        self._spare: PageRuntime | None = self._new_runtime()
        self._depth = 0
        self._budget = CpuBudget()

    def _new_runtime(self) -> PageRuntime:
        runtime = PageRuntime(self._chunks, self._ask, self._used)
        if self._site:
            runtime.know_site(self._site)
        return runtime

    def serve(self) -> None:
        """Work until the server closes its end."""
        while True:
            self._handle(self._channel.receive())

    def _handle(self, message: dict[str, Any]) -> None:
        if "run" in message:
            self._run(message)
        elif "end" in message:
            self._end(message["end"])

    def _end(self, number: int) -> None:
        """Forget a page, and get ready for the next: nobody waits now."""
        likely: set[str] = set()
        if page := self._pages.pop(number, None):
            likely = page.digests & self._digests
            self._digests = page.digests
            page.close()
        if not self._depth and self._spare is None:
            self._spare = self._new_runtime()
            self._spare.prepare(likely)

    def _run(self, message: dict[str, Any]) -> None:
        page = self._page(message)
        page.preload(message["modules"])
        outermost = self._depth == 0
        if outermost:
            self._budget.start(message["cpu"])
        self._depth += 1
        run = page.console if message["run"] == "console" else page.invoke
        result = self._result(run, message["with"])
        self._depth -= 1
        answer: dict[str, Any] = {"done": result, "memory": page.memory}
        if outermost:
            answer["cpu"] = self._budget.stop()
        if log := page.take_log():
            answer["log"] = log
        self._send(answer)

    def _send(self, message: dict[str, Any]) -> None:
        """Send a message, and what modules were used since the last one."""
        if self._used:
            message["used"] = self._used.copy()
            self._used.clear()
        self._channel.send(message)

    @staticmethod
    def _result(run: Callable[[list[Any]], list[Any]], arguments: list[Any]) -> list[Any]:
        try:
            return run(arguments)
        except Disconnected:
            raise
        except RecursionError:
            return [False, "stack overflow"]
        except Exception as error:
            return [False, str(error)]

    def _page(self, message: dict[str, Any]) -> PageRuntime:
        number = message["page"]
        page = self._pages.get(number)
        if page is None:
            page, self._spare = self._spare or self._new_runtime(), None
            self._pages[number] = page
            if "site" in message:
                self._site = Literal(message["site"])
                page.know_site(self._site)
            page.begin(message["about"])
        return page

    def _ask(self, operation: str, arguments: list[Any]) -> Any:
        """The answer to a question: the server is asked unless it is known to last."""
        key = self._answers.key(operation, arguments)
        if key is not None and key in self._answers:
            return self._answers[key]
        try:
            data = self._told({"ask": operation, "of": arguments})
        except Disconnected:
            # Nobody is left to work for, and no module may catch that.
            os._exit(0)
        if "error" in data:
            raise RefusedByServer(data["error"])
        answer = data["answer"]
        return self._answers.keep(key, answer) if key and data.get("lasts") else answer

    def _told(self, question: dict[str, Any]) -> dict[str, Any]:
        """Put a question; until its answer comes, do what the server asks in turn."""
        self._send(question)
        while True:
            message: dict[str, Any] = self._channel.receive()
            if "answer" in message or "error" in message:
                return message
            self._handle(message)


class RefusedByServer(Exception):
    """The server's answer is an error, which Lua may catch."""


def main() -> None:
    """Serve over standard input and output until they are closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.setrecursionlimit(_RECURSION)
    worker = Worker(Channel(0, 1))
    confine(_ROOM)
    try:
        worker.serve()
    except Disconnected:
        return


MAX_BYTES = 4 * 1024 * 1024
"""Bytes of questions and answers that are kept, about."""
_LONGEST = 256
_WORTH_COMPILING = 1024


class AnswerCache:
    """The answers of one process. Used by one thread; it holds no value of any Lua state."""

    def __init__(self) -> None:
        """Start empty."""
        self._answers: dict[str, Any] = {}
        self._size = 0

    @staticmethod
    def key(operation: str, arguments: list[Any]) -> str | None:
        """What a question is known by; ``None`` for one too long to be worth it.

        The way values are written tells apart what Python calls equal, as 1 and true.
        """
        if sum(len(each) for each in arguments if isinstance(each, str)) > _LONGEST:
            return None
        return repr((operation, arguments))

    def __contains__(self, key: object) -> bool:
        """Whether there is an answer."""
        return key in self._answers

    def __getitem__(self, key: str) -> Any:
        """The answer."""
        return self._answers[key]

    def keep(self, key: str, answer: Any) -> Any:
        """Keep an answer, and return it in the form it is kept in.

        When there is no room left it starts anew: what is asked often will be asked soon.
        """
        size = len(repr(answer))
        if size > MAX_BYTES:
            return answer
        if size > _WORTH_COMPILING and isinstance(answer, dict):
            answer = Literal(answer)
        if self._size + size > MAX_BYTES:
            self._answers.clear()
            self._size = 0
        self._answers[key] = answer
        self._size += len(key) + size
        return answer
