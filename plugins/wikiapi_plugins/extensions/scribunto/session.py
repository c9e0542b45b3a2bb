"""The Lua of one rendering: its worker, its frames and what it has used."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from time import thread_time
from typing import Any

from wikiapi.title import Title
from wikiapi.wikitext import Frame, ParseState
from wikiapi_plugins.extensions.scribunto import errors
from wikiapi_plugins.extensions.scribunto.errors import Refusal, ScriptError, well_formed
from wikiapi_plugins.extensions.scribunto.host import answer
from wikiapi_plugins.extensions.scribunto.host.lasting import lasts
from wikiapi_plugins.extensions.scribunto.pagefacts import page_facts
from wikiapi_plugins.extensions.scribunto.prefetch import ModuleMemory, Prefetch
from wikiapi_plugins.extensions.scribunto.process import LuaMissing, WorkerPool, WorkerProcess
from wikiapi_plugins.extensions.scribunto.worker.wire import Disconnected, TimedOut

OWN_SECONDS = 20.0
"""CPU time of the server that the questions of a page's modules may cost."""
_MOST_NESTED = 40
"""An ``#invoke`` may be expanded within one, and so on, so many levels deep."""
_QUESTION_BYTES = 100
"""What the answer to a question leaves behind in memory, about, beside what is counted there."""
_PATIENCE = 5
"""A worker may keep us waiting so many times as long: other processes want the CPU as well."""
_TIMED_OUT = frozenset({-signal.SIGPROF, -signal.SIGXCPU})
_OF_ITS_OWN = frozenset({-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGILL})
"""Signals that end a worker for what it does itself."""
_BRIEFLY = 60
"""Seconds for which a page is good that cost a worker: it may cost the next one as well."""


class _SpentOnAnswers(TimedOut):
    """The questions of a page's modules cost too much of the server's own time."""


