"""Installations: set-ups in a folder of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from wikiapi.cli.doctor.installation import Installation
from wikiapi.config import Config, parse_config


@pytest.fixture
def installation_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Installation]]:
    """Yield an installation with this text in its wikiapi.toml."""
    monkeypatch.chdir(tmp_path)
    made: list[Installation] = []

    def make(text: str | bytes) -> Installation:
        path = tmp_path / "wikiapi.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        made.append(Installation(path))
        return made[-1]

    yield make
    for installation in made:
        with closing(installation):
            pass


@pytest.fixture
def config_of() -> Callable[..., Config]:
    """Return a configuration with these tables."""

    def make(**tables: Any) -> Config:
        return parse_config(tables)

    return make
