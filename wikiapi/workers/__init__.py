"""Processes for work that cannot be bounded within a thread, such as matching hostile expressions.

Python cannot interrupt a regular expression or a decoder written in C, and while an expression
matches, no other thread runs. A :class:`~wikiapi.workers.pool.WorkerPool` does this work in a
separate process, which the operating system kills when it exceeds its limits of time or memory.

The code that a process runs is its *task*: a module with a function ``work(job)``, whose argument
and result are JSON data. The process imports only that module, so the module should import little.
"""

from __future__ import annotations

from wikiapi.workers.batches import BatchFailed, Begin, batch_workers
from wikiapi.workers.pool import JobFailed, Limits, WorkerPool, WorkerUnavailable
from wikiapi.workers.process import IdleProcesses, PipedProcess

__all__ = [
    "BatchFailed",
    "Begin",
    "IdleProcesses",
    "JobFailed",
    "Limits",
    "PipedProcess",
    "WorkerPool",
    "WorkerUnavailable",
    "batch_workers",
]
