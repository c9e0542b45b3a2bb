"""A search for the worst single request: the slowest, the largest, the one that stops others.

A server of a writable wiki with hostile templates gets one generated request at a time: reads that
follow the declarations of all modules, texts that repeat and nest everything that wikitext has, and
writes. The worst are kept, changed at random, and sent again. Meanwhile two light clients ask every
100 ms, and how long they wait is measured as well. At the end the worst are sent to a server of
their own, and shortened as long as they cost as much.

No request may be answered by a server error or an internal one, nor end the server or leave a
traceback in its log; exceeding a limit of the configuration is not a failure.

The environment variable ``MINUTES`` is the duration (three by default), ``SEED`` determines the
requests, and ``KIND`` (``read`` or ``write``) searches for one of them only. The inputs are written
to ``bench/results/worst``; ``python -m bench.worst --replay FILE`` sends one again.
"""

from __future__ import annotations

from bench.worst.search import run

__all__ = ["run"]
