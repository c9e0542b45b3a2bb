"""Lua does not collect garbage before a page uses a certain amount of memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi_plugins.extensions.scribunto.worker.limits import MAX_MEMORY_BYTES
from wikiapi_plugins.extensions.scribunto.worker.runtime import (
    COLLECTION_THRESHOLD,
    delay_garbage_collection,
)

lua51 = pytest.importorskip("lupa.lua51")

CREATE_GARBAGE = b"local long = ('x'):rep(1e5) for i = 1, %d do local garbage = long .. i end"


@pytest.fixture
def lua() -> Any:
    runtime = lua51.LuaRuntime(encoding=None, max_memory=MAX_MEMORY_BYTES)
    delay_garbage_collection(runtime.globals())
    return runtime


def test_little_garbage_is_not_collected(lua: Any) -> None:
    lua.execute(CREATE_GARBAGE % 30)
    assert 3_000_000 < lua.get_memory_used() < COLLECTION_THRESHOLD


def test_much_garbage_is_collected_and_the_default_pause_is_restored(lua: Any) -> None:
    lua.execute(CREATE_GARBAGE % 2000)
    assert lua.get_memory_used() < 2 * COLLECTION_THRESHOLD
    assert lua.globals()[b"collectgarbage"](b"setpause", 200) == 200


@pytest.mark.parametrize("kept", [0, 15])
def test_modules_may_create_more_garbage_than_the_memory_limit(
    run: Callable[..., str], kept: int
) -> None:
    body = (
        f"local long, kept = ('x'):rep(4e5), {{}} for i = 1, {kept} do kept[i] = long .. i end "
        "for i = 1, 250 do local garbage = long .. i end return #kept"
    )
    assert run(body) == str(kept)
