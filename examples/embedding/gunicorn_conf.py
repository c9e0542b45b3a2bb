"""Settings for gunicorn with several processes and threads."""

from __future__ import annotations

import os
from typing import Any

wsgi_app = "examples.embedding.several:application"
bind = "127.0.0.1:8000"
workers = 2
worker_class = "gthread"
threads = 4
# Each process must open the stores itself: connections must not be shared with forked processes.
preload_app = False
# The setting database.query_deadline ends slow requests long before this.
timeout = 60
max_requests = 10_000
max_requests_jitter = 1_000


def child_exit(_server: Any, worker: Any) -> None:
    """Remove a process that has ended from the requests in progress that /metrics shows."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
