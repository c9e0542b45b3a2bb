"""Declarations of parameters, from which validation, help and paraminfo are derived.

A module's ``params`` is a tuple of declarations, which the functions below return::

    params = (
        enum("prop", "title", "id", multi=True, default="title", help="What to return."),
        limit(),
        continuation(),
    )
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from wikiapi.api.params.types import (
    DEFAULT_KINDS,
    BooleanType,
    EnumType,
    IntegerType,
    LimitType,
    NamespaceType,
    ParamType,
    StringType,
    TextType,
    TimestampType,
    TitleType,
    UserType,
)
from wikiapi.site import Site

MULTI_LIMIT = 50
MULTI_HIGH_LIMIT = 500
ALL = "*"


class Condition(NamedTuple):
    """A condition on the use of a parameter, as paraminfo reports it.

    ``values`` are the numbers to which it refers, such as those of a module's modes.
    """

    name: str
    help: str
    values: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Param:
    """One parameter of a module.

    ``default`` is the value of an absent parameter, written as in a request, or a function of the
    site that returns it. With ``multi`` the value is a tuple; ``all_value`` is then a text that
    means all values of a type with a fixed set.
    """

    name: str
    type: ParamType
    help: str = ""
    default: str | int | bool | Callable[[Site], str] | None = None
    multi: bool = False
    multi_limit: int = MULTI_LIMIT
    multi_high_limit: int = MULTI_HIGH_LIMIT
    all_value: str | None = None
    required: bool = False
    deprecated: bool = False
    sensitive: bool = False
    allow_duplicates: bool = False
    value_help: tuple[tuple[str, str], ...] = ()
    info: tuple[Condition, ...] = ()
    only_if: Callable[[Site], bool] | None = None
    """Returns whether a wiki has the parameter; without it, every wiki has."""
    template: tuple[str, str] | None = None
    """For a name such as ``text-{slot}``, the word in braces and the parameter that lists its
    values."""


def string(name: str, help: str = "", **options: Any) -> Param:
    """Declare a text."""
    return Param(name=name, type=StringType(), help=help, **options)


def text(name: str, help: str = "", **options: Any) -> Param:
    """Declare a long text."""
    return Param(name=name, type=TextType(), help=help, **options)


def boolean(name: str, help: str = "", **options: Any) -> Param:
    """Declare a flag, which is true if the parameter is present."""
    return Param(name=name, type=BooleanType(), help=help, default=False, **options)


def integer(
    name: str,
    help: str = "",
    *,
    minimum: int | None = None,
    maximum: int | None = None,
    enforce: bool = False,
    announce: bool = True,
    **options: Any,
) -> Param:
    """Declare an integer; the arguments for its range are those of :class:`IntegerType`."""
    kind = IntegerType(minimum, maximum, enforce, announce)
    return Param(name=name, type=kind, help=help, **options)


def limit(
    help: str = "How many items to return.",
    *,
    name: str = "limit",
    default: int = 10,
    largest: int = 500,
    highest: int = 5000,
    minimum: int = 1,
) -> Param:
    """Declare the maximum number of items to return: a number or ``max``."""
    kind = LimitType(largest, highest, minimum)
    return Param(name=name, type=kind, help=help, default=default)


def continuation(name: str = "continue") -> Param:
    """Declare a parameter for continuation, whose value is taken from an earlier answer."""
    return Param(
        name=name,
        type=StringType(),
        help="When more results are available, use this to continue.",
    )


def enum(
    name: str,
    *values: str,
    help: str = "",
    choices: Callable[[Site], tuple[str, ...]] | None = None,
    deprecated_values: Iterable[str] = (),
    submodules: bool = False,
    **options: Any,
) -> Param:
    """Declare one of a set of values, or several with ``multi``.

    ``choices`` is a function of the site that returns the values, if they are not fixed.
    """
    kind = EnumType(choices or values, frozenset(deprecated_values), submodules)
    return Param(name=name, type=kind, help=help, **options)


def namespace(
    name: str = "namespace",
    help: str = "Only include pages in these namespaces.",
    *,
    extra: tuple[int, ...] = (),
    **options: Any,
) -> Param:
    """Declare the number of a namespace; with ``multi``, ``*`` means all of them."""
    if options.get("multi"):
        options.setdefault("all_value", ALL)
    return Param(name=name, type=NamespaceType(extra), help=help, **options)


def timestamp(name: str, help: str = "", **options: Any) -> Param:
    """Declare a timestamp; the value has 14 digits, in UTC."""
    return Param(name=name, type=TimestampType(), help=help, **options)


def user(
    name: str, help: str = "", *, kinds: tuple[str, ...] = DEFAULT_KINDS, **options: Any
) -> Param:
    """Declare a user name or IP address."""
    return Param(name=name, type=UserType(kinds), help=help, **options)


def title(name: str, help: str = "", **options: Any) -> Param:
    """Declare a page title."""
    return Param(name=name, type=TitleType(), help=help, **options)


def direction(**options: Any) -> Param:
    """Declare ``dir`` for lists by time: ``newer`` is oldest first, ``older`` is newest first."""
    options = {"default": "older", "help": "In which direction to enumerate."} | options
    return enum("dir", "newer", "older", **options)


def sort_direction(**options: Any) -> Param:
    """Declare ``dir`` for lists sorted by name: ascending or descending."""
    options = {"default": "ascending", "help": "The direction in which to list."} | options
    return enum("dir", "ascending", "descending", **options)


def token(kind: str) -> Param:
    """Declare the token of a module, by default as its last parameter."""
    return string("token", f"A token of the type ``{kind}``.", required=True, sensitive=True)
