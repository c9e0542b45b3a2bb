"""Messages: a key and its parameters, rendered later in the requested language.

Keys are the names MediaWiki gives them, because clients read them through ``errorformat=raw``.
The texts are ours and live in ``data/*.json``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Raw:
    """A parameter whose text may itself hold wikitext."""

    value: str


@dataclass(frozen=True, slots=True)
class Plain:
    """A parameter inserted as it is, never read as wikitext."""

    value: str


@dataclass(frozen=True, slots=True)
class Num:
    """A number, formatted for the reader's language (``{"num": ...}`` in raw form)."""

    value: int | float


@dataclass(frozen=True, slots=True)
class ListOf:
    """Several parameters joined for the reader's language (``{"list": ..., "type": ...}``)."""

    values: tuple[MessageParam, ...]
    kind: str = "text"


MessageParam = str | int | Raw | Plain | Num | ListOf


@dataclass(frozen=True, slots=True)
class Message:
    """A text to show, by key. ``params`` fill ``$1``, ``$2``... in order."""

    key: str
    params: tuple[MessageParam, ...] = ()

    @classmethod
    def of(cls, key: str, *params: MessageParam) -> Message:
        """Build a message from its key and parameters."""
        return cls(key, params)


def plain_list(values: Iterable[str], kind: str = "text") -> ListOf:
    """Return a list parameter of plain texts."""
    return ListOf(tuple(Plain(value) for value in values), kind)
