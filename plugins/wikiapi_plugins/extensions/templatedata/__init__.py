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
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.templatedata import tag
from wikiapi_plugins.extensions.templatedata.module import TemplateData


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """``<templatedata>``."""
    return (tag.DECLARATION,)


@hookimpl
def register_actions() -> Iterable[type[Action]]:
    """``action=templatedata``."""
    return (TemplateData,)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Headings of the table, and what may be wrong with a description."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """As the extension of that name."""
    return (
        ExtensionCredits.bundled(
            "TemplateData", "parserhook", "Descriptions of template parameters"
        ),
    )
