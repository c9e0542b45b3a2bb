"""What fuzzing has found, kept by target: each input under a name, as JSON has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "fixtures" / "fuzz"


def findings_of(target: str) -> dict[str, Any]:
    """Return the inputs by name."""
    file = FOLDER / f"{target}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
