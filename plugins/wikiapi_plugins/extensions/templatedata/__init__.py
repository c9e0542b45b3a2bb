"""TemplateData: ``<templatedata>`` describes a template, ``action=templatedata`` returns that.

The description is stored as the page property ``templatedata``, in the normal form that
:mod:`~wikiapi_plugins.extensions.templatedata.normal` makes of it.
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
    """Return headings of the table, and texts for invalid descriptions."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """The style sheet of tables of parameters."""
    return read_modules(Path(__file__).parent / "resources")


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (
        ExtensionCredits.bundled(
            "TemplateData", "parserhook", "Descriptions of template parameters"
        ),
    )
