"""The CPU time of running processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.peer.cpu import cpu_of

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="the CPU time of other processes is Linux's"
)

_BUSY = """
import subprocess, sys, time
while time.process_time() < 0.2:
    pass
if sys.argv[1:]:
    subprocess.Popen([sys.executable, "-c", sys.argv[1]])
else:
    print("both have been busy", flush=True)
sys.stdin.read()
"""


def test_the_time_of_a_process_and_its_descendants_counts() -> None:
    command = [sys.executable, "-c", _BUSY, _BUSY]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert cpu_of(process.pid) > 0.4
        process.communicate()


def test_a_process_that_has_ended_counts_as_nothing() -> None:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    assert cpu_of(process.pid) == 0
