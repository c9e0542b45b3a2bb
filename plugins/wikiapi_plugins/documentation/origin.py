"""Where a module comes from, as clients are told.

What is built in speaks for the interface it answers: the class, source and licence are those under
which MediaWiki, whose API this is, lists the module. They say nothing about this program's code; a
module of any other plugin is told with that plugin's own name and licence.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from wikiapi_plugins.documentation.tree import OWN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.site import Site
    from wikiapi_plugins.documentation.tree import Described

_CORE = "MediaWiki"
_CORE_LICENCE = "GPL-2.0-or-later"
_CORE_CLASSES = "MediaWiki\\Api\\"


@dataclass(frozen=True)
class Origin:
    """Class, source and licence of a module; ``link`` leads to the licence where known."""

    class_name: str
    source: str
    licence: str = ""
    link: str = ""


def origin_of(site: Site, described: Described) -> Origin:
    """Where a module comes from."""
    if described.plugin != OWN:
        return _foreign(site, described)
    listed = _listed().get(described.path, "")
    if isinstance(listed, dict):
        source = listed["source"]
        return Origin(listed["class"], source, listed["licence"], _licence_link(site, source))
    name = _CORE_CLASSES + (listed or f"Api{described.module.__name__}")
    return Origin(name, _CORE, _CORE_LICENCE, _licence_link(site, _CORE))


def _foreign(site: Site, described: Described) -> Origin:
    module = described.module
    name = f"{module.__module__}.{module.__qualname__}".replace(".", "\\")
    return Origin(name, described.plugin, _licence_of(site, described.plugin))


def _licence_of(site: Site, plugin: str) -> str:
    """The licence in the metadata of the distribution that a plugin was installed with."""
    for loaded, distribution in site.plugins.list_plugin_distinfo():
        if site.plugins.get_name(loaded) == plugin:
            told = distribution.metadata
            return str(told.get("License-Expression") or told.get("License") or "")
    return ""


def _licence_link(site: Site, source: str) -> str:
    return site.page_url(site.titles.parse(f"Special:Version/License/{source}"))


@cache
def _listed() -> Mapping[str, Any]:
    """Core modules by path with the name of their class, those of extensions with all of it."""
    file = resources.files(__package__) / "classnames.json"
    return dict(json.loads(file.read_text("utf-8")))
