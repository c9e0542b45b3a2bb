"""The answers to what modules ask: one file for each library of ``mw``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from wikiapi_plugins.extensions.scribunto.errors import Refusal, well_formed
from wikiapi_plugins.extensions.scribunto.host import (
    basics,
    frames,
    languages,
    messages,
    modules,
    sites,
    texts,
    titlepages,
    titles,
    uris,
)
from wikiapi_plugins.extensions.scribunto.host.basics import Operations

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session

OPERATIONS: Operations = MappingProxyType(
    {
        **basics.OPERATIONS,
        **frames.OPERATIONS,
        **languages.OPERATIONS,
        **messages.OPERATIONS,
        **modules.OPERATIONS,
        **sites.OPERATIONS,
        **texts.OPERATIONS,
        **titlepages.OPERATIONS,
        **titles.OPERATIONS,
        **uris.OPERATIONS,
    }
)
"""By name: what is called with the session and the arguments that Lua gave.

A list is returned to Lua as several values, except within another list.
"""

_KINDS: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {"str": (str,), "int": (int,), "bool": (bool,), "str | bool": (str, bool)}
)


def answer(session: Session, operation: str, arguments: list[Any]) -> Any:
    """The answer to a question.

    Raises:
        Refusal: there is none; also where a worker asks what our own Lua never does.
    """
    function = OPERATIONS.get(operation)
    given = [well_formed(each) if isinstance(each, str) else each for each in arguments]
    if function is None or not _accepts(function, given):
        raise Refusal(f"{operation}: bad arguments")
    return function(session, *given)


def _accepts(function: Callable[..., Any], given: list[Any]) -> bool:
    kinds, rest = _declared(function)
    if len(given) < len(kinds) or (rest is None and len(given) > len(kinds)):
        return False
    more = [rest] * (len(given) - len(kinds)) if rest else []
    return all(type(e) in kind for e, kind in zip(given, [*kinds, *more], strict=True))


@cache
def _declared(
    function: Callable[..., Any],
) -> tuple[list[tuple[type, ...]], tuple[type, ...] | None]:
    """The types of what follows the session, and of any number of values behind that."""
    kinds, rest = [], None
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        accepted = _KINDS[str(parameter.annotation)]
        if parameter.kind is parameter.VAR_POSITIONAL:
            rest = accepted
        else:
            kinds.append(accepted)
    return kinds, rest
