"""Processes for work that needs a boundary, and for work that uses all cores.

Python cannot interrupt a regular expression or a decoder written in C, and while an expression
matches, no other thread runs. A :class:`~wikiapi.workers.pool.WorkerPool` does such work in a
separate process, which the operating system kills when it exceeds its limits of time or memory.

The code that a process runs is its *task*: a module with a function ``work(job)``, whose argument
and result are JSON data. The process imports only that module, so the module should import little.

Work on many pages is divided into batches. A :class:`~wikiapi.workers.executor.BatchRunner` gives
them to the processes of a :class:`~wikiapi.workers.executor.ProcessExecutor`, to the machines of a
:class:`~wikiapi.workers.cluster.ClusterExecutor`, or to any other executor of
:mod:`concurrent.futures`. :class:`~wikiapi.workers.batchworkers.BatchWorkers` are either, as an
option of a command tells.
"""

from __future__ import annotations

from wikiapi.workers.batchworkers import BatchWorkers
from wikiapi.workers.cluster import ClusterExecutor
from wikiapi.workers.executor import BatchFailed, BatchRunner, ProcessExecutor, working_on
from wikiapi.workers.pool import JobFailed, Limits, WorkerPool, WorkerUnavailable
from wikiapi.workers.process import IdleProcesses, PipedProcess

__all__ = [
    "BatchFailed",
    "BatchRunner",
    "BatchWorkers",
    "ClusterExecutor",
    "IdleProcesses",
    "JobFailed",
    "Limits",
    "PipedProcess",
    "ProcessExecutor",
    "WorkerPool",
    "WorkerUnavailable",
    "working_on",
]