class Session:
    """One rendering's Lua. Used by one thread; close it when the rendering ends."""

    def __init__(
        self,
        state: ParseState,
        pool: WorkerPool,
        cpu_seconds: float,
        site_facts: Callable[[], Mapping[str, Any]],
        memory: ModuleMemory,
    ) -> None:
        """Take a worker from the pool when the first module is run.

        Args:
            state: the rendering.
            pool: where workers are.
            cpu_seconds: the CPU time that the modules of the page may use.
            site_facts: tells what a worker must know of the site.
            memory: what the site remembers of modules.
        """
        self.state = state
        self.frames: list[Frame] = []
        self.log: list[str] = []
        self.cpu_limit = self.cpu_left = cpu_seconds
        self.bytes_used = 0
        self.warned = 0
        """Characters of the warnings that modules gave."""
        self._pool = pool
        self._site_facts = site_facts
        self.memory = memory
        self.prefetch = Prefetch(self, memory)
        self._worker: WorkerProcess | None = None
        self._page = 0
        self._opening: dict[str, Any] = {}
        self._failure: ScriptError | None = None
        self._depth = 0
        self._answering = 0.0

    @property
    def cpu_used(self) -> float:
        """Seconds of CPU time used."""
        return self.cpu_limit - self.cpu_left

    def invoke(self, module: Title, function: str, frame: Frame, parent: Frame) -> str:
        """The text that a module's function returns.

        Raises:
            ScriptError: it returns none.
        """
        name, first = module.prefixed_text, len(self.frames)
        arguments = [
            *(name, function, name, first, _listed(frame)),
            *(parent.title.prefixed_text, first + 1, _listed(parent)),
        ]
        with self.prefetch.running(module) as modules:
            return _result(self._ran("invoke", arguments, frame, parent, modules=modules))[0]

    def ask(self, module: Title, source: str, name: str, question: str) -> tuple[str, str]:
        """What code beside a module returns, and what it prints.

        Args:
            module: the title that the module goes by.
            source: the module's text, which need not be that of the page.
            name: what errors call the code.
            question: the code.

        Raises:
            ScriptError: the module or the code has an error.
        """
        arguments = [module.prefixed_text, len(self.frames), source, name, question]
        text, printed = _result(self._ran("console", arguments, self.state.root_frame()))
        return text, printed

    def _ran(
        self,
        what: str,
        arguments: list[Any],
        *frames: Frame,
        modules: Mapping[str, Any] | None = None,
    ) -> list[Any]:
        """How it ended; Lua knows the frames by number while it runs."""
        if self._failure:
            raise self._failure
        if self._depth >= _MOST_NESTED:
            raise ScriptError(errors.LUA_ERROR, ("", "C stack overflow"))
        worker = self._worker or self._started()
        first = len(self.frames)
        self.frames += frames
        message: dict[str, Any] = {"page": self._page, "cpu": self.cpu_left}
        message |= {"run": what, "with": arguments, "modules": modules or {}}
        message |= self._opening
        self._opening = {}
        self._depth += 1
        try:
            data = self._told(worker, message)
        finally:
            self._depth -= 1
            del self.frames[first:]
        self.bytes_used = max(self.bytes_used, data["memory"])
        if "log" in data:
            self.state.budget.keep(data["log"])
            self.log.append(data["log"])
        self.cpu_left = data.get("cpu", self.cpu_left)
        done: list[Any] = data["done"]
        return done

    def _told(self, worker: WorkerProcess, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a conversation comes to; one that breaks off leaves a worker nobody can use."""
        try:
            return self._converse(worker, message)
        except (Disconnected, TimedOut) as error:
            failure = self._lost(error)
            self.state.budget.check()
            raise failure from None
        except RecursionError:
            self._drop()
            self._failure = ScriptError(errors.LUA_ERROR, ("", "stack overflow"))
            raise self._failure from None
        except BaseException:
            self._drop()
            raise

    def close(self) -> None:
        """Give the worker back."""
        worker, self._worker = self._worker, None
        if worker is None:
            return
        try:
            worker.ask({"end": self._page})
        except Disconnected:
            worker.kill()
        else:
            self._pool.give_back(worker)

    def _started(self) -> WorkerProcess:
        try:
            self._worker = self._pool.take()
        except (LuaMissing, OSError) as error:
            if isinstance(error, OSError):
                self.state.output.interrupt()
            self._failure = ScriptError(errors.CANNOT_START, ("", str(error)))
            raise self._failure from None
        self._page = next(self._worker.pages)
        self._opening = {"about": page_facts(self.state)}
        if not self._worker.knows_site:
            self._opening["site"] = self._site_facts()
            self._worker.knows_site = True
        return self._worker

    def _converse(self, worker: WorkerProcess, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a message and answer what is asked, until the result comes."""
        worker.ask(message)
        while True:
            patience = min(self.cpu_left * _PATIENCE + 1, self.state.budget.left)
            data: dict[str, Any] = worker.channel.receive(patience)
            self.prefetch.note_used(data.get("used"))
            if "done" in data:
                return data
            worker.ask(self._timed_answer(str(data["ask"]), data["of"]))

    def _timed_answer(self, operation: str, arguments: list[Any]) -> Mapping[str, Any]:
        """The answer, unless all answers of the page together took too much of our own time."""
        self.state.draw(_QUESTION_BYTES)
        if self._answering > OWN_SECONDS:
            raise _SpentOnAnswers
        if self._depth > 1:
            return self._answer(operation, arguments)
        started = thread_time()
        try:
            return self._answer(operation, arguments)
        finally:
            self._answering += thread_time() - started

    def _answer(self, operation: str, arguments: list[Any]) -> Mapping[str, Any]:
        try:
            data = answer(self, operation, arguments)
        except Refusal as refusal:
            return {"error": str(refusal)}
        except RecursionError:
            return {"error": "stack overflow"}
        return {"answer": data, "lasts": True} if lasts(operation, arguments) else {"answer": data}

    def _lost(self, error: Exception) -> ScriptError:
        """The worker is gone. Whatever else the page invokes meets the same fate."""
        if self._failure:
            return self._failure
        worker = self._worker
        output = self.state.output
        if worker and isinstance(error, TimedOut):
            if not isinstance(error, _SpentOnAnswers):
                # It may have had nothing to run on: other processes want the CPU as well.
                output.interrupt()
            worker.kill()
            code = -signal.SIGPROF
        else:
            code = worker.returned() if worker else 0
        self._drop()
        if code in _TIMED_OUT:
            self.cpu_left = 0.0
            self._failure = ScriptError(errors.TIMEOUT)
        elif code < 0:
            if code not in _OF_ITS_OWN:
                output.interrupt()
            self._failure = ScriptError(errors.KILLED, ("", str(-code)))
        else:
            self._failure = ScriptError(errors.EXITED, ("", str(code)))
        output.expire_after(_BRIEFLY)
        return self._failure

    def _drop(self) -> None:
        worker, self._worker = self._worker, None
        if worker:
            worker.kill()


def _listed(frame: Frame) -> list[str | bool]:
    """Arguments as name, text, name, text...; false for a text that is yet to be expanded."""
    out: list[str | bool] = []
    for name, text in frame.known_arguments().items():
        out += (name, False if text is None else text)
    return out


def _result(done: list[Any]) -> list[str]:
    if done[0]:
        return [well_formed(str(each)) for each in done[1:]]
    problem, trace, key, detail = [*done[1:], None, None, None, None][:4]
    if key:
        raise ScriptError(key, ("", str(detail)))
    raise errors.lua_error(well_formed(str(problem)), str(trace or ""))
