"""The type of what answers a module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Operations = Mapping[str, Callable[..., Any]]
"""By name: a function of the session and of the arguments that Lua gave."""
