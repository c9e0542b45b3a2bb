"""The recorded answers, which lie outside the repository: found, unpacked and loaded."""

from __future__ import annotations

import gzip
import importlib.util
import os
import shutil
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
RECORDED = ROOT.parent / "shared" / "reference"
UNPACKED = ROOT / ".state" / "reference"
MISSING = "the recorded answers are not there: ../shared/reference, seen from the repository"


def available() -> bool:
    """Return whether the recorded answers are available."""
    return (RECORDED / "check.py").is_file()


def unpack(name: str) -> Path:
    """Return the file ``name.gz`` unpacked into a folder that git ignores."""
    packed, target = RECORDED / f"{name}.gz", UNPACKED / name
    if not target.exists() or target.stat().st_mtime < packed.stat().st_mtime:
        target.parent.mkdir(parents=True, exist_ok=True)
        # Several runs may unpack at once; each sees a whole file.
        partial = target.with_suffix(f".{os.getpid()}")
        with gzip.open(packed) as source, partial.open("wb") as sink:
            shutil.copyfileobj(source, sink)
        partial.replace(target)
    return target


def load_check(name: str = "check") -> ModuleType:
    """Return a program that replays and compares, as a module; programs may import ``check``."""
    path = RECORDED / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"reference_{name}", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(MISSING)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(RECORDED))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(RECORDED))
    return module
