"""A disk that fills up while importing: a clear error, nothing lost, and the import goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.storediff import differences
from tests.unit.importing.test_resume import make_dump

pytestmark = pytest.mark.slow

# Python leaves SIGXFSZ alone, so that a write beyond the limit fails as on a full disk.
LIMITED = (
    "import resource, sys; limit = int(sys.argv.pop(1));"
    "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit));"
    "from wikiapi.cli import main; main()"
)


def run(folder: Path, store: str, limit: int = -1) -> subprocess.CompletedProcess[str]:
    command = ["import", "--jobs", "1", "--database", f"sqlite:///{store}", "dump.xml"]
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(limit), *command],
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_import_goes_on_when_there_is_room_again(tmp_path: Path, share: float) -> None:
    (tmp_path / "dump.xml").write_bytes(make_dump())
    assert run(tmp_path, "whole.sqlite").returncode == 0
    size = (tmp_path / "whole.sqlite").stat().st_size
    failed = run(tmp_path, "small.sqlite", int(size * share))
    assert failed.returncode == 1
    error, hint = failed.stderr.splitlines()[-2:]
    assert error.startswith("Error: the disk is full or cannot be written")
    assert hint.startswith("Hint: Free some space")
    assert run(tmp_path, "small.sqlite").returncode == 0
    assert list(differences(tmp_path / "whole.sqlite", tmp_path / "small.sqlite")) == []
