"""Values from a fixed set, and namespaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from wikiapi.api.params.types.base import ParamType, Validation
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Num, Plain, plain_list
from wikiapi.site import Site
from wikiapi.title.namespaces import MEDIA, SPECIAL

Values = tuple[str, ...] | Callable[["Site"], tuple[str, ...]]


@dataclass(frozen=True)
class EnumType(ParamType):
    """One of ``values``, which are a tuple or a function of the site that returns one.

    ``deprecated`` values are accepted with a warning. ``submodules`` says that the values are names
    of modules, which help and paraminfo describe.
    """

    values: Values
    deprecated: frozenset[str] = field(default_factory=frozenset)
    submodules: bool = False
    type_name = "enum"
    is_constant = True

    def choices(self, site: Site) -> tuple[str, ...]:
        return self.values(site) if callable(self.values) else self.values

    def extended(self, other: EnumType) -> EnumType:
        """Return the type with the values of another one added after its own."""

        def values(site: Site) -> tuple[str, ...]:
            return tuple(dict.fromkeys((*self.choices(site), *other.choices(site))))

        return replace(self, values=values, deprecated=self.deprecated | other.deprecated)

    def read(self, name: str, raw: str, validation: Validation) -> str:
        choices = self.choices(validation.site)
        if raw not in choices:
            raise unknown_value(name, raw, choices)
        return raw

    def describe(self, site: Site) -> Mapping[str, Any]:
        described: dict[str, Any] = {"type": list(self.choices(site))}
        if self.deprecated:
            described["deprecatedvalues"] = [
                value for value in self.choices(site) if value in self.deprecated
            ]
        return described


def unknown_value(name: str, raw: str, choices: tuple[str, ...]) -> ApiError:
    """Return the error for a single value that is not one of the choices."""
    key = "paramvalidator-badvalue-enumnotmulti"
    params = (Plain(name), Plain(raw), plain_list(choices), Num(len(choices)))
    return ApiError(Message(key, params), "badvalue")


VIRTUAL = (MEDIA, SPECIAL)
"""Namespaces that have no pages, but can be the target of links and log entries."""


@dataclass(frozen=True)
class NamespaceType(ParamType):
    """The number of a namespace of the wiki; ``extra`` adds virtual ones, which have no pages."""

    extra: tuple[int, ...] = ()
    type_name = "namespace"

    def choices(self, site: Site) -> tuple[str, ...]:
        numbers = sorted({*site.namespaces.ids(), *self.extra})
        return tuple(map(str, numbers))

    def read(self, name: str, raw: str, validation: Validation) -> int:
        choices = self.choices(validation.site)
        if raw not in choices:
            raise unknown_value(name, raw, choices)
        return int(raw)

    def describe(self, site: Site) -> Mapping[str, Any]:
        described: dict[str, Any] = {"type": "namespace"}
        if self.extra:
            described["extranamespaces"] = list(self.extra)
        return described
