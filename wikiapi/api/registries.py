"""The registries of API modules of one site, filled once at start-up."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from wikiapi.api.format import Format
from wikiapi.api.module import Action, Module
from wikiapi.api.params.declaration import Param, token
from wikiapi.api.params.types.enumeration import EnumType
from wikiapi.api.params.validate import ParamSet
from wikiapi.api.query.module import GENERATOR_PREFIX, QueryModule
from wikiapi.api.query.reports import QueryPage
from wikiapi.errors import PluginError
from wikiapi.registry import Registry, collect, declarations, own_name
from wikiapi.site import Site


class ApiRegistries:
    """Actions, query modules and formats by name, and the parameters of each."""

    def __init__(self, site: Site) -> None:
        """Collect the modules of all plugins.

        Raises:
            PluginError: two plugins register the same name, or two query modules have the same
                prefix.
        """
        self._site = site
        manager = site.plugins
        self.actions: Registry[type[Action]] = collect(
            manager, "register_actions", own_name, subclasses_of=Action, site=site
        )
        self.formats: Registry[type[Format]] = collect(
            manager, "register_formats", own_name, subclasses_of=Format, site=site
        )
        self.query_modules: Registry[type[QueryModule]] = collect(
            manager, "register_query_modules", own_name, subclasses_of=QueryModule, site=site
        )
        self.query_pages: Registry[QueryPage] = collect(
            manager, "register_query_pages", own_name, site=site
        )
        _check_prefixes(self.query_modules)
        self._groups = _by_group(self.query_modules)
        self._generators = tuple(
            name for name, cls in self.query_modules.items() if cls.can_generate()
        )
        self.format_params = frozenset(
            param.name for cls in self.formats.values() for param in cls.params
        )
        self._param_sets: dict[tuple[type[Module], str], ParamSet] = {}

    def query_names(self, group: str) -> tuple[str, ...]:
        """Return the names of the query modules of a group: ``prop``, ``list`` or ``meta``."""
        return self._groups.get(group, ())

    def generator_names(self) -> tuple[str, ...]:
        """Return the names of the query modules that can be generators."""
        return self._generators

    def param_set(self, module: type[Module], prefix: str) -> ParamSet:
        """Return the parameters of a module with a prefix, including those that plugins add.

        It is created on first use and cached. Two threads may create one each; either is used.
        """
        found = self._param_sets.get((module, prefix))
        if found is None:
            found = ParamSet(self._declared(module), prefix, self._site)
            self._param_sets[module, prefix] = found
        return found

    @cached_property
    def sensitive_params(self) -> frozenset[str]:
        """The full names of the parameters of all modules whose values are secrets."""
        queried = self.query_modules.values()
        prefixed: list[tuple[type[Module], str]] = [
            *((module, module.prefix) for module in (*self.actions.values(), *queried)),
            *((module, GENERATOR_PREFIX + module.prefix) for module in queried),
        ]
        return frozenset(
            prefix + param.name
            for module, prefix in prefixed
            for param in self._declared(module)
            if param.sensitive
        )

    def _declared(self, module: type[Module]) -> list[Param]:
        added = declarations(self._site.plugins, "register_params", site=self._site, module=module)
        declared = list(module.params)
        if module.needs_token and all(param.name != "token" for param in declared):
            declared.append(token(module.needs_token))
        for param in added:
            _add(declared, param)
        return [param for param in declared if not param.only_if or param.only_if(self._site)]


def _add(declared: list[Param], added: Param) -> None:
    """Add a parameter, or the values of an enumeration to the parameter with the same name."""
    for place, param in enumerate(declared):
        own, more = param.type, added.type
        if param.name == added.name and isinstance(own, EnumType) and isinstance(more, EnumType):
            declared[place] = replace(
                param,
                type=own.extended(more),
                value_help=(*param.value_help, *added.value_help),
            )
            return
    declared.append(added)


def _by_group(modules: Registry[type[QueryModule]]) -> dict[str, tuple[str, ...]]:
    names: dict[str, tuple[str, ...]] = {}
    for name, module in modules.items():
        names[module.group] = (*names.get(module.group, ()), name)
    return names


def _check_prefixes(modules: Registry[type[QueryModule]]) -> None:
    """Check that query modules have different prefixes, since a request may use all of them."""
    taken: dict[str, str] = {}
    for name, module in modules.items():
        own = (
            module.prefix,
            *((GENERATOR_PREFIX + module.prefix,) if module.can_generate() else ()),
        )
        for prefix in own if module.prefix else ():
            other = taken.setdefault(prefix, name)
            if other != name:
                first, second = (f"{n} of {modules.owner(n)}" for n in (other, name))
                raise PluginError(f"the prefix {prefix!r} is shared by {first} and {second}")
