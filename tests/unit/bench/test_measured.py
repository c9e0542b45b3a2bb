from __future__ import annotations

import json
import subprocess
import sys

# A program that needs much memory, and then runs another.
LARGE = """
import subprocess, sys
block = b"x" * 200_000_000
subprocess.run([sys.executable, "-m", "bench.measured", *sys.argv[1:]], check=True)
"""


def measure(*command: str) -> dict[str, float]:
    run = [sys.executable, "-c", LARGE, *command]
    printed = subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout
    return json.loads(printed)


def test_memory_is_that_of_the_command_alone() -> None:
    small = measure(sys.executable, "-c", "pass")["memory"]
    large = measure(sys.executable, "-c", "b'x' * 50_000_000")["memory"]
    assert 1 < small < 50 < large < 150


def test_exit_status_is_passed_on() -> None:
    command = [sys.executable, "-m", "bench.measured", sys.executable, "-c", "raise SystemExit(3)"]
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 3
