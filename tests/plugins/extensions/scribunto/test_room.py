"""What Python gives to Lua fits, or is refused before Lua is asked to take it."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi_plugins.extensions.scribunto.worker.limits import MEMORY
from wikiapi_plugins.extensions.scribunto.worker.room import NO_MEMORY, Room
from wikiapi_plugins.extensions.scribunto.worker.values import guarded

lua51 = pytest.importorskip("lupa.lua51")


@pytest.fixture
def lua() -> Any:
    return lua51.LuaRuntime(encoding=None, max_memory=MEMORY, unpack_returned_tuples=True)


def filled(lua: Any, size: int) -> None:
    """Make Lua use a number of bytes."""
    fill = b"kept = {} for n = 1, %d do kept[n] = ('%%05d'):format(n):rep(20000) end"
    lua.execute(fill % (size // 100_000))


def test_nothing_happens_while_there_is_plenty(lua: Any) -> None:
    room = Room(lua)
    room.take(1_000_000, 1000)
    assert not room.is_lifted


def test_limit_is_lifted_where_there_may_be_too_little(lua: Any) -> None:
    room = Room(lua)
    filled(lua, 30_000_000)
    room.take(1000)
    assert room.is_lifted
    filled(lua, MEMORY + 1_000_000)
    room.lower()
    with pytest.raises(lua51.LuaMemoryError):
        lua.execute(b"kept = ('x'):rep(1000000)")


def test_what_does_not_fit_is_refused(lua: Any) -> None:
    room = Room(lua)
    with pytest.raises(MemoryError, match="not enough memory"):
        room.take(MEMORY + 1)
    with pytest.raises(MemoryError):
        room.table([b"x" * (MEMORY // 2)] * 3)


def test_garbage_is_collected_first(lua: Any) -> None:
    room = Room(lua)
    filled(lua, 40_000_000)
    lua.execute(b"kept = nil")
    room.take(MEMORY // 2)
    assert lua.get_memory_used() < MEMORY // 2


def test_address_space_is_tried(lua: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_fileno: int, _size: int) -> None:
        raise OSError

    monkeypatch.setattr("wikiapi_plugins.extensions.scribunto.worker.room.mmap.mmap", full)
    Room(lua).take(1000)
    with pytest.raises(MemoryError):
        Room(lua).take(MEMORY - 10_000_000)


@pytest.mark.parametrize(
    ("filling", "value", "returned"),
    [
        (0, b"x", (True, b"x")),
        (0, (1, b"x"), (True, 1, b"x")),
        (0, b"x" * (MEMORY + 1), (None, False, NO_MEMORY)),
        (30_000_000, b"x", (None, True, b"x")),
    ],
)
def test_guarded_functions_say_that_the_limit_is_lifted(
    lua: Any, filling: int, value: Any, returned: tuple[Any, ...]
) -> None:
    filled(lua, filling)
    assert guarded(lambda: value, Room(lua))() == returned


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("no such thing"), b"no such thing"),
        (RecursionError(), b"stack overflow"),
        (MemoryError(), NO_MEMORY),
    ],
)
def test_guarded_functions_never_raise(lua: Any, error: Exception, told: bytes) -> None:
    def fail() -> None:
        raise error

    assert guarded(fail, Room(lua))()[-2:] == (False, told)
