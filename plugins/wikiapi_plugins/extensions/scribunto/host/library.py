"""The base class of libraries, and the declaration of a host function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from wikiapi.title import Title
from wikiapi.wikitext import ParseState
from wikiapi_plugins.extensions.scribunto.errors import HostError

_TYPES: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {"str": (str,), "int": (int,), "bool": (bool,), "str | bool": (str, bool)}
)


class _Parameters(NamedTuple):
    """The types that a host function accepts."""

    fixed: list[tuple[type, ...]]
    rest: tuple[type, ...] | None
    """The types of any further arguments, or ``None`` if they are not accepted."""


@dataclass(frozen=True)
class HostFunction:
    """The declaration of a host function, a function of the server that Lua may call.

    ``method`` is called with the library and the arguments from Lua, whose types are checked
    against its annotations. A list that it returns becomes multiple return values in Lua; a list
    inside this list becomes a table.

    ``cacheable`` states whether a worker may reuse a result on other pages: only if the result
    depends on nothing but the arguments and the wiki's configuration. It may also be a function of
    the arguments.
    """

    name: str
    method: Callable[..., Any]
    cacheable: bool | Callable[..., bool] = False

    def accepts(self, arguments: Sequence[Any]) -> bool:
        """Return whether the arguments match the declared number and types."""
        fixed, rest = self._parameters
        extra = len(arguments) - len(fixed)
        if extra < 0 or (extra and rest is None):
            return False
        types = [*fixed, *([rest] * extra if rest else ())]
        return all(type(value) in allowed for value, allowed in zip(arguments, types, strict=True))

    @cached_property
    def _parameters(self) -> _Parameters:
        fixed, rest = [], None
        for parameter in list(inspect.signature(self.method).parameters.values())[1:]:
            types = _TYPES[str(parameter.annotation)]
            if parameter.kind is parameter.VAR_POSITIONAL:
                rest = types
            else:
                fixed.append(types)
        return _Parameters(fixed, rest)

    def is_cacheable(self, arguments: Sequence[Any]) -> bool:
        """Return whether the result of a call with these arguments may be cached."""
        return self.cacheable if isinstance(self.cacheable, bool) else self.cacheable(*arguments)


class Library:
    """The host functions for one part of ``mw``, in one rendering."""

    functions: ClassVar[tuple[HostFunction, ...]] = ()

    def __init__(self, state: ParseState) -> None:
        self.state = state
        self.site = state.site

    def count_expensive(self) -> None:
        """Count an expensive call.

        Raises:
            HostError: the page has made too many expensive calls.
        """
        if not self.state.expensive():
            raise HostError("too many expensive function calls")

    def title(self, name: str) -> Title:
        """Return the title with a name.

        Raises:
            HostError: the name is not a valid title.
        """
        title = self.site.titles.try_parse(name)
        if title is None:
            raise HostError(f"invalid title '{name}'")
        return title
