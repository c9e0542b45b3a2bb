"""The plugins that ship with wikiapi, registered through the same hooks as those of third parties.

Each sub-package lists what it provides in ``MODULES`` (or in ``DECLARATIONS``, for elements of the
wikitext language), and the hook implementations below return these lists. They import a
sub-package only when they are called, because importing any sub-package, such as that of a
command, imports this module first.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wikiapi.hookspecs import hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click

    from wikiapi.api import Action, Format, QueryModule, QueryPage
    from wikiapi.filerepo import FileRepository
    from wikiapi.languages import LanguageConverter
    from wikiapi.plugins import ExtensionCredits
    from wikiapi.resources import ResourceModule
    from wikiapi.site import Site
    from wikiapi.wikitext import (
        BehaviorSwitch,
        ContentModel,
        ExtensionTag,
        ParserFunction,
        SpecialPage,
        Variable,
    )


@hookimpl
def register_actions() -> Iterable[type[Action]]:
    """Return the built-in actions."""
    from wikiapi_plugins import actions

    return actions.MODULES


@hookimpl
def register_query_modules() -> Iterable[type[QueryModule]]:
    """Return the built-in query modules."""
    from wikiapi_plugins import query

    return query.MODULES


@hookimpl
def register_query_pages() -> Iterable[QueryPage]:
    """Return the built-in maintenance reports."""
    from wikiapi_plugins.query.search import QUERY_PAGES

    return QUERY_PAGES


@hookimpl
def register_formats() -> Iterable[type[Format]]:
    """Return the built-in formats."""
    from wikiapi_plugins import formats

    return formats.MODULES


@hookimpl
def register_file_repositories(site: Site) -> Iterable[FileRepository]:
    """Return the file repositories declared in the configuration."""
    from wikiapi_plugins import filerepos

    return filerepos.configured(site)


@hookimpl
def register_content_models() -> Iterable[ContentModel]:
    """Return the built-in content models."""
    from wikiapi_plugins.wikitext import contentmodels

    return contentmodels.DECLARATIONS


@hookimpl
def register_parser_functions(site: Site) -> Iterable[ParserFunction]:
    """Return the built-in parser functions."""
    from wikiapi_plugins.wikitext import parserfunctions

    return parserfunctions.declarations(site)


@hookimpl
def register_variables() -> Iterable[Variable]:
    """Return the built-in variables."""
    from wikiapi_plugins.wikitext import parserfunctions, variables

    return (*variables.DECLARATIONS, *parserfunctions.VARIABLES)


@hookimpl
def register_behavior_switches() -> Iterable[BehaviorSwitch]:
    """Return the built-in behaviour switches."""
    from wikiapi_plugins.wikitext import behaviorswitches

    return behaviorswitches.DECLARATIONS


@hookimpl
def register_extension_tags(site: Site) -> Iterable[ExtensionTag]:
    """Return the built-in extension tags."""
    from wikiapi_plugins.wikitext import tags

    return tags.declarations(site)


@hookimpl
def register_special_pages() -> Iterable[SpecialPage]:
    """Return the built-in special pages that may be transcluded."""
    from wikiapi_plugins.wikitext import specialpages

    return specialpages.DECLARATIONS


@hookimpl
def register_language_converters() -> Iterable[LanguageConverter]:
    """Return the converters between the variants of languages."""
    from wikiapi_plugins import languages

    return languages.DECLARATIONS


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the folder with the texts of the interface that clients ask for by name."""
    from wikiapi_plugins.shared import interface

    return (Path(interface.__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheets and scripts that pages load without any extension."""
    from wikiapi_plugins.shared.resources.declared import core_modules

    return core_modules()


# First, so that a third party's commands that fail do not take these with them.
@hookimpl(tryfirst=True)
def register_commands(cli: click.Group) -> None:
    """Add the commands of the bundled plugins."""
    from wikiapi.cli.support.group import LazyCommand

    cli.add_command(
        LazyCommand(
            "export",
            "wikiapi_plugins.export.command",
            "Write pages as a static site, ZIM, JSON lines, Parquet or Markdown.",
        )
    )
    cli.add_command(
        LazyCommand(
            "mcp", "wikiapi_plugins.mcp.command", "Serve the wiki to language models (MCP)."
        )
    )


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the skins, which MediaWiki lists among its extensions."""
    from wikiapi_plugins.shared.interface.skins import skin_credits

    return skin_credits()
