"""What is fuzzed: inputs of a shape, and a check that any of them must pass."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from hypothesis.strategies import SearchStrategy

Check = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A target that is ready: its inputs, and what raises when one is not handled well."""

    inputs: SearchStrategy[Any]
    check: Check


@dataclass(frozen=True, slots=True)
class Target:
    """A part of the project that takes what strangers send.

    Attributes:
        name: as the command line has it, and as the file of its findings is called.
        open: makes it ready; whatever that takes is closed afterwards.
        examples: how many inputs the tests try.
    """

    name: str
    open: Callable[[], AbstractContextManager[Opened]]
    examples: int
