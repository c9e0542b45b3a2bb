"""``python -m bench.measured COMMAND...``: run a command, and print its time and peak memory.

This is a small process between a benchmark and the program that it measures. It prints JSON with
the wall-clock time (``seconds``) and the peak memory in MB (``memory``).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence


def main(command: Sequence[str]) -> int:
    """Run the command with its output discarded; return its exit status."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    # Linux reports kB, macOS bytes.
    unit = 1e6 if sys.platform == "darwin" else 1e3
    print(json.dumps({"seconds": seconds, "memory": usage.ru_maxrss / unit}))
    return process.returncode if process.returncode >= 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
