"""Inputs that together reach all that is known to be reached, a file each; smallest first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"


def inputs_of(target: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each."""
    for file in sorted((FOLDER / target).glob("*")):
        yield file.name, file.read_bytes()
