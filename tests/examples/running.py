"""Runs the tests of an example as whoever copies it would: by pytest, in its own folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


NO_TESTS = 5
"""How pytest ends where there was nothing to run."""


def run_tests(folder: str, *options: str, path: str = "", code: int = 0) -> str:
    """The output of the tests of an example, which must all pass, or end with another ``code``."""
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    if path:
        python_path = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([path, python_path] if python_path else [path])
    # Other plugins that are installed here take longer to start than the tests to run.
    without = [part for name in ("cacheprovider", "schemathesis") for part in ("-p", f"no:{name}")]
    command = [sys.executable, "-m", "pytest", "-q", *without, *options]
    done = subprocess.run(
        command, cwd=EXAMPLES / folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout
