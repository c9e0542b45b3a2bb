"""Checks of the parameters that a module declares, when it is registered.

A mistake would otherwise show as a wrong answer or an exception when somebody uses the parameter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wikiapi.api.params.declaration import Param
from wikiapi.api.params.types import LARGEST, BooleanType, EnumType, IntegerType, LimitType


def params_problem(params: object) -> str:
    """Return what is wrong with the ``params`` of a module, empty if nothing is.

    The text completes a sentence such as "the module, whose".
    """
    if isinstance(params, Param):
        return f"params is a single parameter: write ({params.name}_parameter,), with a comma"
    if not isinstance(params, tuple | list):
        return f"params is {params!r}, which is not a tuple of parameters"
    names: set[str] = set()
    for param in params:
        if not isinstance(param, Param):
            return (
                f"params has {param!r}, which is not a parameter: declare it with string(…),"
                " enum(…), limit(…) or another function of wikiapi.api"
            )
        if not isinstance(param.name, str) or not param.name:
            return f"params has a parameter with the name {param.name!r}, which is not a text"
        if param.name in names:
            return f"parameter {param.name!r} is declared twice"
        names.add(param.name)
        if problem := next(_problems(param), ""):
            return f"parameter {param.name!r} {problem}"
    for param in params:
        if param.template and param.template[1] not in names:
            return f"parameter {param.name!r} is named after {param.template[1]!r}, which is none"
    return ""


def _problems(param: Param) -> Iterator[str]:
    kind, default = param.type, param.default
    if isinstance(kind, EnumType) and not callable(kind.values):
        yield from _enum_problems(param, kind, kind.values)
    if isinstance(kind, IntegerType):
        least, most = kind.minimum, kind.maximum
        if least is not None and most is not None and least > most:
            yield f"has the minimum {least}, which is above the maximum {most}"
    if callable(default) or default is None:
        return
    if not isinstance(default, str | int):
        text = "|".join(map(str, default)) if isinstance(default, tuple | list | set) else ""
        hint = f": write {text!r}, as in a request" if text else ""
        yield f"has the default {default!r}, which is neither a text nor a number{hint}"
    if isinstance(kind, BooleanType) and default is not False:
        yield f"is a flag and has the default {default!r}: an absent flag is false"
    if isinstance(kind, IntegerType) and not param.multi:
        yield from _range_problems(default, kind.minimum, kind.maximum)
    if isinstance(kind, LimitType) and default != LARGEST:
        yield from _range_problems(default, kind.minimum, max(kind.largest, kind.highest))


def _enum_problems(param: Param, kind: EnumType, values: Any) -> Iterator[str]:
    for value in values:
        if isinstance(value, tuple | list | set | frozenset | dict):
            example = ", ".join(f'"{each}"' for each in sorted(map(str, value)))
            yield (
                f"has the value {value!r}, which is not a text: write"
                f' enum("{param.name}", {example}), or an asterisk before a list'
            )
        if not isinstance(value, str):
            yield f"has the value {value!r}, which is not a text"
    if not isinstance(values, tuple):
        yield f"has the values {values!r}, which are not a tuple: clients are told their order"
    if not values:
        yield "has no values"
    if isinstance(param.default, str) and param.default and not kind.submodules:
        for value in param.default.split("|") if param.multi else [param.default]:
            if value not in values:
                yield f"has the default {value!r}, which is not among its values {_listed(values)}"
    elif isinstance(param.default, int):
        yield f"has the default {param.default!r}, which is not among its values {_listed(values)}"
    if unknown := sorted(kind.deprecated - {*values}):
        yield f"deprecates {unknown[0]!r}, which is not among its values {_listed(values)}"


def _listed(values: tuple[str, ...]) -> str:
    return ", ".join(map(repr, values))


def _range_problems(default: Any, minimum: int | None, maximum: int | None) -> Iterator[str]:
    if not isinstance(default, int) or isinstance(default, bool):
        yield f"has the default {default!r}, which is not a number"
    elif minimum is not None and default < minimum:
        yield f"has the default {default}, which is below the minimum {minimum}"
    elif maximum is not None and default > maximum:
        yield f"has the default {default}, which is above the maximum {maximum}"
