"""``{{#coordinates:latitude|longitude|primary|parameters|name=...}}``: where something is."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.html.entities import escape_text
from wikiapi_plugins.extensions.geodata.arguments import BadCoordinates, read_place
from wikiapi_plugins.extensions.geodata.coordinates import NotOnGlobe

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall
    from wikiapi.wikitext.output import ParserOutput
    from wikiapi_plugins.extensions.geodata.coordinates import Place

DATA = "geodata"
MOST = 500
"""Coordinates that one page may have."""
_SHOWN_NAME = "&#123;&#123;#coordinates:&#125;&#125;"
_BROKEN = "geodata-broken-tags-category"


def coordinates(call: FunctionCall) -> str:
    """Note the place and show nothing; an error where there is none."""
    arguments = [argument for argument in call.args if argument]
    if not arguments:
        return ""
    try:
        place = read_place(arguments, call.state.message("geodata-primary-coordinate"))
    except BadCoordinates:
        return _error(call, "geodata-bad-input")
    except NotOnGlobe as error:
        return _error(call, f"geodata-bad-{error.axis}")
    places = places_of(call.state.output)
    if place.primary and any(other.primary for other in places):
        return _error(call, "geodata-multiple-primary")
    if len(places) >= MOST:
        return _error(call, "geodata-limit-exceeded", MOST, 1)
    if place not in places:
        places.append(place)
    return ""


def places_of(output: ParserOutput) -> list[Place]:
    """The places that a rendering has met; they can be added to."""
    return cast("list[Place]", output.plugin_data.setdefault(DATA, []))


def _error(call: FunctionCall, key: str, *params: int) -> str:
    call.state.add_tracking_category(_BROKEN)
    text = escape_text(call.state.message(key, *params))
    return f'<span class="error">{_SHOWN_NAME}: {text}</span>'


DECLARATION = ParserFunction("#coordinates", coordinates)
