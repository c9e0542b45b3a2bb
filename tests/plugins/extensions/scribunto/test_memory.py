"""Values that Python creates in Lua fit in the memory, or are refused before they are created."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi_plugins.extensions.scribunto.worker.limits import MAX_MEMORY_BYTES
from wikiapi_plugins.extensions.scribunto.worker.memory import NO_MEMORY, LuaMemory
from wikiapi_plugins.extensions.scribunto.worker.values import guarded

lua51 = pytest.importorskip("lupa.lua51")


@pytest.fixture
def lua() -> Any:
    return lua51.LuaRuntime(encoding=None, max_memory=MAX_MEMORY_BYTES, unpack_returned_tuples=True)


def fill_memory(lua: Any, size: int) -> None:
    """Make Lua use a number of bytes."""
    fill = b"kept = {} for n = 1, %d do kept[n] = ('%%05d'):format(n):rep(20000) end"
    lua.execute(fill % (size // 100_000))


def test_the_limit_is_kept_while_there_is_enough_memory(lua: Any) -> None:
    memory = LuaMemory(lua)
    memory.reserve(1_000_000, 1000)
    assert not memory.is_limit_lifted


def test_the_limit_is_lifted_if_the_memory_may_not_suffice(lua: Any) -> None:
    memory = LuaMemory(lua)
    fill_memory(lua, 30_000_000)
    memory.reserve(1000)
    assert memory.is_limit_lifted
    fill_memory(lua, MAX_MEMORY_BYTES + 1_000_000)
    memory.restore_limit()
    with pytest.raises(lua51.LuaMemoryError):
        lua.execute(b"kept = ('x'):rep(1000000)")


def test_values_that_do_not_fit_are_refused(lua: Any) -> None:
    memory = LuaMemory(lua)
    with pytest.raises(MemoryError, match="not enough memory"):
        memory.reserve(MAX_MEMORY_BYTES + 1)
    with pytest.raises(MemoryError):
        memory.make_table([b"x" * (MAX_MEMORY_BYTES // 2)] * 3)


def test_garbage_is_collected_before_values_are_refused(lua: Any) -> None:
    memory = LuaMemory(lua)
    fill_memory(lua, 40_000_000)
    lua.execute(b"kept = nil")
    memory.reserve(MAX_MEMORY_BYTES // 2)
    assert lua.get_memory_used() < MAX_MEMORY_BYTES // 2


def test_address_space_is_checked(lua: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_fileno: int, _size: int) -> None:
        raise OSError

    monkeypatch.setattr("wikiapi_plugins.extensions.scribunto.worker.memory.mmap.mmap", full)
    LuaMemory(lua).reserve(1000)
    with pytest.raises(MemoryError):
        LuaMemory(lua).reserve(MAX_MEMORY_BYTES - 10_000_000)


@pytest.mark.parametrize(
    ("filling", "value", "returned"),
    [
        (0, b"x", (True, b"x")),
        (0, (1, b"x"), (True, 1, b"x")),
        (0, b"x" * (MAX_MEMORY_BYTES + 1), (None, False, NO_MEMORY)),
        (30_000_000, b"x", (None, True, b"x")),
    ],
)
def test_guarded_functions_report_that_the_limit_is_lifted(
    lua: Any, filling: int, value: Any, returned: tuple[Any, ...]
) -> None:
    fill_memory(lua, filling)
    assert guarded(lambda: value, LuaMemory(lua))() == returned


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("no such thing"), b"no such thing"),
        (RecursionError(), b"stack overflow"),
        (MemoryError(), NO_MEMORY),
    ],
)
def test_guarded_functions_never_raise(lua: Any, error: Exception, message: bytes) -> None:
    def fail() -> None:
        raise error

    assert guarded(fail, LuaMemory(lua))()[-2:] == (False, message)
