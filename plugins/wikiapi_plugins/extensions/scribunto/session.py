"""The Lua of one rendering: it runs modules in a worker, and answers the worker's calls."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from time import thread_time
from typing import Any

from wikiapi.title import Title
from wikiapi.wikitext import Frame, ParseState, Target
from wikiapi.wikitext.output import LimitFigure
from wikiapi_plugins.extensions.scribunto import errors
from wikiapi_plugins.extensions.scribunto.errors import Refusal, ScriptError, well_formed
from wikiapi_plugins.extensions.scribunto.host import Host
from wikiapi_plugins.extensions.scribunto.modules import ModuleMemory, PageModules
from wikiapi_plugins.extensions.scribunto.pagefacts import page_facts
from wikiapi_plugins.extensions.scribunto.process import LuaMissing, WorkerPool, WorkerProcess
from wikiapi_plugins.extensions.scribunto.worker.limits import MAX_MEMORY_BYTES
from wikiapi_plugins.extensions.scribunto.worker.wire import Disconnected, TimedOut

HOST_SECONDS = 20.0
"""CPU time of the server that the host functions called by a page's modules may use."""
_MAX_NESTED = 40
"""Levels of ``#invoke`` that are expanded within each other."""
_CALL_BYTES = 100
"""Memory that a call of a host function leaves in use, about, beside what is counted there."""
_PATIENCE = 5
"""The factor by which a worker may exceed its CPU time: other processes use the CPU as well."""
_LONGEST_FORESEEN = 10_000
"""Characters of an argument that is sent although it may not be read."""
_TIMED_OUT = frozenset({-signal.SIGPROF, -signal.SIGXCPU})
_CRASHES = frozenset({-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGILL})
"""Signals that a worker brings about itself, in contrast to those that others send it."""
_CACHE_SECONDS_AFTER_FAILURE = 60
"""How long a page may be cached that ended a worker: rendering it again may end the next one."""


class _HostTimedOut(TimedOut):
    """The host functions that a page's modules called have used up the time of the server."""


