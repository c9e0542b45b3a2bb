"""Lua collects garbage when a page has made much of it, not before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi_plugins.extensions.scribunto.worker.limits import MEMORY
from wikiapi_plugins.extensions.scribunto.worker.runtime import COLLECT_FROM, put_off_collection

lua51 = pytest.importorskip("lupa.lua51")

MAKE_GARBAGE = b"local long = ('x'):rep(1e5) for i = 1, %d do local garbage = long .. i end"


@pytest.fixture
def lua() -> Any:
    runtime = lua51.LuaRuntime(encoding=None, max_memory=MEMORY)
    put_off_collection(runtime.globals())
    return runtime


def test_little_garbage_stays(lua: Any) -> None:
    lua.execute(MAKE_GARBAGE % 30)
    assert 3_000_000 < lua.get_memory_used() < COLLECT_FROM


def test_much_garbage_is_collected_as_usual_from_then_on(lua: Any) -> None:
    lua.execute(MAKE_GARBAGE % 2000)
    assert lua.get_memory_used() < 2 * COLLECT_FROM
    assert lua.globals()[b"collectgarbage"](b"setpause", 200) == 200


@pytest.mark.parametrize("kept", [0, 15])
def test_modules_may_make_more_garbage_than_there_is_memory(
    run: Callable[..., str], kept: int
) -> None:
    body = (
        f"local long, kept = ('x'):rep(4e5), {{}} for i = 1, {kept} do kept[i] = long .. i end "
        "for i = 1, 250 do local garbage = long .. i end return #kept"
    )
    assert run(body) == str(kept)
