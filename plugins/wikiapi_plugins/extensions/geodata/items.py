"""What answers tell of a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import enum
from wikiapi_plugins.extensions.geodata.coordinates import number

if TYPE_CHECKING:
    from collections.abc import Collection

    from wikiapi.api.params.declaration import Param
    from wikiapi_plugins.extensions.geodata.coordinates import Place

_PROPS = (
    ("type", "What is there."),
    ("name", "Its name."),
    ("dim", "Its size in metres."),
    ("country", "The country, by its code of two letters."),
    ("region", "The region, by the part of its code behind the country."),
    ("globe", "The planet or moon."),
)
PRIMARY = "primary"


def prop_param(default: str) -> Param:
    """``prop``: what to tell beside the angles."""
    names = [name for name, _ in _PROPS]
    return enum("prop", *names, multi=True, default=default, value_help=_PROPS,
                help="What else to tell of the coordinates.")  # fmt: skip


def primary_param() -> Param:
    """``primary``: whether the place is the page's subject or only mentioned."""
    return enum(PRIMARY, PRIMARY, "secondary", "all", default=PRIMARY,
                help="Whether the place is the subject of the page, or mentioned.")  # fmt: skip


def angles(place: Place) -> dict[str, Any]:
    """The angles in degrees."""
    return {"lat": number(place.lat), "lon": number(place.lon)}


def facts(place: Place, props: Collection[str]) -> dict[str, Any]:
    """Of what is asked for, what is known."""
    values = place._asdict()
    asked = {name: values[name] for name, _ in _PROPS if name in props}
    return {name: value for name, value in asked.items() if value is not None}
