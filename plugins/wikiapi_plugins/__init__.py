"""The plugins that ship with wikiapi, registered through the same hooks as anybody's.

Each sub-package declares what it holds in ``MODULES`` (or ``DECLARATIONS`` for the words of the
wikitext language); this module hands them to the hooks.
"""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.api import Action, Format, QueryModule
from wikiapi.filerepo import FileRepository
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi.wikitext import (
    BehaviorSwitch,
    ContentModel,
    ExtensionTag,
    ParserFunction,
    SpecialPage,
    Variable,
)
from wikiapi_plugins import (
    actions,
    filerepos,
    formats,
    query,
)
from wikiapi_plugins.interface.skins import skin_credits
from wikiapi_plugins.wikitext import (
    behaviorswitches,
    contentmodels,
    magicwords,
    parserfunctions,
    specialpages,
    tags,
    variables,
)


@hookimpl
def register_actions() -> Iterable[type[Action]]:
    """The built-in actions."""
    return actions.MODULES


@hookimpl
def register_query_modules() -> Iterable[type[QueryModule]]:
    """The built-in query modules."""
    return query.MODULES


@hookimpl
def register_formats() -> Iterable[type[Format]]:
    """The built-in formats."""
    return formats.MODULES


@hookimpl
def register_file_repositories(site: Site) -> Iterable[FileRepository]:
    """The repositories of the configuration."""
    return filerepos.configured(site)


@hookimpl
def register_content_models() -> Iterable[ContentModel]:
    """The built-in content models."""
    return contentmodels.DECLARATIONS


@hookimpl
def register_parser_functions(site: Site) -> Iterable[ParserFunction]:
    """The built-in parser functions."""
    return magicwords.localized(parserfunctions.DECLARATIONS, site.language)


@hookimpl
def register_variables(site: Site) -> Iterable[Variable]:
    """The built-in variables."""
    declared = (*variables.DECLARATIONS, *parserfunctions.VARIABLES)
    return magicwords.localized(declared, site.language)


@hookimpl
def register_behavior_switches(site: Site) -> Iterable[BehaviorSwitch]:
    """The built-in behaviour switches."""
    return magicwords.localized(behaviorswitches.DECLARATIONS, site.language)


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """The built-in extension tags."""
    return tags.DECLARATIONS


@hookimpl
def register_special_pages() -> Iterable[SpecialPage]:
    """The built-in special pages that may be transcluded."""
    return specialpages.DECLARATIONS


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """What of this MediaWiki counts as an extension: its skins."""
    return skin_credits()
