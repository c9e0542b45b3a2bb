"""How much memory the process uses: what the operating system says."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_STATM = Path("/proc/self/statm")


def memory_peak() -> int:
    """The most bytes the process has had in memory; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def memory_now() -> int:
    """The bytes the process has in memory; the peak where the system tells no more."""
    try:
        resident_pages = int(_STATM.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return memory_peak()
    return resident_pages * os.sysconf("SC_PAGE_SIZE")
