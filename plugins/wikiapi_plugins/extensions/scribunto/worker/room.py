"""Room in a Lua state for what Python puts into it.

Lua leaves a function that finds no memory with a long jump. Where Python was about to make a text
or table of Lua, the jump goes over frames of the interpreter: locks stay taken, what was on the
stack is gone, and the process hangs or does anything. So whatever is made from Python asks for room
first. Where there may be too little, the state's limit is lifted until Lua goes on, and what would
not have fitted is refused in time.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from typing import Any

from .limits import MEMORY

NO_MEMORY = b"not enough memory"
"""What Lua itself says."""

_EASY = MEMORY // 2
"""Up to so many bytes nothing can fail: tables of Lua grow by doubling, never by more."""
_OF_EACH = 16
_OF_EACH_AT_MOST = 160
"""Bytes that a value takes in a table, beside its own: at least, and while tables grow."""
_WORTH_TRYING = 1024 * 1024


class Room:
    """The memory of one Lua state."""

    def __init__(self, lua: Any) -> None:
        """Watch a state that was made with the limit."""
        self._lua = lua
        self._used: Callable[[], int] = lua.get_memory_used
        self._collect: Callable[[bytes], object] = lua.globals()[b"collectgarbage"]
        self.is_lifted = False
        """Whether Lua must call :meth:`lower` before it goes on."""

    def take(self, size: int, count: int = 1) -> None:
        """Make sure that values can be made, so many of so many bytes together.

        Raises:
            MemoryError: there is no room for them. Something small can be made all the same.
        """
        most = size + _OF_EACH_AT_MOST * count
        if self._used() + most <= _EASY:
            return
        self.lift()
        least = size + _OF_EACH * count
        if self._used() + least > MEMORY:
            self._collect(b"collect")
        if self._used() + least > MEMORY:
            raise MemoryError(NO_MEMORY.decode())
        if most > _WORTH_TRYING:
            _try_address_space(self._used() + most)

    def table(self, content: list[Any] | dict[Any, Any], /) -> object:
        """Return a Lua table of the content, whose values have Lua types already."""
        size = sum(len(each) for each in content if type(each) is bytes)
        if isinstance(content, dict):
            size += sum(len(each) for each in content.values() if type(each) is bytes)
        self.take(size, len(content))
        return self._lua.table_from(content)

    def lift(self) -> None:
        """Let the state grow beyond its limit."""
        self._lua.set_max_memory(0)
        self.is_lifted = True

    def lower(self) -> None:
        """Put the limit back, as soon as Lua goes on."""
        if self.is_lifted:
            self._lua.set_max_memory(MEMORY)
            self.is_lifted = False


def _try_address_space(size: int) -> None:
    """Raise MemoryError unless the process may have so many bytes more."""
    try:
        mmap.mmap(-1, size).close()
    except OSError:
        raise MemoryError(NO_MEMORY.decode()) from None
