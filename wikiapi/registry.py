"""What plugins declare: registries by name, filled once at start-up, and credits.

Looking up a name only reads a dictionary; no hook is called per request or per token.
"""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from wikiapi.errors import PluginError

__all__ = [
    "Registry",
    "collect",
    "own_name",
]


if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pluggy


VERSION_PAGE = "https://www.mediawiki.org/wiki/Extension:"


@dataclass(frozen=True, slots=True)
class ExtensionCredits:
    """A plugin's entry in ``siprop=extensions``, where clients look for extensions by name.

    ``kind`` is one of MediaWiki's groups: ``parserhook``, ``api``, ``semantic``, ``other``... A
    plugin that replaces a MediaWiki extension has the extension's name and kind, and ``url`` is the
    page that describes the extension. ``license`` is the plugin's own license as an SPDX
    expression.
    """

    name: str
    _: KW_ONLY
    kind: str = "other"
    url: str = ""
    version: str = ""
    license: str = ""
    author: str = ""
    description: str = ""


class Named(Protocol):
    """A declaration with a name."""

    @property
    def name(self) -> str:
        """The name under which it is registered."""


T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """A read-only mapping of names to declarations of plugins, in order of registration."""

    def __init__(self, entries: Mapping[str, T], owners: Mapping[str, str]) -> None:
        """Take the declarations by name, and the plugins that registered them by name."""
        self._entries = MappingProxyType(dict(entries))
        self._owners = owners

    def __getitem__(self, name: str) -> T:
        """Return the declaration with a name."""
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names in order of registration."""
        return iter(self._entries)

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self._entries)

    def sorted_by(self, key: Callable[[T], int]) -> Registry[T]:
        """Return a registry in the order of the keys of the declarations."""
        entries = dict(sorted(self._entries.items(), key=lambda item: key(item[1])))
        return Registry(entries, self._owners)

    def changed(self, change: Callable[[T], T]) -> Registry[T]:
        """Return a registry with a replacement for each declaration."""
        entries = {name: change(entry) for name, entry in self._entries.items()}
        return Registry(entries, self._owners)

    def owner(self, name: str) -> str:
        """Return the name of the plugin that registered a name."""
        return self._owners[name]


def collect(
    manager: pluggy.PluginManager,
    hook: str,
    names: Callable[[T], Iterable[str]],
    *,
    instances_of: type | None = None,
    subclasses_of: type | None = None,
    check: Callable[[T], str] | None = None,
    **arguments: object,
) -> Registry[T]:
    """Return a registry of what every plugin declares with a hook.

    Args:
        manager: the site's plugin manager.
        hook: name of a ``register_*`` hook.
        names: returns the names under which a declaration is registered.
        instances_of: the class of the declarations, if they are objects.
        subclasses_of: the base class of the declarations, if they are classes.
        check: returns what is wrong with a declaration, beginning with its part that is wrong, such
            as "name is empty"; or an empty text.
        arguments: the arguments of the hook.

    Raises:
        PluginError: two plugins register the same name, or a plugin's hook fails or returns
            anything else.
    """
    entries: dict[str, T] = {}
    owners: dict[str, str] = {}
    for plugin, place, declared in _sources(manager, hook, arguments):
        for declaration in declared:
            if problem := _problem(declaration, instances_of, subclasses_of):
                raise PluginError(f"plugin {plugin}: {place} {problem}")
            if check and (problem := check(declaration)):
                raise PluginError(
                    f"plugin {plugin}: {place} {_text_of(declaration)}, whose {problem}"
                )
            for name in names(declaration):
                if not isinstance(name, str) or not name:
                    raise PluginError(
                        f"plugin {plugin}: {place} {_text_of(declaration)}, which has no name"
                    )
                if name in owners:
                    raise PluginError(
                        f"{hook}: {name!r} is registered by {owners[name]} and by {plugin}"
                    )
                entries[name] = declaration
                owners[name] = plugin
    return Registry(entries, owners)


def declarations(manager: pluggy.PluginManager, hook: str, **arguments: object) -> list[Any]:
    """Return what every plugin declares with a hook, for declarations that have no name.

    They are in the order in which pluggy calls plugins, the last one loaded first.

    Raises:
        PluginError: a plugin's hook fails, or does not return a list.
    """
    sources = _sources(manager, hook, arguments)
    return [declaration for source in reversed(sources) for declaration in source.declarations]


class _Source(NamedTuple):
    """What one plugin declares with a hook, or in one extension."""

    plugin: str
    place: str
    """The beginning of a sentence about a declaration, for errors."""
    declarations: list[Any]


_ATTRIBUTES: Mapping[str, str] = MappingProxyType(
    {
        "register_actions": "actions",
        "register_behavior_switches": "switches",
        "register_content_models": "content_models",
        "register_extension_tags": "tags",
        "register_messages": "messages",
        "register_models": "models",
        "register_parser_functions": "functions",
        "register_query_modules": "query_modules",
        "register_query_pages": "query_pages",
        "register_resource_modules": "resources",
        "register_rest_routes": "rest_routes",
        "register_special_pages": "special_pages",
        "register_variables": "variables",
    }
)
"""The attribute of an extension that holds what a hook returns."""


def _sources(
    manager: pluggy.PluginManager, hook: str, arguments: Mapping[str, object]
) -> list[_Source]:
    """Return what each plugin declares, in the order in which the plugins were loaded."""
    sources = [
        _Source(each.plugin_name, f"{hook} returned", _declared(each, arguments))
        for each in getattr(manager.hook, hook).get_hookimpls()
    ]
    is_credits, attribute = hook == "register_extension_credits", _ATTRIBUTES.get(hook, "")
    if is_credits or attribute:
        sources += [
            _Source(plugin, f"{hook} returned", [extension])
            if is_credits
            else _part(plugin, extension, attribute)
            for plugin, extension in _extensions(manager, arguments["site"])
        ]
        order = {name: number for number, (name, _) in enumerate(manager.list_name_plugin())}
        sources.sort(key=lambda source: order[source.plugin])
    return sources


def _extensions(manager: pluggy.PluginManager, site: Any) -> list[tuple[str, ExtensionCredits]]:
    """Return the extensions, each after the name of its plugin."""
    if not manager.hook.register_extensions.get_hookimpls():
        return []
    if manager is not site.plugins:
        return _registered(manager, site)
    # The hook is called once for a site, however many kinds of declarations are collected.
    extensions: list[tuple[str, ExtensionCredits]] = site.derived(_registered_in)
    return extensions


def _registered_in(site: Any) -> list[tuple[str, ExtensionCredits]]:
    return _registered(site.plugins, site)


def _registered(manager: pluggy.PluginManager, site: Any) -> list[tuple[str, ExtensionCredits]]:
    hook = "register_extensions"
    extensions = []
    for implementation in manager.hook.register_extensions.get_hookimpls():
        plugin = implementation.plugin_name
        for extension in _declared(implementation, {"site": site}):
            if problem := _problem(extension, ExtensionCredits, None):
                raise PluginError(f"plugin {plugin}: {hook} returned {problem}")
            extensions.append((plugin, extension))
    return extensions


def _part(plugin: str, extension: ExtensionCredits, attribute: str) -> _Source:
    """Return what an extension has in an attribute.

    Raises:
        PluginError: it is not a list of declarations, or the function that makes it fails.
    """
    place = f"{attribute} of the extension {extension.name}"
    declared: Any = getattr(extension, attribute, None)
    try:
        if attribute == "resources" and declared is not None:
            declared = declared()
        if declared is None or isinstance(declared, Path):
            declared = [declared] if declared else []
        if not isinstance(declared, str) and isinstance(declared, Iterable):
            return _Source(plugin, f"{place}:", list(declared))
    except Exception as error:
        raise PluginError(f"plugin {plugin}: {place} failed: {error}{raised_at(error)}") from error
    raise PluginError(
        f"plugin {plugin}: {place}: {_text_of(declared)} is not a list of declarations"
    )


def _declared(implementation: pluggy.HookImpl, arguments: Mapping[str, object]) -> list[Any]:
    selected = {name: arguments[name] for name in implementation.argnames}
    where = f"plugin {implementation.plugin_name}: {implementation.function.__name__}"
    try:
        declared: Any = implementation.function(**selected)
        if declared is None:
            return []
        if not isinstance(declared, str) and isinstance(declared, Iterable):
            return list(declared)
    except Exception as error:
        raise PluginError(f"{where} failed: {error}{raised_at(error)}") from error
    place = place_of(implementation.function)
    raise PluginError(
        f"{where}{place} returned {_text_of(declared)} and not a list of declarations"
    )


def _problem(declaration: Any, instances_of: type | None, subclasses_of: type | None) -> str:
    """Return a text that describes what is wrong with a declaration, empty if nothing is.

    The text completes a sentence such as "the plugin returned".
    """
    if subclasses_of and not (
        isinstance(declaration, type) and issubclass(declaration, subclasses_of)
    ):
        return (
            f"{_text_of(declaration)}, which is not a class derived from {subclasses_of.__name__}"
        )
    if instances_of and not isinstance(declaration, instances_of):
        return f"{_text_of(declaration)}, which is not of type {instances_of.__name__}"
    if subclasses_of and inspect.isabstract(declaration):
        missing = ", ".join(sorted(declaration.__abstractmethods__))
        return f"{_text_of(declaration)}, which does not define {missing}"
    return ""


def _text_of(declaration: object) -> str:
    """Return a declaration as errors show it: a class with its file and line, a value with its
    type.
    """
    if isinstance(declaration, type):
        return f"{declaration.__name__}{place_of(declaration)}"
    text = repr(declaration)
    if callable(declaration):
        return f"{getattr(declaration, '__name__', text)}{place_of(declaration)}"
    return f"{text if len(text) <= 60 else text[:60] + '…'} ({type(declaration).__name__})"


def own_name(declaration: Named) -> tuple[str, ...]:
    """Return a declaration's only name; the usual ``names`` of :func:`collect`."""
    return (getattr(declaration, "name", ""),)


def place_of(declared: object) -> str:
    """Return the file and line of a function or class in parentheses, or an empty string."""
    try:
        unwrapped: Any = inspect.unwrap(declared) if callable(declared) else declared
        file = inspect.getsourcefile(unwrapped)
        line = inspect.getsourcelines(unwrapped)[1]
    except (OSError, TypeError):
        return ""
    return f" ({file}:{line})"


def raised_at(error: BaseException) -> str:
    """Return the file and line where an exception was raised in parentheses, or an empty string."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if not frame.filename.startswith("<")]
    return f" ({outside[-1].filename}:{outside[-1].lineno})" if outside else ""


def owner_of(function: object, manager: pluggy.PluginManager) -> str:
    """Return the name of the plugin that a function or method belongs to, or ``?``."""
    while isinstance(function, functools.partial):
        function = function.func
    if name := manager.get_name(getattr(function, "__self__", None)):
        return name
    module = f"{getattr(function, '__module__', '')}."
    owners = [
        (len(own), name)
        for name, plugin in manager.list_name_plugin()
        if plugin is not None
        for own in [plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__]
        if module.startswith(f"{own}.")
    ]
    return max(owners)[1] if owners else "?"
