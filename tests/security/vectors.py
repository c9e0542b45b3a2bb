"""The hostile inputs of ``tests/fixtures/vectors``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parents[1] / "fixtures" / "vectors"


def named(file: str) -> dict[str, str]:
    """Return the inputs of a file by name, or by number if they have no names."""
    inputs: Any = json.loads((_FOLDER / f"{file}.json").read_text(encoding="utf-8"))
    if isinstance(inputs, dict):
        return inputs
    return {f"{file} {number}": text for number, text in enumerate(inputs)}
