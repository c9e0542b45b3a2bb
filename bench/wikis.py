"""The wikis of the benchmarks: the demo, and the reference wiki if its store is available."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

from examples.demo_store import configure
from tests.reference import material
from tests.reference.wikis import configured
from wikiapi.config import Config


@contextmanager
def demo(state: Path) -> Iterator[Config]:
    """Yield the configuration of the demo wiki, with its store under ``state``."""
    yield _quiet(configure(state, "http://127.0.0.1:8080"))


@contextmanager
def largest(state: Path) -> Iterator[Config]:
    """Yield the configuration of the reference wiki, or of the demo if that is not available.

    Inside the block, the repository of the reference wiki's files is served.
    """
    with configured() if material.available() else demo(state) as config:
        yield _quiet(config)


def _quiet(config: Config) -> Config:
    return replace(config, http=replace(config.http, debug_info="off"))


WIKIS: Mapping[str, Callable[[Path], AbstractContextManager[Config]]] = {
    "demo": demo,
    "largest": largest,
}
