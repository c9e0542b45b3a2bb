"""The Lua session of a rendering: runs modules in a worker, and answers its host calls."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from time import thread_time
from typing import Any

from wikiapi.languages import Message
from wikiapi.title import Title
from wikiapi.wikitext import Frame, LimitFigure, ParseState, Target
from wikiapi_plugins.extensions.scribunto import errors
from wikiapi_plugins.extensions.scribunto.errors import HostError, ScriptError, well_formed
from wikiapi_plugins.extensions.scribunto.host import Host
from wikiapi_plugins.extensions.scribunto.modules import ModuleHistory, PageModules
from wikiapi_plugins.extensions.scribunto.pagefacts import page_facts
from wikiapi_plugins.extensions.scribunto.process import LuaMissing, WorkerPool, WorkerProcess
from wikiapi_plugins.extensions.scribunto.worker.limits import MAX_MEMORY_BYTES
from wikiapi_plugins.extensions.scribunto.worker.wire import Disconnected, TimedOut

HOST_SECONDS = 20.0
"""CPU time of the server that a page's modules may use by calling host functions."""
_MAX_NESTED = 40
"""The largest number of nested ``#invoke`` calls."""
_CALL_BYTES = 100
"""Approximate memory that a host call retains in addition to what the function itself counts."""
_WALL_CLOCK_FACTOR = 5
"""Elapsed time allowed per CPU time of a worker, since other processes use the CPU as well."""
_MAX_FORESEEN_LENGTH = 10_000
"""The longest argument, in characters, that is sent although it may never be read."""
_TIMEOUT_SIGNALS = frozenset({-signal.SIGPROF, -signal.SIGXCPU})
_CRASH_SIGNALS = frozenset({-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGILL})
"""Signals caused by the worker itself, as opposed to those sent by other processes."""
_CACHE_SECONDS_AFTER_FAILURE = 60
"""How long to cache a page that made a worker crash: the next rendering would do so as well."""


class _HostTimedOut(TimedOut):
    """The host functions called by a page's modules have exceeded their CPU time."""


