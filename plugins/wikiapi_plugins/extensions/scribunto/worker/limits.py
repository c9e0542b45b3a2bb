"""What the Lua of a page may use."""

from __future__ import annotations

MEMORY = 50 * 1024 * 1024
"""Bytes that a state may use."""
