"""A task for the tests: does what its job says."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from typing import Any


def work(job: dict[str, Any]) -> Any:
    for name, value in job.items():
        if name == "echo":
            return value
        _do(name, value)
    return os.getpid()


def _do(name: str, value: Any) -> None:
    if name == "match":
        re.match(r"(?:a|a)*b", "a" * value)
    elif name == "sleep":
        time.sleep(value)
    elif name == "fill":
        bytearray(value)
    elif name == "fail":
        raise ValueError(value)
    elif name == "signal":
        os.kill(os.getpid(), signal.Signals[value])
    elif name == "exit":
        os._exit(value)
    elif name == "print":
        print(value, flush=True)
        sys.stdin.read()
    elif name == "write":
        with open(value, "wb") as file:  # noqa: PTH123
            file.write(b"x" * 1000)
