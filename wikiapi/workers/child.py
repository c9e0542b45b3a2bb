"""The main loop of a worker process, which runs one job after another within its limits."""

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
    """Read jobs from standard input and write their results to standard output until it closes.

    Args:
        task: the path of the module whose function ``work`` runs a job.
        memory: bytes of address space allowed beyond what is in use before the first job.
        file_bytes: the largest size of a file that a job may write; 0 for no files.
    """
    # These signals are for the server, which lets workers finish or closes their input.
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
    """Return a channel over standard input and output, and point both at ``/dev/null`` instead."""
    pipes = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nothing, standard)
    os.close(nothing)
    return Channel(*pipes)


def _load(task: str) -> Callable[[Any], Any]:
    spec = spec_from_file_location("wikiapi_task", task)
    if spec is None or spec.loader is None:
        raise ImportError(f"{task} is not a Python module")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    work: Callable[[Any], Any] = module.work
    return work


def _answer(work: Callable[[Any], Any], message: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a job; the system kills the process if it exceeds its processor time."""
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
    """Limit the resources that no task needs: processes, core dumps, open files and memory."""
    for limit, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, _FILES),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_AS, _address_space() + memory),
    ):
        _, hard = resource.getrlimit(limit)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # Some systems do not support all of these limits.
        with suppress(ValueError, OSError):
            resource.setrlimit(limit, (most, most))


def _address_space() -> int:
    """Return the bytes of address space in use, or a generous estimate if that is unknown."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 30
