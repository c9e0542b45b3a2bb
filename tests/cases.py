"""Named test cases from data files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).parent / "fixtures"


def cases(path: str) -> list[Any]:
    """The cases of a file below ``fixtures``: a JSON object of name to what the test takes."""
    loaded = json.loads((FIXTURES / path).read_text(encoding="utf-8"))
    return [pytest.param(case, id=name) for name, case in loaded.items()]


def counts(number: int) -> list[Any]:
    """The numbers of random cases of a test: a sixth, and all in the slow tests.

    The mark of Hypothesis keeps both from the tests that mutants are put to.
    """
    few = pytest.param(number // 6, marks=pytest.mark.hypothesis)
    return [few, pytest.param(number, marks=pytest.mark.slow)]


def golden(folder: Path) -> list[Any]:
    """The cases of all files of a folder: name to ``[wikitext, HTML]``, both as lists of lines."""
    return [
        pytest.param("\n".join(text), "\n".join(html), id=f"{path.stem}: {name}")
        for path in sorted(folder.glob("*.json"))
        for name, (text, html) in json.loads(path.read_text(encoding="utf-8")).items()
    ]
