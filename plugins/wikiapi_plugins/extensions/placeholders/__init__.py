"""Placeholders: tags that are not rendered here are replaced by a message and their source.

These are ``<score>``, ``<timeline>``, ``<mapframe>``, ``<maplink>``, ``<graph>``, and ``<math>``
and ``<chem>`` on wikis that do not enable formulas. The setting ``tags`` of
``[extensions.placeholders]`` lists the tags to replace, all by default. A tag that another plugin
renders must be left out of it.
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
    """Return the tags that are replaced."""
    return tags.declarations(site)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the messages shown in place of the tags."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of placeholders."""
    return read_modules(Path(__file__).parent / "resources")


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return credits under its own name, because the plugin does not implement the extensions."""
    return (
        ExtensionCredits(
            name="Placeholders",
            kind="parserhook",
            license="MIT",
            author="wikiapi",
            description="Messages in place of scores, timelines, maps and graphs",
        ),
    )
