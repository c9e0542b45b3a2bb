"""Patients: set-ups in a folder of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from wikiapi.cli.doctor.patient import Patient
from wikiapi.config import Config, parse_config


@pytest.fixture
def patient_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Patient]]:
    """Yield a patient with this text in its wikiapi.toml."""
    monkeypatch.chdir(tmp_path)
    made: list[Patient] = []

    def make(text: str | bytes) -> Patient:
        path = tmp_path / "wikiapi.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        made.append(Patient(path))
        return made[-1]

    yield make
    for patient in made:
        with closing(patient):
            pass


@pytest.fixture
def config_of() -> Callable[..., Config]:
    """Return a configuration with these tables."""

    def make(**tables: Any) -> Config:
        return parse_config(tables)

    return make
