"""Memory in a Lua state for the values that Python creates in it.

When Lua runs out of memory, it raises the error with ``longjmp``. If Python was creating a Lua
string or table, this skips C stack frames of the Python interpreter: locks are not released, stack
contents are lost, and the behaviour of the process is undefined. Python therefore reserves memory
before it creates a value. If the memory may not suffice, the limit of the state is lifted until Lua
continues, and a value that would exceed the limit is not created.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from typing import Any

from .limits import MAX_MEMORY_BYTES

NO_MEMORY = b"not enough memory"
"""The message of Lua's own error."""

_SAFE_SIZE = MAX_MEMORY_BYTES // 2
"""Up to this size no allocation can fail: Lua grows a table by no more than doubling it."""
_MIN_BYTES_PER_VALUE = 16
_MAX_BYTES_PER_VALUE = 160
"""Memory of a table for each value, besides the value itself: minimum, and while it grows."""
_MIN_PROBE_SIZE = 1024 * 1024
"""The smallest allocation for which the address space is checked."""


class LuaMemory:
    """The memory limit of one Lua state."""

    def __init__(self, lua: Any) -> None:
        """Manage the limit with which a state was created."""
        self._lua = lua
        self._used: Callable[[], int] = lua.get_memory_used
        self._collect: Callable[[bytes], object] = lua.globals()[b"collectgarbage"]
        self.is_limit_lifted = False
        """Whether Lua must call :meth:`restore_limit` before it continues."""

    def reserve(self, size: int, count: int = 1) -> None:
        """Make sure that ``count`` values of ``size`` bytes in total can be created.

        Raises:
            MemoryError: the memory does not suffice; a short error message can still be created.
        """
        max_size = size + _MAX_BYTES_PER_VALUE * count
        if self._used() + max_size <= _SAFE_SIZE:
            return
        self.lift_limit()
        min_size = size + _MIN_BYTES_PER_VALUE * count
        if self._used() + min_size > MAX_MEMORY_BYTES:
            self._collect(b"collect")
        if self._used() + min_size > MAX_MEMORY_BYTES:
            raise MemoryError(NO_MEMORY.decode())
        if max_size > _MIN_PROBE_SIZE:
            try:
                mmap.mmap(-1, self._used() + max_size).close()
            except OSError:
                raise MemoryError(NO_MEMORY.decode()) from None

    def make_table(self, content: list[Any] | dict[Any, Any], /) -> object:
        """Create a Lua table from Lua values.

        Raises:
            MemoryError: the memory does not suffice.
        """
        size = sum(len(item) for item in content if type(item) is bytes)
        if isinstance(content, dict):
            size += sum(len(item) for item in content.values() if type(item) is bytes)
        self.reserve(size, len(content))
        return self._lua.table_from(content)

    def lift_limit(self) -> None:
        """Allow the state to exceed its limit."""
        self._lua.set_max_memory(0)
        self.is_limit_lifted = True

    def restore_limit(self) -> None:
        """Restore the limit; Lua calls this when it continues."""
        if self.is_limit_lifted:
            self._lua.set_max_memory(MAX_MEMORY_BYTES)
            self.is_limit_lifted = False
