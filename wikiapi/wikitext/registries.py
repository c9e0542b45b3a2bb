"""The declarations of plugins about wikitext, collected once at start-up into dictionaries."""

from __future__ import annotations

from typing import Protocol

from wikiapi.i18n.variants import LanguageConverter
from wikiapi.registry import Registry, collect, own_name
from wikiapi.wiki import Wiki
from wikiapi.wikitext.declarations import (
    BehaviorSwitch,
    ContentModel,
    ExtensionTag,
    ParserFunction,
    SpecialPage,
    Variable,
)


class _Cased(Protocol):
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def case_sensitive(self) -> bool: ...


class WikitextRegistries:
    """Functions, variables, switches, tags and content models of one site."""

    def __init__(self, site: Wiki) -> None:
        """Collect the declarations of all plugins.

        Raises:
            PluginError: two plugins register the same name, or a plugin's hook fails.
        """
        manager = site.plugins
        self.functions: Registry[ParserFunction] = collect(
            manager,
            "register_parser_functions",
            _lookup_names,
            instances_of=ParserFunction,
            site=site,
        )
        self.variables: Registry[Variable] = collect(
            manager, "register_variables", _lookup_names, instances_of=Variable, site=site
        )
        self.switches: Registry[BehaviorSwitch] = collect(
            manager, "register_behavior_switches", own_name, instances_of=BehaviorSwitch, site=site
        )
        self.tags: Registry[ExtensionTag] = collect(
            manager, "register_extension_tags", own_name, instances_of=ExtensionTag, site=site
        )
        self.special_pages: Registry[SpecialPage] = collect(
            manager, "register_special_pages", own_name, instances_of=SpecialPage, site=site
        )
        self.content_models: Registry[ContentModel] = collect(
            manager, "register_content_models", own_name, instances_of=ContentModel, site=site
        )

        self.converters: Registry[LanguageConverter] = collect(
            manager, "register_language_converters", own_name, site=site
        )

    def function(self, name: str) -> ParserFunction | None:
        """Return the parser function for a name as written, or ``None``."""
        return self.functions.get(f"={name}") or self.functions.get(name.lower())

    def variable(self, name: str) -> Variable | None:
        """Return the variable for a name as written, or ``None``."""
        return self.variables.get(f"={name}") or self.variables.get(name.lower())

    def is_magic_word(self, name: str) -> bool:
        """Return whether a call such as ``{{name}}`` is of a variable or parser function."""
        return bool(self.variable(name) or self.function(name.partition(":")[0]))


def _lookup_names(declaration: _Cased) -> tuple[str, ...]:
    """Return names for lookups: case-sensitive ones after ``=``, others in lower case."""
    if declaration.case_sensitive:
        return tuple(f"={name}" for name in declaration.names)
    return tuple(dict.fromkeys(name.lower() for name in declaration.names))
