"""Reads the declarations of refused actions, which are TOML.

A table is an action: ``help`` is required; ``manual``, ``prefix``, ``token`` (its type, ``csrf``
unless said otherwise, empty for none), ``examples``, ``needs_read``, ``writes``, ``internal`` and
``dynamic`` (what ``amirequestsfor`` names) are not. A parameter is the name of some that are
shared, or a table of what the functions of :mod:`wikiapi.api.params.declaration` take.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from wikiapi.api.params.declaration import (
    Param,
    boolean,
    enum,
    integer,
    namespace,
    string,
    text,
    timestamp,
    user,
)
from wikiapi.api.params.types.base import ParamType
from wikiapi.api.params.types.title import TitleType
from wikiapi_plugins.actions.authparams import dynamic_params
from wikiapi_plugins.actions.writes.refused import Write
from wikiapi_plugins.actions.writes.shared import CHOICES, SHARED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


class UploadType(ParamType):
    """A file sent as a part of a multipart request."""

    type_name: ClassVar[str] = "upload"


def read(group: str) -> Iterator[Write]:
    """The actions that a file declares, in its order."""
    source = files(__package__).joinpath(f"{group}.toml").read_text(encoding="utf-8")
    for name, table in tomllib.loads(source).items():
        yield _action(name, table)


def _action(name: str, table: dict[str, Any]) -> Write:
    params = [param for entry in table.pop("params", ()) for param in _params(entry)]
    purpose = table.pop("dynamic", "")
    return Write(
        name=name,
        kind=table.pop("token", "csrf") or None,
        params=tuple(params),
        examples=tuple((query, shown) for query, shown in table.pop("examples", ())),
        dynamic=dynamic_params(purpose) if purpose else "",
        **table,
    )


def _params(entry: str | dict[str, Any]) -> tuple[Param, ...]:
    if isinstance(entry, str):
        return SHARED[entry]
    return (_KINDS[entry.pop("type", "string")](**entry),)


def _enum(*, name: str, values: str | list[str], **options: Any) -> Param:
    if isinstance(values, str):
        return enum(name, choices=CHOICES[values], **options)
    return enum(name, *values, **options)


def _user(*, kinds: list[str], **options: Any) -> Param:
    return user(kinds=tuple(kinds), **options)


def _title(*, must_exist: bool, **options: Any) -> Param:
    return Param(type=TitleType(must_exist=must_exist), **options)


def _upload(**options: Any) -> Param:
    return Param(type=UploadType(), **options)


_KINDS: Mapping[str, Callable[..., Param]] = MappingProxyType(
    {
        "boolean": boolean,
        "enum": _enum,
        "integer": integer,
        "namespace": namespace,
        "string": string,
        "text": text,
        "timestamp": timestamp,
        "title": _title,
        "upload": _upload,
        "user": _user,
    }
)
