"""Messages: a key and its parameters, rendered later in the requested language.

The keys are MediaWiki's, because clients see them with ``errorformat=raw``. The texts are our own,
in ``data/*.json``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Raw:
    """A parameter whose text may contain wikitext."""

    value: str


@dataclass(frozen=True, slots=True)
class Plain:
    """A parameter that is inserted unchanged and never parsed as wikitext."""

    value: str


@dataclass(frozen=True, slots=True)
class Num:
    """A number, formatted in the language of the message (``{"num": ...}`` in raw form)."""

    value: int | float


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of parameters, joined as text (``{"list": ..., "type": ...}`` in raw form)."""

    values: tuple[MessageParam, ...]
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class Duration:
    """A number of seconds, written as hours, minutes and so on (``{"duration": ...}``)."""

    seconds: int


MessageParam = str | int | Raw | Plain | Num | ListOf | Duration


@dataclass(frozen=True, slots=True)
class Message:
    """A text identified by its key. ``params`` replace ``$1``, ``$2``... in order."""

    key: str
    params: tuple[MessageParam, ...] = ()

    @classmethod
    def of(cls, key: str, *params: MessageParam) -> Message:
        """Return a message with a key and parameters."""
        return cls(key, params)


class Template(NamedTuple):
    """A text with placeholders, and its language."""

    text: str
    language: str


def plain_list(values: Iterable[str], kind: str = "text") -> ListOf:
    """Return a list parameter of plain texts."""
    return ListOf(tuple(Plain(value) for value in values), kind)
