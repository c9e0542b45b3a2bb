"""The main program of the worker, which runs modules and calls host functions in the server.

The server sends ``run`` or ``end`` messages. The worker replies to ``run`` with ``done``. Before
that, it may send any number of ``call`` messages, to each of which the server replies with
``result`` or ``error``. Before that reply, the server may send nested ``run`` messages, since a
host function may expand an ``#invoke``.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from .chunks import ChunkCache, Literal
from .confine import CpuBudget, confine
from .limits import MAX_MEMORY_BYTES
from .runtime import PageRuntime
from .wire import Channel, Disconnected

_ADDRESS_SPACE = 8 * MAX_MEMORY_BYTES
"""Address space for Lua, for messages and for the values that Python creates to process them."""
_RECURSION_LIMIT = 20_000


class Worker:
    """Handles the messages of the server, for one page and the pages rendered within it."""

    def __init__(self, channel: Channel) -> None:
        """Use a channel to the server, and create the state for the first page."""
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
            runtime.set_site_facts(self._site)
        return runtime

    def serve(self) -> None:
        """Handle messages from the server.

        Raises:
            Disconnected: the server has closed its end.
        """
        while True:
            self._handle(self._channel.receive())

    def _handle(self, message: dict[str, Any]) -> None:
        if "run" in message:
            self._run(message)
        elif "end" in message:
            self._end(message["end"])

    def _end(self, number: int) -> None:
        """Free the state of a page; prepare the next one now, since the server is not waiting."""
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
        result = self._result(run, message["arguments"])
        self._depth -= 1
        reply: dict[str, Any] = {"done": result, "memory": page.memory}
        if outermost:
            reply["cpu"] = self._budget.stop()
        if log := page.take_log():
            reply["log"] = log
        self._send(reply)

    def _send(self, message: dict[str, Any]) -> None:
        """Send a message, together with the modules used and arguments read since the last one."""
        for key, records in (("used", self._used), ("read", self._read)):
            if records:
                message[key] = records.copy()
                records.clear()
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
            if "site_facts" in message:
                self._site = Literal(message["site_facts"])
                page.set_site_facts(self._site)
            page.set_page_facts(message["page_facts"])
        return page

    def _call_host(self, function: str, arguments: list[Any]) -> Any:
        """Call a host function in the server and return its result, or return a cached result.

        Raises:
            HostError: the function failed.
        """
        key = self._results.key(function, arguments)
        if key is not None and key in self._results:
            return self._results[key]
        try:
            reply = self._exchange({"call": function, "arguments": arguments})
        except Disconnected:
            # The server has gone. An exception would become a Lua error, which modules can catch.
            os._exit(0)
        if "error" in reply:
            raise HostError(reply["error"])
        result = reply["result"]
        return self._results.add(key, result) if key and reply.get("cacheable") else result

    def _exchange(self, call: dict[str, Any]) -> dict[str, Any]:
        """Send a host call and return the reply; handle the messages received before it."""
        self._send(call)
        while True:
            message: dict[str, Any] = self._channel.receive()
            if "result" in message or "error" in message:
                return message
            self._handle(message)


class HostError(Exception):
    """A host function failed; the exception becomes a Lua error, which modules can catch."""


def main() -> None:
    """Handle messages on standard input and output until they are closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.setrecursionlimit(_RECURSION_LIMIT)
    worker = Worker(Channel(0, 1))
    confine(_ADDRESS_SPACE)
    try:
        worker.serve()
    except Disconnected:
        return


MAX_BYTES = 4 * 1024 * 1024
"""The approximate maximum size of the cached calls and results in bytes."""
_MAX_ARGUMENTS_LENGTH = 256
_MIN_COMPILED_SIZE = 1024
"""The smallest result that is compiled, instead of converted each time it is used."""


class ResultCache:
    """A cache of those results of host functions that are the same on every page.

    Each process has one, which contains no values of Lua states. Used by one thread.
    """

    def __init__(self) -> None:
        """Create an empty cache."""
        self._results: dict[str, Any] = {}
        self._size = 0

    @staticmethod
    def key(function: str, arguments: list[Any]) -> str | None:
        """Return the key of a call, or ``None`` if its arguments are too long to be cached.

        Keys are strings, because values such as ``1`` and ``True`` are equal in Python.
        """
        if sum(len(item) for item in arguments if isinstance(item, str)) > _MAX_ARGUMENTS_LENGTH:
            return None
        return repr((function, arguments))

    def __contains__(self, key: object) -> bool:
        """Return whether there is a cached result."""
        return key in self._results

    def __getitem__(self, key: str) -> Any:
        """Return a cached result."""
        return self._results[key]

    def add(self, key: str, result: Any) -> Any:
        """Add a result, and return it in the form in which it is cached.

        If the cache is full, it is cleared: frequent calls will soon be cached again.
        """
        size = len(repr(result))
        if size > MAX_BYTES:
            return result
        if size > _MIN_COMPILED_SIZE and isinstance(result, dict):
            result = Literal(result)
        if self._size + size > MAX_BYTES:
            self._results.clear()
            self._size = 0
        self._results[key] = result
        self._size += len(key) + size
        return result
