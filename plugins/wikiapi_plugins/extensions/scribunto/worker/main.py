"""The worker process: it runs functions of modules, and calls host functions in the server.

The server sends ``run`` or ``end``. To ``run`` the worker replies with ``done``; before that it may
send any number of times ``call``, each of which the server answers with ``result`` or ``error``.
Before it answers, the server may in turn send ``run``: a module within a module.
"""

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
    """Handles the server's messages: one page at a time, pages within pages included."""

    def __init__(self, channel: Channel) -> None:
        """Communicate over this channel."""
        self._channel = channel
        self._chunks = ChunkCache()
        self._results = ResultCache()
        self._site: Literal | None = None
        self._used: list[str] = []
        self._read: list[tuple[int, str]] = []
        self._digests: set[str] = set()
        self._pages: dict[int, PageRuntime] = {}
        self._spare: PageRuntime | None = self._new_runtime()
        self._depth = 0
        self._budget = CpuBudget()

    def _new_runtime(self) -> PageRuntime:
        runtime = PageRuntime(self._chunks, self._call_host, self._used, self._read)
        if self._site:
            runtime.know_site(self._site)
        return runtime

    def serve(self) -> None:
        """Handle messages until the server closes its end."""
        while True:
            self._handle(self._channel.receive())

    def _handle(self, message: dict[str, Any]) -> None:
        if "run" in message:
            self._run(message)
        elif "end" in message:
            self._end(message["end"])

    def _end(self, number: int) -> None:
        """Forget a page, and prepare a state for the next one, as the server is not waiting."""
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
        reply: dict[str, Any] = {"done": result, "memory": page.memory}
        if outermost:
            reply["cpu"] = self._budget.stop()
        if log := page.take_log():
            reply["log"] = log
        self._send(reply)

    def _send(self, message: dict[str, Any]) -> None:
        """Send a message, with the modules used and the arguments read since the last one."""
        for key, notes in (("used", self._used), ("read", self._read)):
            if notes:
                message[key] = notes.copy()
                notes.clear()
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

    def _call_host(self, function: str, arguments: list[Any]) -> Any:
        """Return the result of a function in the server, from the cache if it is there.

        Raises:
            HostError: the function fails.
        """
        key = self._results.key(function, arguments)
        if key is not None and key in self._results:
            return self._results[key]
        try:
            reply = self._exchange({"call": function, "arguments": arguments})
        except Disconnected:
            # The server is gone, and no module may catch that.
            os._exit(0)
        if "error" in reply:
            raise HostError(reply["error"])
        result = reply["result"]
        return self._results.add(key, result) if key and reply.get("cacheable") else result

    def _exchange(self, call: dict[str, Any]) -> dict[str, Any]:
        """Send a call and return the reply; handle the messages that come before it."""
        self._send(call)
        while True:
            message: dict[str, Any] = self._channel.receive()
            if "result" in message or "error" in message:
                return message
            self._handle(message)


class HostError(Exception):
    """A call of a host function failed; Lua may catch the error."""


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
"""Bytes of calls and results that are cached, about."""
_LONGEST = 256
_WORTH_COMPILING = 1024


class ResultCache:
    """Results of host functions that are the same on every page.

    There is one for each process, used by one thread. It contains no values of a Lua state.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._results: dict[str, Any] = {}
        self._size = 0

    @staticmethod
    def key(function: str, arguments: list[Any]) -> str | None:
        """Return the key of a call; ``None`` for one with long arguments, which is not cached.

        Keys are texts, since values such as 1 and true, which are equal in Python, must differ.
        """
        if sum(len(each) for each in arguments if isinstance(each, str)) > _LONGEST:
            return None
        return repr((function, arguments))

    def __contains__(self, key: object) -> bool:
        """Return whether there is a result."""
        return key in self._results

    def __getitem__(self, key: str) -> Any:
        """Return a result."""
        return self._results[key]

    def add(self, key: str, result: Any) -> Any:
        """Add a result, and return it in the form in which it is cached.

        A full cache is emptied: calls that are frequent will be made again soon.
        """
        size = len(repr(result))
        if size > MAX_BYTES:
            return result
        if size > _WORTH_COMPILING and isinstance(result, dict):
            result = Literal(result)
        if self._size + size > MAX_BYTES:
            self._results.clear()
            self._size = 0
        self._results[key] = result
        self._size += len(key) + size
        return result
