"""Objects of an answer, read with the suspicion due to a stranger's words.

Every value is requested by its type. One of another type is an error that says where it stands;
null counts as nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wikiapi.dump.xml.elements import digits_of
from wikiapi.errors import DumpError

LARGEST = 10**18 - 1
"""As for the numbers of a dump."""
LARGEST_SIZE = 2**32 - 1
_DEEPEST = 10
_MOST_VALUES = 10_000


def unusable(problem: str) -> DumpError:
    """Return the error for an answer that MediaWiki never gives."""
    return DumpError(f"the wiki sends an answer that cannot be used: {problem}")


@dataclass(frozen=True, slots=True)
class Facts:
    """An object of an answer; ``name`` says what it is about. All methods may raise DumpError."""

    values: Mapping[str, Any]
    name: str

    @classmethod
    def of(cls, value: Any, name: str) -> Facts:
        """Return the facts of what should be an object."""
        if not isinstance(value, dict):
            raise unusable(f"{name} is not an object")
        return cls(value, name)

    def number(self, name: str, default: int | None = None, *, most: int = LARGEST) -> int:
        """Return a whole number from 0; it must be there unless there is a default."""
        value = self._value(name, default)
        if type(value) is not int or not 0 <= value <= most:
            raise self._wrong(name, "number")
        return value

    def identifier(self, name: str) -> int:
        """Return a whole number from 1."""
        number = self.number(name)
        if not number:
            raise self._wrong(name, "positive number")
        return number

    def namespace(self, name: str) -> int:
        """Return the number of a namespace."""
        value = self._value(name, None)
        if type(value) is not int or not -2 <= value < 2**31:
            raise self._wrong(name, "namespace number")
        return value

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; it must be there unless there is a default."""
        value = self._value(name, default)
        if not isinstance(value, str) or "\0" in value:
            raise self._wrong(name, "text")
        return value

    def flag(self, name: str) -> bool:
        """Return whether something is so; false where nothing is said of it."""
        value = self._value(name, False)
        if not isinstance(value, bool):
            raise self._wrong(name, "truth value")
        return value

    def time(self, name: str) -> str:
        """Return the 14 digits of a time."""
        digits = digits_of(self.text(name))
        if digits is None:
            raise self._wrong(name, "time")
        return digits

    def object(self, name: str) -> Facts:
        """Return an object within; empty where there is none. PHP writes an empty one as a list."""
        value = self._value(name, {})
        return Facts.of({} if value == [] else value, f"{name} of {self.name}")

    def objects(self, name: str, most: int) -> list[Facts]:
        """Return the objects of a list; empty where there is none."""
        value = self._value(name, [])
        if not isinstance(value, list):
            raise self._wrong(name, "list")
        if len(value) > most:
            raise unusable(f"{name} of {self.name} are {len(value)}, more than were requested")
        return [Facts.of(item, f"one of the {name} of {self.name}") for item in value]

    def members(self) -> Iterator[tuple[str, Facts]]:
        """Yield the objects that this one has by names."""
        if len(self.values) > _MOST_VALUES:
            raise unusable(f"{self.name} has more than {_MOST_VALUES} members")
        for name in self.values:
            yield name, self.object(name)

    def tree(self, name: str) -> Any:
        """Return a value of any type, not too deep and not too large to be stored."""
        value = self._value(name, None)
        if value is not None and _weight(value, _DEEPEST) > _MOST_VALUES:
            raise unusable(f"{name} of {self.name} is too deep or too large")
        return value

    def _value(self, name: str, default: Any) -> Any:
        value = self.values.get(name)
        return default if value is None else value

    def _wrong(self, name: str, kind: str) -> DumpError:
        shown = repr(self.values.get(name))
        shown = shown if len(shown) <= 60 else f"{shown[:60]}…"
        return unusable(f"{name} of {self.name} is not a {kind}, but {shown}")


def _weight(value: Any, levels: int) -> int:
    """Return the number of values inside a value; above any bound if it is nested too deeply."""
    if isinstance(value, str):
        return _MOST_VALUES + 1 if "\0" in value else 1
    if not isinstance(value, dict | list):
        return 1
    if not levels:
        return _MOST_VALUES + 1
    inner = value.values() if isinstance(value, dict) else value
    total = 1
    for item in inner:
        total += _weight(item, levels - 1)
        if total > _MOST_VALUES:
            break
    return total