class Session:
    """The Lua session of a rendering. Used by one thread; must be closed when the rendering ends.

    The modules run in a worker, which is taken from the pool when the first one is invoked.
    """

    def __init__(
        self,
        state: ParseState,
        pool: WorkerPool,
        cpu_seconds: float,
        site_facts: Callable[[], Mapping[str, Any]],
        history: ModuleHistory,
    ) -> None:
        """Create a session without a worker.

        Args:
            state: the rendering.
            pool: the pool of workers.
            cpu_seconds: the CPU time that the modules of the page may use.
            site_facts: returns the facts about the wiki that a worker needs.
            history: the modules that were required on other pages.
        """
        self.state = state
        self.modules = PageModules(state, history)
        self._frames: list[Frame] = []
        self._host = Host(state, self._frames, self.modules)
        self._log: list[str] = []
        self._cpu_limit = self._cpu_left = cpu_seconds
        self._bytes_used = 0
        self._pool = pool
        self._site_facts = site_facts
        self._worker: WorkerProcess | None = None
        self._page = 0
        self._unsent_facts: dict[str, Any] = {}
        """Facts about the page and the wiki, which the next message to the worker will contain."""
        self._failure: ScriptError | None = None
        self._depth = 0
        self._host_seconds = 0.0

    def invoke(self, module: Title, function: str, frame: Frame, parent: Frame) -> str:
        """Return the text that a function of a module returns.

        Raises:
            ScriptError: the invocation failed.
        """
        name, first = module.prefixed_text, len(self._frames)
        arguments = [
            *(name, function, name, first, self._arguments(frame)),
            *(parent.title.prefixed_text, first + 1, self._arguments(parent)),
        ]
        with self.modules.running(module) as modules:
            return self._run("invoke", arguments, [frame, parent], modules)[0]

    def evaluate(self, module: Title, source: str, name: str, code: str) -> tuple[str, str]:
        """Return the value of code with access to a module, and its output.

        Args:
            module: the title of the module.
            source: the source of the module, which may differ from that of the page.
            name: the name of the code in error messages.
            code: the code.

        Raises:
            ScriptError: the module or the code has an error.
        """
        arguments = [module.prefixed_text, len(self._frames), source, name, code]
        text, printed = self._run("console", arguments, [self.state.expander.root_frame()], {})
        return text, printed

    def close(self) -> None:
        """Return the worker to the pool, and add the resources used to the limit report."""
        worker, self._worker = self._worker, None
        if worker:
            try:
                worker.send({"end": self._page})
            except Disconnected:
                worker.kill()
            else:
                self._pool.give_back(worker)
        state = self.state

        def figure(name: str, value: tuple[str | int, ...], unit: str = "") -> None:
            key = f"scribunto-limitreport-{name}"
            state.output.plugin_limits[key] = LimitFigure(
                state.site.messages.catalog.text(Message(key), "en"), value, unit
            )

        used = self._cpu_limit - self._cpu_left
        figure("timeusage", (f"{used:.3f}", f"{self._cpu_limit:.3f}"), " seconds")
        figure("memusage", (self._bytes_used, MAX_MEMORY_BYTES), " bytes")
        if self._log:
            figure("logs", ("\n".join(self._log),))

    def _run(
        self, function: str, arguments: list[Any], frames: list[Frame], modules: Mapping[str, Any]
    ) -> list[str]:
        """Run a function of the worker, and return the texts that it returns.

        While it runs, Lua refers to the frames by their index.

        Raises:
            ScriptError: the function failed.
        """
        if self._failure:
            raise self._failure
        if self._depth >= _MAX_NESTED:
            raise ScriptError(errors.LUA_ERROR, ("", "C stack overflow"))
        worker = self._worker or self._start_worker()
        first = len(self._frames)
        self._frames += frames
        message: dict[str, Any] = {"page": self._page, "cpu": self._cpu_left}
        message |= {"run": function, "arguments": arguments, "modules": modules}
        message |= self._unsent_facts
        self._unsent_facts = {}
        self._depth += 1
        try:
            done = self._exchange(worker, message)
        except (Disconnected, TimedOut) as error:
            failure = self._handle_lost_worker(error)
            self.state.budget.check()
            raise failure from None
        except RecursionError:
            self._kill_worker()
            self._failure = ScriptError(errors.LUA_ERROR, ("", "stack overflow"))
            raise self._failure from None
        except BaseException:
            # The worker is still waiting for a result, so it cannot be used again.
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
        return _results(done["done"])

    def _start_worker(self) -> WorkerProcess:
        try:
            self._worker = self._pool.take()
        except (LuaMissing, OSError) as error:
            if isinstance(error, OSError):
                self.state.output.interrupt()
            self._failure = ScriptError(errors.CANNOT_START, ("", str(error)))
            raise self._failure from None
        self._page = next(self._worker.page_numbers)
        self._unsent_facts = {"page_facts": page_facts(self.state)}
        if not self._worker.has_site_facts:
            self._unsent_facts["site_facts"] = self._site_facts()
            self._worker.has_site_facts = True
        return self._worker

    def _exchange(self, worker: WorkerProcess, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a message, answer the host calls of the worker, and return its final reply."""
        worker.send(message)
        while True:
            timeout = min(self._cpu_left * _WALL_CLOCK_FACTOR + 1, self.state.budget.left)
            reply: dict[str, Any] = worker.channel.receive(timeout)
            self.modules.record_used(reply.get("used"))
            read = reply.get("read")
            for number, name in read if isinstance(read, list) else ():
                is_known = isinstance(number, int) and 0 <= number < len(self._frames)
                if is_known and isinstance(name, str):
                    self._frames[number].argument(name)
            if "done" in reply:
                return reply
            worker.send(self._timed_call(str(reply["call"]), reply["arguments"]))

    def _arguments(self, frame: Frame) -> list[str | bool | list[str]]:
        """Return the arguments of a frame as a flat list: name, text, name, text...

        In place of a text that has not been expanded there is ``False``, or, if the text can be
        foreseen, a list that contains it. A foreseen argument is expanded, and counted against the
        limits, only when the worker reports that it was read.
        """
        can_foresee = self._can_foresee()
        out: list[str | bool | list[str]] = []
        for name, text in frame.known_arguments().items():
            foreseen = frame.foreseen_argument(name) if text is None and can_foresee else None
            if foreseen is not None and len(foreseen) <= _MAX_FORESEEN_LENGTH:
                out += (name, [foreseen])
            else:
                out += (name, False if text is None else text)
        return out

    def _can_foresee(self) -> bool:
        """Return whether to send arguments that can be foreseen.

        They are not sent if expanding one may have an effect other than on the counters: sources
        are recorded, the text is prepared for saving, or a limit may be exceeded.
        """
        state, usage = self.state, self.state.usage
        limits = usage.ceilings
        return (
            state.sources is None
            and state.options.target is not Target.SAVED
            and usage.nodes < limits.preprocessor_nodes // 2
            and usage.argument_size < limits.article_size // 2
            and usage.depth < limits.expansion_depth // 2
        )

    def _timed_call(self, function: str, arguments: list[Any]) -> Mapping[str, Any]:
        """Return the reply to a host call.

        Raises:
            _HostTimedOut: the host calls of the page have exceeded their CPU time.
        """
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
        except HostError as error:
            return {"error": str(error)}
        except RecursionError:
            return {"error": "stack overflow"}
        if result.cacheable:
            return {"result": result.value, "cacheable": True}
        return {"result": result.value}

    def _handle_lost_worker(self, error: Exception) -> ScriptError:
        """Return the error for a worker that ended or timed out.

        All further invocations on the page raise the same error.
        """
        if self._failure:
            return self._failure
        worker = self._worker
        output = self.state.output
        if worker and isinstance(error, TimedOut):
            if not isinstance(error, _HostTimedOut):
                # The worker may have had no CPU time: other processes use the CPU as well.
                output.interrupt()
            worker.kill()
            code = -signal.SIGPROF
        else:
            code = worker.exit_status() if worker else 0
        self._kill_worker()
        if code in _TIMEOUT_SIGNALS:
            self._cpu_left = 0.0
            self._failure = ScriptError(errors.TIMEOUT)
        elif code < 0:
            if code not in _CRASH_SIGNALS:
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


def _results(done: list[Any]) -> list[str]:
    """Return the results of a function of the worker as texts.

    Raises:
        ScriptError: the function failed.
    """
    if done[0]:
        return [well_formed(str(item)) for item in done[1:]]
    problem, trace, key, detail = [*done[1:], None, None, None, None][:4]
    if key:
        raise ScriptError(key, ("", str(detail)))
    raise errors.lua_error(well_formed(str(problem)), str(trace or ""))
