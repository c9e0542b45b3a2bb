"""Processes that are forked, so that one that is killed leaves what a killed process leaves."""

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
"""Seconds after which a process counts as one that waits for ever."""


class Ended(NamedTuple):
    """How a process ended: its status, negative for a signal, and all it said."""

    status: int
    said: str


def forked(folder: Path, work: Callable[[], int]) -> Ended:
    """Run a function that returns an exit status, in a process and a folder of its own."""
    said = folder / "said.txt"
    child = os.fork()
    if not child:
        _live(folder, said, work)
    _, status = os.waitpid(child, 0)
    return Ended(os.waitstatus_to_exitcode(status), said.read_text(encoding="utf-8"))


def _live(folder: Path, said: Path, work: Callable[[], int]) -> None:
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
