from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import pluggy
import pytest
from hypothesis import settings

from tests import sites
from tests.sites import SHARED
from wikiapi.http.app import make_app
from wikiapi.plugins import make_plugin_manager
from wikiapi.site import Site
from wikiapi.testing import ApiClient, Clock, Wiki
from wikiapi.testing.shared import SharedParts

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


@pytest.fixture(scope="session", autouse=True)
def shared_plugin_managers() -> Iterator[None]:
    """Let all sites of a session that add no plugins share one manager for each choice of them.

    To load the installed plugins takes a third of the time in which a small site is made.
    """
    managers: dict[object, tuple[pluggy.PluginManager, set[Any]]] = {}

    def shared(
        *, disabled: Iterable[str] = (), order: Sequence[str] = (), extra: Iterable[object] = ()
    ) -> pluggy.PluginManager:
        if extra := list(extra):
            return make_plugin_manager(disabled=disabled, order=order, extra=extra)
        # Tests install plugins in folders of their own, or replace the list of those installed.
        installed = (tuple(sys.path), metadata.entry_points)
        key = (frozenset(disabled), tuple(order), installed)
        if key not in managers:
            manager = make_plugin_manager(disabled=disabled, order=order)
            managers[key] = manager, manager.get_plugins()
        manager, plugins = managers[key]
        if manager.get_plugins() != plugins:
            raise RuntimeError("a test has changed a shared plugin manager: it must name plugins")
        return manager

    with pytest.MonkeyPatch.context() as patch:
        for user in ("wikiapi.factory", "wikiapi.cli.support.group", "wikiapi.testing.shared"):
            patch.setattr(f"{user}.make_plugin_manager", shared)
        yield


@pytest.fixture(scope="session")
def wiki_shared_parts() -> SharedParts:
    """Return what the wikis of the kit's fixtures share, with the sites of ``tests.sites``."""
    return SHARED


@pytest.fixture
def make_site() -> Iterator[Callable[..., Site]]:
    """Yield ``tests.sites.make_site``; every site is closed at the end of the test."""
    with ExitStack() as stack:
        yield partial(_site_closed_by, stack)


@pytest.fixture(scope="module")
def make_module_site() -> Iterator[Callable[..., Site]]:
    """Yield the same for the tests of a module."""
    with ExitStack() as stack:
        yield partial(_site_closed_by, stack)


def _site_closed_by(stack: ExitStack, *args: Any, **options: Any) -> Site:
    made = sites.make_site(*args, **options)
    stack.callback(made.db.close)
    return made


@pytest.fixture(scope="module")
def site(module_wiki: Wiki) -> Site:
    """Return the site that the marker ``wiki`` of the module declares; no test changes it."""
    return module_wiki.site


@pytest.fixture
def own_site(wiki: Wiki) -> Site:
    """Return a site with the same declaration for one test, which may change it."""
    return wiki.site


@pytest.fixture(scope="module")
def client(site: Site) -> ApiClient:
    """Return a client of that site, which returns errors as answers."""
    return ApiClient(make_app(site))


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands still until a test advances it."""
    return Clock()
