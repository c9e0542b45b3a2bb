from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import wikiapi.testing
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient, Clock, Wiki

settings.register_profile("wikiapi", deadline=None, derandomize=True, database=None)
settings.load_profile("wikiapi")

SLOW_FOLDERS = ("browser", "faults", "fuzz", "security")
"""Folders whose tests all take long; elsewhere a module or parameter is marked by itself."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of slow folders, which ``make test`` leaves out and ``make test-all`` runs."""
    folders = tuple(Path(__file__).parent / name for name in SLOW_FOLDERS)
    for item in items:
        if any(item.path.is_relative_to(folder) for folder in folders):
            item.add_marker(pytest.mark.slow)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name packed data by their argument: they hold the time, and all processes need one name."""
    return argname if isinstance(val, bytes) and not val.isascii() else None


@pytest.fixture(autouse=True)
def no_lines_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print none, however long a busy machine takes: many tests compare whole outputs."""
    monkeypatch.setattr("wikiapi.cli.support.progress.LINE_SECONDS", 3600.0)


@pytest.fixture
def make_site() -> Iterator[Callable[..., Site]]:
    """Yield ``wikiapi.testing.make_site``; every site is closed at the end of the test."""
    with ExitStack() as stack:
        yield partial(_site_closed_by, stack)


@pytest.fixture(scope="module")
def make_module_site() -> Iterator[Callable[..., Site]]:
    """Yield the same for the tests of a module."""
    with ExitStack() as stack:
        yield partial(_site_closed_by, stack)


def _site_closed_by(stack: ExitStack, *args: Any, **options: Any) -> Site:
    made = wikiapi.testing.make_site(*args, **options)
    stack.callback(made.db.close)
    return made


@pytest.fixture(scope="module")
def site(module_wiki: Wiki) -> Site:
    """Return the site that the marker ``wiki`` of the module declares; no test changes it."""
    return module_wiki.site


@pytest.fixture(scope="module")
def client(site: Site) -> ApiClient:
    """Return a client of that site, which returns errors as answers."""
    return ApiClient(make_app(site))


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands still until a test advances it."""
    return Clock()
