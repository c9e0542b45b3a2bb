"""Python environments for clients: each has its own, apart from wikiapi's.

They are made in ``.state/clients`` when they are first needed. Where a client cannot be installed
its tests are skipped, with the reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_FOLDER = ROOT / ".state" / "clients"
_PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "0")
_PATIENCE = 300
_LAST = 300
"""Characters of pip's output that a skipped test shows."""


def python_with(package: str) -> str:
    """Return a Python in which a package is installed; skip the test if there can be none."""
    folder = _FOLDER / package
    python, complete = folder / "bin" / "python", folder / "complete"
    if not complete.exists():
        made = subprocess.run(
            [sys.executable, "-m", "venv", "--clear", folder], capture_output=True, text=True
        )
        if made.returncode:
            pytest.skip(f"no environment for {package}: {made.stderr[-_LAST:]}")
        try:
            installed = subprocess.run(
                [python, *_PIP, package], capture_output=True, text=True, timeout=_PATIENCE
            )
        except subprocess.TimeoutExpired:
            pytest.skip(f"{package} is not installed in time")
        if installed.returncode:
            pytest.skip(f"{package} cannot be installed: {installed.stderr[-_LAST:]}")
        complete.touch()
    return str(python)


def node_with(name: str, *packages: str) -> Path:
    """Return a folder with packages of npm, or the one of its name; skip the test if it cannot be.

    The folder is kept for later runs.
    """
    npm, folder = shutil.which("npm"), _FOLDER / f"npm-{name}"
    if npm is None or shutil.which("node") is None:
        pytest.skip("Node.js and npm are not installed")
    complete = folder / "complete"
    if not complete.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", "."]
        command += packages or [name]
        try:
            installed = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE
            )
        except subprocess.TimeoutExpired:
            pytest.skip(f"{name} is not installed in time")
        if installed.returncode:
            pytest.skip(f"{name} cannot be installed: {installed.stderr[-_LAST:]}")
        complete.touch()
    return folder


def run(command: Sequence[str], folder: Path, **environment: str) -> str:
    """Run a client in a folder; returns its output. It may connect to this machine alone."""
    nowhere = "http://127.0.0.1:9"
    closed = {"https_proxy": nowhere, "http_proxy": nowhere, "no_proxy": "127.0.0.1"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | closed | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
