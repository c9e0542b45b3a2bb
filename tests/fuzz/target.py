"""What is fuzzed: inputs of a shape, and a check that any of them must pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from hypothesis.strategies import SearchStrategy

Check = Callable[[Any], None]


def text_of(data: bytes) -> str:
    """Return a text; what is no UTF-8 becomes lone surrogates."""
    return data.decode("utf-8", "surrogateescape")


def latin_of(data: bytes) -> str:
    """Return a text that stands for these bytes in JSON."""
    return data.decode("latin-1")


def params_of(data: bytes) -> dict[str, str]:
    """Return the parameters of a query string."""
    return dict(parse_qsl(text_of(data), keep_blank_values=True))


@dataclass(frozen=True, slots=True)
class Opened:
    """A target that is ready.

    Attributes:
        inputs: by chance.
        check: raises when an input is not handled well.
        read: gives an input from any bytes, which coverage leads; with None it leads the choices
            of ``inputs``, and no bytes are worth keeping.
        words: what such bytes often contain.
    """

    inputs: SearchStrategy[Any]
    check: Check
    read: Callable[[bytes], Any] | None = None
    words: Iterable[str] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A part of the project that takes what strangers send.

    Attributes:
        name: as the command line has it, and as its corpus and the file of its findings are called.
        open: makes it ready; whatever that takes is closed afterwards.
        examples: how many inputs the tests try.
    """

    name: str
    open: Callable[[], AbstractContextManager[Opened]]
    examples: int
