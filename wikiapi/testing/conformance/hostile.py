"""Checks of what a client may send in place of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.testing.asking import ask
from wikiapi.testing.conformance.requests import lists_in_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wikiapi.api.module import Module
    from wikiapi.site import Site

POSITIONS = (
    "x' OR 1=1--",
    "||||||||",
    "99999999999999999999|99999999999999999999",
    "-1|-1|-1",
    "1_0|\u0665",
    "1\n|2",
    "%|_|\\",
    "\x00|\ufffd",
    "20240101000000|" + "9" * 500,
)


def hostile_positions_are_harmless(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """A position that no answer gave is refused, or finds something; it never breaks anything."""
    for module, params in lists_in_parts(modules):
        if all(param.name != "continue" for param in module.params):
            continue
        for position in POSITIONS:
            try:
                ask(site, params | {f"{module.prefix}continue": position, "continue": "-||"})
            except Exception as error:
                yield f"{module.name}: {position!r} raises {error!r}"
