"""The plugins that ship with wikiapi, registered through the same hooks as those of third parties.

Each sub-package declares what it holds in ``MODULES`` (or ``DECLARATIONS`` for the words of the
wikitext language); this module hands them to the hooks. Its functions import them, because
importing any sub-package, such as that of a command, imports this module first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.hookspecs import hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.api import Action, Format, QueryModule, QueryPage
    from wikiapi.filerepo import FileRepository
    from wikiapi.i18n import LanguageConverter
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
    """Yield the built-in actions."""
    from wikiapi_plugins import actions

    return actions.MODULES


@hookimpl
def register_query_modules() -> Iterable[type[QueryModule]]:
    """Yield the built-in query modules."""
    from wikiapi_plugins import query

    return query.MODULES


@hookimpl
def register_query_pages() -> Iterable[QueryPage]:
    """Yield the special pages for maintenance."""
    from wikiapi_plugins.query.search import QUERY_PAGES

    return QUERY_PAGES


@hookimpl
def register_formats() -> Iterable[type[Format]]:
    """Yield the built-in formats."""
    from wikiapi_plugins import formats

    return formats.MODULES


@hookimpl
def register_file_repositories(site: Site) -> Iterable[FileRepository]:
    """Yield the repositories of the configuration."""
    from wikiapi_plugins import filerepos

    return filerepos.configured(site)


@hookimpl
def register_content_models() -> Iterable[ContentModel]:
    """Yield the built-in content models."""
    from wikiapi_plugins.wikitext import contentmodels

    return contentmodels.DECLARATIONS


@hookimpl
def register_parser_functions(site: Site) -> Iterable[ParserFunction]:
    """Yield the built-in parser functions."""
    from wikiapi_plugins.wikitext import magicwords, parserfunctions

    return magicwords.localized(parserfunctions.DECLARATIONS, site.language)


@hookimpl
def register_variables(site: Site) -> Iterable[Variable]:
    """Yield the built-in variables."""
    from wikiapi_plugins.wikitext import magicwords, parserfunctions, variables

    declared = (*variables.DECLARATIONS, *parserfunctions.VARIABLES)
    return magicwords.localized(declared, site.language)


@hookimpl
def register_behavior_switches(site: Site) -> Iterable[BehaviorSwitch]:
    """Yield the built-in behaviour switches."""
    from wikiapi_plugins.wikitext import behaviorswitches, magicwords

    return magicwords.localized(behaviorswitches.DECLARATIONS, site.language)


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Yield the built-in extension tags."""
    from wikiapi_plugins.wikitext import tags

    return tags.DECLARATIONS


@hookimpl
def register_special_pages() -> Iterable[SpecialPage]:
    """Yield the built-in special pages that may be transcluded."""
    from wikiapi_plugins.wikitext import specialpages

    return specialpages.DECLARATIONS


@hookimpl
def register_language_converters() -> Iterable[LanguageConverter]:
    """Return the languages whose variants are known."""
    from wikiapi_plugins import languages

    return languages.DECLARATIONS


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheets and scripts of pages without extensions."""
    from wikiapi_plugins.resources.declared import core_modules

    return core_modules()


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the skins, which count as extensions of MediaWiki."""
    from wikiapi_plugins.interface.skins import skin_credits

    return skin_credits()
