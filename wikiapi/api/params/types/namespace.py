"""A namespace, by number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikiapi.api.params.types.base import ParamType
from wikiapi.api.params.types.enumeration import unknown_value
from wikiapi.title.namespaces import MEDIA, SPECIAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.api.params.types.base import Validation
    from wikiapi.site import Site


VIRTUAL = (MEDIA, SPECIAL)
"""Namespaces that hold no pages, but that links lead to and that logs tell of."""


@dataclass(frozen=True)
class NamespaceType(ParamType):
    """The number of a namespace the wiki has; ``extra`` adds ones that are usually left out."""

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
