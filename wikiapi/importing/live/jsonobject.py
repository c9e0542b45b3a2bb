"""Objects in the JSON of an untrusted answer, whose values are read by type.

A value of another type raises an error that names it; null counts as absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wikiapi.errors import DumpError
from wikiapi.importing.xml.elements import digits_of

LARGEST = 10**18 - 1
"""The largest number, as in a dump."""
LARGEST_SIZE = 2**32 - 1
_DEEPEST = 10
_MAX_VALUES = 10_000


def unusable(problem: str) -> DumpError:
    """Return the error for an answer that MediaWiki would not give."""
    return DumpError(f"the wiki sends an answer that cannot be used: {problem}")


@dataclass(frozen=True, slots=True)
class JsonObject:
    """An object in an answer; ``name`` describes it in errors. All methods may raise DumpError."""

    values: Mapping[str, Any]
    name: str

    @classmethod
    def of(cls, value: Any, name: str) -> JsonObject:
        """Return a value that must be an object."""
        if not isinstance(value, dict):
            raise unusable(f"{name} is not an object")
        return cls(value, name)

    def number(self, name: str, default: int | None = None, *, most: int = LARGEST) -> int:
        """Return an integer from 0 to ``most``; it is required unless there is a default."""
        value = self._value(name, default)
        if type(value) is not int or not 0 <= value <= most:
            raise self._wrong(name, "number")
        return value

    def identifier(self, name: str) -> int:
        """Return an integer from 1."""
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
        """Return a string; it is required unless there is a default."""
        value = self._value(name, default)
        if not isinstance(value, str) or "\0" in value:
            raise self._wrong(name, "text")
        return value

    def flag(self, name: str) -> bool:
        """Return a boolean; false if it is absent."""
        value = self._value(name, False)
        if not isinstance(value, bool):
            raise self._wrong(name, "truth value")
        return value

    def time(self, name: str) -> str:
        """Return a timestamp, 14 digits."""
        digits = digits_of(self.text(name))
        if digits is None:
            raise self._wrong(name, "time")
        return digits

    def object(self, name: str) -> JsonObject:
        """Return an object; empty if it is absent. PHP writes an empty one as a list."""
        value = self._value(name, {})
        return JsonObject.of({} if value == [] else value, f"{name} of {self.name}")

    def objects(self, name: str, most: int) -> list[JsonObject]:
        """Return the objects of a list, at most ``most``; empty if it is absent."""
        value = self._value(name, [])
        if not isinstance(value, list):
            raise self._wrong(name, "list")
        if len(value) > most:
            raise unusable(f"{name} of {self.name} are {len(value)}, more than were requested")
        return [JsonObject.of(item, f"one of the {name} of {self.name}") for item in value]

    def members(self) -> Iterator[tuple[str, JsonObject]]:
        """Yield the names and values of this object, which must be objects."""
        if len(self.values) > _MAX_VALUES:
            raise unusable(f"{self.name} has more than {_MAX_VALUES} members")
        for name in self.values:
            yield name, self.object(name)

    def tree(self, name: str) -> Any:
        """Return a value of any type, which must not be nested too deeply or be too large."""
        value = self._value(name, None)
        if value is not None and _count_values(value, _DEEPEST) > _MAX_VALUES:
            raise unusable(f"{name} of {self.name} is too deep or too large")
        return value

    def _value(self, name: str, default: Any) -> Any:
        value = self.values.get(name)
        return default if value is None else value

    def _wrong(self, name: str, kind: str) -> DumpError:
        value = repr(self.values.get(name))
        value = value if len(value) <= 60 else f"{value[:60]}…"
        return unusable(f"{name} of {self.name} is not a {kind}, but {value}")


def _count_values(value: Any, levels: int) -> int:
    """Return the number of values in a value; more than the limit if it is nested too deeply."""
    if isinstance(value, str):
        return _MAX_VALUES + 1 if "\0" in value else 1
    if not isinstance(value, dict | list):
        return 1
    if not levels:
        return _MAX_VALUES + 1
    inner = value.values() if isinstance(value, dict) else value
    total = 1
    for item in inner:
        total += _count_values(item, levels - 1)
        if total > _MAX_VALUES:
            break
    return total
