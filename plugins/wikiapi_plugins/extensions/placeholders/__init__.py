"""Placeholders: tags of extensions that draw what is not drawn here say so, and show their source.

``<score>``, ``<timeline>``, ``<mapframe>``, ``<maplink>``, ``<graph>``, and ``<math>`` and
``<chem>`` on wikis that do not enable formulas. The setting ``tags`` of
``[extensions.placeholders]`` names those that are wanted, all by default. A plugin that really
draws one of them needs it left out there.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.site import Site
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.placeholders import tags


@hookimpl
def register_extension_tags(site: Site) -> Iterable[ExtensionTag]:
    """Return the tags that nothing draws."""
    return tags.declarations(site)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the words for what is not drawn."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of placeholders."""
    return read_modules(Path(__file__).parent / "resources")


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return what the plugin does; it does not pass itself off as the extensions."""
    return (
        ExtensionCredits(
            name="Placeholders",
            kind="parserhook",
            license="MIT",
            author="wikiapi",
            description="Words in place of scores, timelines, maps and graphs",
        ),
    )
