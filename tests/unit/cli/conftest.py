from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wikiapi.cli import main


@pytest.fixture
def wikiapi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the program in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(main, arguments)


@pytest.fixture
def on_store(wikiapi: Callable[..., Result]) -> Callable[..., Result]:
    """Run the program in a folder with an empty store of the default name."""
    assert wikiapi("db", "init").exit_code == 0
    return wikiapi
