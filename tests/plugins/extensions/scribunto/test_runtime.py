"""What a page's Lua takes is given back when the page ends."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from wikiapi_plugins.extensions.scribunto.worker.main import Worker
from wikiapi_plugins.extensions.scribunto.worker.wire import Channel

if TYPE_CHECKING:
    from collections.abc import Iterator

lua51 = pytest.importorskip("lupa.lua51")


@pytest.fixture
def uncollected() -> Iterator[None]:
    """What is freed here is freed at once."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def states() -> int:
    """How many Lua states there are in this process."""
    return sum(isinstance(found, lua51.LuaRuntime) for found in gc.get_objects())


@pytest.mark.usefixtures("uncollected")
def test_ended_pages_leave_no_state_behind() -> None:
    before = states()
    worker = Worker(Channel(0, 1))
    for number in range(1, 6):
        worker._pages[number] = worker._new_runtime()
        assert states() == before + 2
        worker._handle({"end": number})
    assert states() == before + 1, "the one that waits for the next page"
