"""TemplateData: ``<templatedata>`` describes a template to readers and ``action=templatedata``.

The description is stored as the page property ``templatedata``, in the normal form made by
:mod:`~wikiapi_plugins.extensions.templatedata.normal`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.api import Action
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.templatedata import tag
from wikiapi_plugins.extensions.templatedata.module import TemplateData


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Return the tag ``<templatedata>``."""
    return (tag.DECLARATION,)


@hookimpl
def register_actions() -> Iterable[type[Action]]:
    """Return ``action=templatedata``."""
    return (TemplateData,)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the texts of the table, and the error messages for invalid descriptions."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of the table."""
    return read_modules(Path(__file__).parent / "resources")


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (
        ExtensionCredits.bundled(
            "TemplateData", "parserhook", "Descriptions of template parameters"
        ),
    )
