"""Forked processes, which can be killed at any point."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

KILLED = -signal.SIGKILL
_STUCK = 600
"""Seconds after which a process is considered to be deadlocked."""


class Ended(NamedTuple):
    """The exit status of a process, negative for a signal, and its output."""

    status: int
    said: str


def forked(folder: Path, work: Callable[[], int]) -> Ended:
    """Run a function that returns an exit status in a process, with this current folder."""
    said = folder / "said.txt"
    child = os.fork()
    if not child:
        _run_child(folder, said, work)
    _, status = os.waitpid(child, 0)
    return Ended(os.waitstatus_to_exitcode(status), said.read_text(encoding="utf-8"))


def _run_child(folder: Path, said: Path, work: Callable[[], int]) -> None:
    status = 70
    with suppress(BaseException), said.open("w", encoding="utf-8", buffering=1) as output:
        os.chdir(folder)
        sys.stdout = sys.stderr = output
        signal.alarm(_STUCK)
        try:
            status = work()
        except SystemExit as ending:
            status = int(ending.code or 0)
        except BaseException:
            traceback.print_exc()
            raise
    os._exit(status)
