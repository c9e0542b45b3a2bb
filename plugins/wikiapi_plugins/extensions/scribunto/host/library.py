"""What a library of functions for Lua is made of."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from wikiapi.title import Title
from wikiapi.wikitext import ParseState
from wikiapi_plugins.extensions.scribunto.errors import Refusal

_TYPES: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {"str": (str,), "int": (int,), "bool": (bool,), "str | bool": (str, bool)}
)


class _Parameters(NamedTuple):
    """The types that a host function accepts."""

    fixed: list[tuple[type, ...]]
    rest: tuple[type, ...] | None
    """Of any number of further arguments; ``None`` if none are accepted."""


@dataclass(frozen=True)
class HostFunction:
    """The declaration of a function that Lua may call in the server.

    ``method`` is called with the library and the arguments from Lua, whose types are checked
    against its annotations. A list that it returns becomes several values in Lua, except within
    another list.

    ``cacheable`` states whether a worker may use a result for other pages as well: it is true where
    the result depends on the arguments and the wiki's configuration alone. It may be a function of
    the same arguments.
    """

    name: str
    method: Callable[..., Any]
    cacheable: bool | Callable[..., bool] = False

    def accepts(self, arguments: Sequence[Any]) -> bool:
        """Return whether arguments have the declared number and types."""
        fixed, rest = self._parameters
        extra = len(arguments) - len(fixed)
        if extra < 0 or (extra and rest is None):
            return False
        types = [*fixed, *([rest] * extra if rest else ())]
        return all(type(each) in known for each, known in zip(arguments, types, strict=True))

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
    """Host functions for one part of ``mw``, in one rendering."""

    functions: ClassVar[tuple[HostFunction, ...]] = ()

    def __init__(self, state: ParseState) -> None:
        self.state = state
        self.site = state.site

    def count_expensive(self) -> None:
        """Count an expensive call.

        Raises:
            Refusal: the page has made too many.
        """
        if not self.state.expensive():
            raise Refusal("too many expensive function calls")

    def title(self, name: str) -> Title:
        """Return the title of a name.

        Raises:
            Refusal: it is not a valid title.
        """
        title = self.site.titles.try_parse(name)
        if title is None:
            raise Refusal(f"invalid title '{name}'")
        return title
