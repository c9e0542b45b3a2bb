"""Processor time: two programs that cannot take turns are compared by it, whatever else runs."""

from __future__ import annotations

import os


def children_cpu() -> float:
    """Seconds that the finished child processes of this one have used, on all cores."""
    times = os.times()
    return times.children_user + times.children_system
