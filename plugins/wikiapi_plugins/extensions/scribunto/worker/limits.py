"""The limits of a Lua state."""

from __future__ import annotations

MAX_MEMORY_BYTES = 50 * 1024 * 1024
"""The memory that the Lua state of a page may use."""
