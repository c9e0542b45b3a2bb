"""What a worker process does: jobs, one after the other, within its limits."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from wikiapi.workers.wire import Channel, Disconnected

_FILES = 64
_LEAST_SECONDS = 0.001


def main(task: str, memory: int, file_bytes: int) -> None:
    """Do jobs over standard input and output until they are closed.

    Args:
        task: path of the module whose ``work`` does them.
        memory: bytes of address space beyond what is in use before the first job.
        file_bytes: how long a file may be that is written; 0 for no files at all.
    """
    # They are meant for the server, which lets its workers finish, or closes their input.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    channel = _take_pipes()
    work = _load(task)
    _confine(memory, file_bytes)
    with suppress(Disconnected):
        channel.send({"ready": True})
        while True:
            channel.send(_answer(work, channel.receive()))


def _take_pipes() -> Channel:
    """Use standard input and output as pipes; nothing can print to them from now on."""
    pipes = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nothing, standard)
    os.close(nothing)
    return Channel(*pipes)


def _load(task: str) -> Callable[[Any], Any]:
    spec = spec_from_file_location("wikiapi_task", task)
    if spec is None or spec.loader is None:
        raise ImportError(f"no module is in {task}")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    work: Callable[[Any], Any] = module.work
    return work


def _answer(work: Callable[[Any], Any], message: dict[str, Any]) -> dict[str, Any]:
    """Do a job; the system ends the process when it takes more processor time than it may."""
    started = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, max(message["seconds"], _LEAST_SECONDS))
    try:
        answer = {"result": work(message["job"])}
    except MemoryError:
        answer = {"failed": "more memory than it may use", "out_of_memory": True}
    except Exception as error:
        answer = {"failed": f"{type(error).__name__}: {error}"}
    signal.setitimer(signal.ITIMER_PROF, 0)
    answer["seconds"] = time.process_time() - started
    return answer


def _confine(memory: int, file_bytes: int) -> None:
    """Give up what no task needs: processes, core dumps, many files, more memory."""
    for limit, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, _FILES),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_AS, _address_space() + memory),
    ):
        _, hard = resource.getrlimit(limit)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # Not every system has every limit.
        with suppress(ValueError, OSError):
            resource.setrlimit(limit, (most, most))


def _address_space() -> int:
    """Return the bytes of used address space; a generous estimate if it is unknown."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 30
