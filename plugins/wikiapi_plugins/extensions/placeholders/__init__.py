"""Placeholders: tags that are not rendered here are replaced by a message and their source.

These are ``<score>``, ``<timeline>``, ``<mapframe>``, ``<maplink>``, ``<graph>``, and ``<math>``
and ``<chem>`` on wikis that do not enable formulas. The setting ``tags`` of
``[extensions.placeholders]`` lists the tags to replace, all by default. A tag that another plugin
renders must be left out of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.site import Site
from wikiapi.wiki import Wiki
from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    TagCall,
    encode_attributes,
    escape_all,
    finish_fragment,
    trim,
)

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension."""
    return (
        Extension(
            "Placeholders",
            kind="parserhook",
            license="MIT",
            author="wikiapi",
            description="Messages in place of scores, timelines, maps and graphs",
            tags=declarations(site),
            messages=FOLDER / "messages",
            resources=lambda: read_modules(FOLDER / "resources"),
        ),
    )


_STYLES = "ext.placeholders.styles"
_NUMBER = re.compile(r"[+-]?[0-9]{1,3}(?:\.[0-9]{1,12})?", re.ASCII)
_MAP = "https://www.openstreetmap.org/?mlat={lat}&mlon={lon}#map={zoom}/{lat}/{lon}"


def frame(call: TagCall) -> Expansion:
    """Return a box with the message and the source, which is collapsed."""
    return Expansion(_frame(call, call.name, ""), html=True)


def mapframe(call: TagCall) -> Expansion:
    """Return a box in place of a map, with its caption and a link to OpenStreetMap."""
    text = call.attributes.get("text", "")
    caption = f"<p>{_inline(text, call)}</p>" if text else ""
    place = _place(call.attributes)
    link = _map_link(call, place, escape_all(", ".join(place[:2]))) if place else ""
    return Expansion(_frame(call, "mapframe", caption + (f"<p>{link}</p>" if link else "")), True)


def maplink(call: TagCall) -> Expansion:
    """Return the label of a link to a map, with a link to OpenStreetMap if it has coordinates."""
    place = _place(call.attributes)
    text = call.attributes.get("text", "")
    text_html = _inline(text, call) if text else escape_all(", ".join(place[:2]) if place else "")
    label = text_html or escape_all(call.state.messages.text("placeholders-map"))
    return Expansion(_map_link(call, place, label) if place else f"<span>{label}</span>", html=True)


def formula(call: TagCall) -> Expansion:
    """Return the source of a formula."""
    call.state.output.module_styles.setdefault(_STYLES)
    block = trim(call.attributes.get("display", "")).lower() == "block"
    element, place = ("div", "display") if block else ("span", "inline")
    attributes = {"class": f"mwe-math-fallback-source-{place} tex", "dir": "ltr"}
    text = escape_all(f"$ {trim(call.inner or '')} $")
    return Expansion(f"<{element}{encode_attributes(attributes)}>{text}</{element}>", html=True)


_TAGS = {
    "score": frame,
    "timeline": frame,
    "graph": frame,
    "mapframe": mapframe,
    "maplink": maplink,
    "math": formula,
    "chem": formula,
}
_FORMULAS = frozenset({"math", "chem"})


def declarations(site: Wiki) -> list[ExtensionTag]:
    """Return the tags of a wiki, without those of formulas if it enables the plugin Math."""
    extensions = site.config.extensions
    return [
        ExtensionTag(name, _TAGS[name])
        for name in extensions.get("placeholders", {}).get("tags", _TAGS)
        if name in _TAGS and not (name in _FORMULAS and "math" in extensions)
    ]


def _frame(call: TagCall, kind: str, more: str) -> str:
    state = call.state
    state.output.module_styles.setdefault(_STYLES)
    words = escape_all(state.messages.interface_text(f"placeholders-{kind}"))
    source = trim(call.inner or "")
    folded = ""
    if source:
        title = escape_all(state.messages.interface_text("placeholders-source"))
        folded = f"<details><summary>{title}</summary><pre>{escape_all(source)}</pre></details>"
    attributes = encode_attributes({"class": f"ext-placeholder ext-placeholder-{kind}"})
    return f"<div{attributes}>{more}<p>{words}</p>{folded}</div>"


def _inline(text: str, call: TagCall) -> str:
    """Return wikitext as HTML without the paragraph around it."""
    html = finish_fragment(call.parse(text), call.state).strip()
    return html.removeprefix("<p>").removesuffix("</p>").strip()


def _place(attributes: Mapping[str, str]) -> tuple[str, str, str] | None:
    """Return latitude, longitude and zoom, or ``None`` if they are not on Earth."""
    lat, lon = (trim(attributes.get(name, "")) for name in ("latitude", "longitude"))
    if not (_NUMBER.fullmatch(lat) and _NUMBER.fullmatch(lon)):
        return None
    if abs(float(lat)) > 90 or abs(float(lon)) > 180:
        return None
    zoom = trim(attributes.get("zoom", ""))
    return lat, lon, zoom if zoom.isascii() and zoom.isdigit() and len(zoom) < 3 else "10"


def _map_link(call: TagCall, place: tuple[str, str, str], label: str) -> str:
    lat, lon, zoom = place
    address = _MAP.format(lat=lat, lon=lon, zoom=zoom)
    call.state.output.add_external_link(address)
    rules, page = call.state.link_rules, call.state.title
    attributes = {
        **rules.attributes(address, page),
        "class": "external text",
        "href": address,
    }
    return f"<a{encode_attributes(attributes)}>{label}</a>"