class Session:
    """The Lua of one rendering. Used by one thread; close it when the rendering ends.

    A worker runs the modules. It is taken from the pool for the first one.
    """

    def __init__(
        self,
        state: ParseState,
        pool: WorkerPool,
        cpu_seconds: float,
        site_facts: Callable[[], Mapping[str, Any]],
        memory: ModuleMemory,
    ) -> None:
        """Prepare a rendering.

        Args:
            state: the rendering.
            pool: provides workers.
            cpu_seconds: the CPU time that the modules of the page may use.
            site_facts: returns what a worker must know of the site.
            memory: which modules other pages required.
        """
        self.state = state
        self.modules = PageModules(state, memory)
        self._frames: list[Frame] = []
        self._host = Host(state, self._frames, self.modules)
        self._log: list[str] = []
        self._cpu_limit = self._cpu_left = cpu_seconds
        self._bytes_used = 0
        self._pool = pool
        self._site_facts = site_facts
        self._worker: WorkerProcess | None = None
        self._page = 0
        self._opening: dict[str, Any] = {}
        """What the next message to the worker has in addition: facts of the page and the site."""
        self._failure: ScriptError | None = None
        self._depth = 0
        self._host_seconds = 0.0

    def invoke(self, module: Title, function: str, frame: Frame, parent: Frame) -> str:
        """Return the text that a function of a module returns.

        Raises:
            ScriptError: it fails.
        """
        name, first = module.prefixed_text, len(self._frames)
        arguments = [
            *(name, function, name, first, self._arguments(frame)),
            *(parent.title.prefixed_text, first + 1, self._arguments(parent)),
        ]
        with self.modules.running(module) as modules:
            return self._run("invoke", arguments, [frame, parent], modules)[0]

    def evaluate(self, module: Title, source: str, name: str, code: str) -> tuple[str, str]:
        """Return what code beside a module returns, and what it prints.

        Args:
            module: the title of the module.
            source: the module's text, which need not be that of the page.
            name: the name of the code in errors.
            code: the code.

        Raises:
            ScriptError: the module or the code has an error.
        """
        arguments = [module.prefixed_text, len(self._frames), source, name, code]
        text, printed = self._run("console", arguments, [self.state.expander.root_frame()], {})
        return text, printed

    def close(self) -> None:
        """Return the worker to the pool, and add the used resources to the limit report."""
        worker, self._worker = self._worker, None
        if worker:
            try:
                worker.send({"end": self._page})
            except Disconnected:
                worker.kill()
            else:
                self._pool.give_back(worker)
        self._report_limits()

    def _run(
        self, what: str, arguments: list[Any], frames: list[Frame], modules: Mapping[str, Any]
    ) -> list[str]:
        """Return the texts that a run in the worker results in.

        Lua refers to the frames by their index while it runs.
        """
        if self._failure:
            raise self._failure
        if self._depth >= _MAX_NESTED:
            raise ScriptError(errors.LUA_ERROR, ("", "C stack overflow"))
        worker = self._worker or self._start_worker()
        first = len(self._frames)
        self._frames += frames
        message: dict[str, Any] = {"page": self._page, "cpu": self._cpu_left}
        message |= {"run": what, "arguments": arguments, "modules": modules}
        message |= self._opening
        self._opening = {}
        self._depth += 1
        try:
            done = self._exchange(worker, message)
        except (Disconnected, TimedOut) as error:
            failure = self._worker_lost(error)
            self.state.budget.check()
            raise failure from None
        except RecursionError:
            self._kill_worker()
            self._failure = ScriptError(errors.LUA_ERROR, ("", "stack overflow"))
            raise self._failure from None
        except BaseException:
            # The worker still waits for a result: it cannot be used again.
            self._kill_worker()
            raise
        finally:
            self._depth -= 1
            del self._frames[first:]
        self._bytes_used = max(self._bytes_used, done["memory"])
        if "log" in done:
            self.state.budget.keep(done["log"])
            self._log.append(done["log"])
        self._cpu_left = done.get("cpu", self._cpu_left)
        return _texts(done["done"])

    def _start_worker(self) -> WorkerProcess:
        try:
            self._worker = self._pool.take()
        except (LuaMissing, OSError) as error:
            if isinstance(error, OSError):
                self.state.output.interrupt()
            self._failure = ScriptError(errors.CANNOT_START, ("", str(error)))
            raise self._failure from None
        self._page = next(self._worker.pages)
        self._opening = {"page_facts": page_facts(self.state)}
        if not self._worker.knows_site:
            self._opening["site_facts"] = self._site_facts()
            self._worker.knows_site = True
        return self._worker

    def _exchange(self, worker: WorkerProcess, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a message, answer the worker's calls of host functions, and return its result."""
        worker.send(message)
        while True:
            patience = min(self._cpu_left * _PATIENCE + 1, self.state.budget.left)
            reply: dict[str, Any] = worker.channel.receive(patience)
            self.modules.note_used(reply.get("used"))
            self._note_read(reply.get("read"))
            if "done" in reply:
                return reply
            worker.send(self._timed_call(str(reply["call"]), reply["arguments"]))

    def _arguments(self, frame: Frame) -> list[str | bool | list[str]]:
        """Return arguments as name, text, name, text...

        For a text that is not expanded yet there is false, or a list of the text that it will have.
        Such a text is expanded, and counted, only if the worker says that it was read.
        """
        foresees = self._foresees()
        out: list[str | bool | list[str]] = []
        for name, text in frame.known_arguments().items():
            foreseen = frame.foreseen_argument(name) if text is None and foresees else None
            if foreseen is not None and len(foreseen) <= _LONGEST_FORESEEN:
                out += (name, [foreseen])
            else:
                out += (name, False if text is None else text)
        return out

    def _foresees(self) -> bool:
        """Return whether an expansion gives nothing but its text: no marks, no exceeded limit."""
        state, usage = self.state, self.state.usage
        limits = usage.ceilings
        return (
            state.sources is None
            and state.options.target is not Target.SAVED
            and usage.nodes < limits.preprocessor_nodes // 2
            and usage.argument_size < limits.article_size // 2
            and usage.depth < limits.expansion_depth // 2
        )

    def _note_read(self, read: object) -> None:
        """Expand the arguments that the worker has read, whose texts were foreseen."""
        for number, name in read if isinstance(read, list) else ():
            is_known = isinstance(number, int) and 0 <= number < len(self._frames)
            if is_known and isinstance(name, str):
                self._frames[number].argument(name)

    def _timed_call(self, function: str, arguments: list[Any]) -> Mapping[str, Any]:
        """Return the message that answers a call, unless all calls together took too long."""
        self.state.charge(_CALL_BYTES)
        if self._host_seconds > HOST_SECONDS:
            raise _HostTimedOut
        if self._depth > 1:
            return self._call(function, arguments)
        started = thread_time()
        try:
            return self._call(function, arguments)
        finally:
            self._host_seconds += thread_time() - started

    def _call(self, function: str, arguments: list[Any]) -> Mapping[str, Any]:
        try:
            result = self._host.call(function, arguments)
        except Refusal as refusal:
            return {"error": str(refusal)}
        except RecursionError:
            return {"error": "stack overflow"}
        if result.cacheable:
            return {"result": result.value, "cacheable": True}
        return {"result": result.value}

    def _worker_lost(self, error: Exception) -> ScriptError:
        """Return the error for a lost worker, which all further invocations of the page get."""
        if self._failure:
            return self._failure
        worker = self._worker
        output = self.state.output
        if worker and isinstance(error, TimedOut):
            if not isinstance(error, _HostTimedOut):
                # It may have had nothing to run on: other processes use the CPU as well.
                output.interrupt()
            worker.kill()
            code = -signal.SIGPROF
        else:
            code = worker.returned() if worker else 0
        self._kill_worker()
        if code in _TIMED_OUT:
            self._cpu_left = 0.0
            self._failure = ScriptError(errors.TIMEOUT)
        elif code < 0:
            if code not in _CRASHES:
                output.interrupt()
            self._failure = ScriptError(errors.KILLED, ("", str(-code)))
        else:
            self._failure = ScriptError(errors.EXITED, ("", str(code)))
        output.expire_after(_CACHE_SECONDS_AFTER_FAILURE)
        return self._failure

    def _kill_worker(self) -> None:
        worker, self._worker = self._worker, None
        if worker:
            worker.kill()

    def _report_limits(self) -> None:
        """Put time, memory and log into the limit report."""
        state = self.state

        def figure(name: str, value: tuple[str | int, ...], unit: str = "") -> None:
            key = f"scribunto-limitreport-{name}"
            state.output.plugin_limits[key] = LimitFigure(state.messages.text(key), value, unit)

        used = self._cpu_limit - self._cpu_left
        figure("timeusage", (f"{used:.3f}", f"{self._cpu_limit:.3f}"), " seconds")
        figure("memusage", (self._bytes_used, MAX_MEMORY_BYTES), " bytes")
        if self._log:
            figure("logs", ("\n".join(self._log),))


def _texts(done: list[Any]) -> list[str]:
    """Return the texts of a run.

    Raises:
        ScriptError: it has failed.
    """
    if done[0]:
        return [well_formed(str(each)) for each in done[1:]]
    problem, trace, key, detail = [*done[1:], None, None, None, None][:4]
    if key:
        raise ScriptError(key, ("", str(detail)))
    raise errors.lua_error(well_formed(str(problem)), str(trace or ""))
