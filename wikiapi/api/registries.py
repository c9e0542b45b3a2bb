"""The registries of API modules of one site, filled once at start-up."""

from __future__ import annotations

from functools import cache, cached_property

from wikiapi.api.format import Format
from wikiapi.api.module import Action, Module
from wikiapi.api.params.checking import params_problem
from wikiapi.api.query.module import GENERATOR_PREFIX, QueryModule
from wikiapi.errors import PluginError
from wikiapi.registry import Registry, collect, own_name
from wikiapi.site import Site


def registries(site: Site) -> ApiRegistries:
    """Return the API modules of a site, which are collected on first use."""
    return site.derived(ApiRegistries)


class ApiRegistries:
    """Actions, query modules and formats by name, and the parameters of each."""

    def __init__(self, site: Site) -> None:
        """Collect the modules of all plugins.

        Raises:
            PluginError: two plugins register the same name, two query modules have the same
                prefix, or a parameter is declared wrongly.
        """
        self._site = site
        manager = site.plugins
        actions: Registry[type[Action]] = collect(
            manager,
            "register_actions",
            own_name,
            subclasses_of=Action,
            check=_problem_of,
            site=site,
        )
        self.actions = actions.sorted_by(lambda action: action.position)
        self.formats: Registry[type[Format]] = collect(
            manager,
            "register_formats",
            own_name,
            subclasses_of=Format,
            check=_problem_of,
            site=site,
        )
        self.query_modules: Registry[type[QueryModule]] = collect(
            manager,
            "register_query_modules",
            own_name,
            subclasses_of=QueryModule,
            check=_problem_of,
            site=site,
        )
        _check_prefixes(self.query_modules)
        self._groups = _by_group(self.query_modules)
        self.generators = tuple(
            name for name, cls in self.query_modules.items() if cls.can_generate()
        )
        """The names of the query modules that can be generators."""
        self.format_params = frozenset(
            param.name for cls in self.formats.values() for param in cls.params
        )

    def query_names(self, group: str) -> tuple[str, ...]:
        """Return the names of the query modules of a group: ``prop``, ``list`` or ``meta``."""
        return self._groups.get(group, ())

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
            for param in module.declared_params(self._site)
            if param.sensitive
        )


@cache
def _problem_of(module: type[Module]) -> str:
    """Return what is wrong with a module's parameters; each is checked once, for all sites."""
    return params_problem(module.params)


def _by_group(modules: Registry[type[QueryModule]]) -> dict[str, tuple[str, ...]]:
    names: dict[str, tuple[str, ...]] = {}
    for name, module in modules.items():
        names[module.group] = (*names.get(module.group, ()), name)
    return names


def _check_prefixes(modules: Registry[type[QueryModule]]) -> None:
    """Check that query modules have different prefixes, since a request may use all of them."""
    names: dict[str, str] = {}
    for name, module in modules.items():
        own = (
            module.prefix,
            *((GENERATOR_PREFIX + module.prefix,) if module.can_generate() else ()),
        )
        for prefix in own if module.prefix else ():
            other = names.setdefault(prefix, name)
            if other != name:
                first, second = (f"{n} of {modules.owner(n)}" for n in (other, name))
                raise PluginError(f"the prefix {prefix!r} is shared by {first} and {second}")
