"""UserFunctions: ``{{#ifanon:}}``, ``{{#username:}}`` and others, which depend on the user.

``namespaces`` in ``[extensions.userfunctions]`` lists the ids of the namespaces in whose pages the
functions exist, by default only the MediaWiki namespace. Functions that return personal data need
``personal_data = true``. A page that calls one is rendered for each user, and not cached; the
reader renders all pages as for a user without an account.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from types import MappingProxyType

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi.wikitext import FunctionCall, ParserFunction, PluginState, escape_text
from wikiapi_plugins.extensions.userfunctions.reader import Reader

_NAME = "userfunctions"
_MESSAGES = 8
_SYSOP_RIGHT = "protect"


@hookimpl
def register_parser_functions(site: Site) -> Iterable[ParserFunction]:
    """Return the functions that test the user, and those for personal data if enabled."""
    settings = site.config.extensions.get(_NAME, {})
    namespaces = frozenset(settings.get("namespaces", (_MESSAGES,)))
    personal = _PERSONAL if settings.get("personal_data", False) else {}
    readers = PluginState(partial(Reader, site))
    functions = {
        **{name: partial(_choice, readers, test=test) for name, test in _TESTS.items()},
        **{name: partial(_fact, readers, get=get) for name, get in personal.items()},
    }
    return [
        ParserFunction(name, partial(_where_allowed, function, namespaces), raw=True)
        for name, function in functions.items()
    ]


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    description = "Texts that depend on who reads the page"
    return (ExtensionCredits.bundled("UserFunctions", "parserhook", description),)


def _where_allowed(
    function: Callable[[FunctionCall], str], namespaces: frozenset[int], call: FunctionCall
) -> str | None:
    """Return the result of a function, or ``None`` in a page of another namespace."""
    if call.title.ns not in namespaces:
        return None
    call.state.output.expire_after(0)
    return function(call)


def _choice(
    readers: PluginState[Reader], call: FunctionCall, test: Callable[[Reader, str], bool]
) -> str:
    """Return one text if the user passes a test, and another if not.

    The texts are the first two arguments, or follow the groups if these are tested.
    """
    reader = call.state.plugin(readers)
    if test is not _is_in_group:
        return call.expand(0 if test(reader, "") else 1)
    return call.expand(1 if test(reader, call.first) else 2)


def _is_in_group(reader: Reader, names: str) -> bool:
    wanted = {name.strip().lower() for name in names.split(",")}
    return any(group.lower() in wanted for group in reader.groups)


_TESTS: MappingProxyType[str, Callable[[Reader, str], bool]] = MappingProxyType(
    {
        "#ifanon": lambda reader, _: reader.account is None,
        "#ifblocked": lambda reader, _: reader.is_blocked,
        "#ifsysop": lambda reader, _: _SYSOP_RIGHT in reader.rights,
        "#ifingroup": _is_in_group,
    }
)


def _fact(readers: PluginState[Reader], call: FunctionCall, get: Callable[[Reader], str]) -> str:
    """Return a fact about the user; without an account, the first argument if it is given."""
    reader = call.state.plugin(readers)
    if reader.account is None and call.first:
        return call.first
    return escape_text(get(reader))


_PERSONAL: MappingProxyType[str, Callable[[Reader], str]] = MappingProxyType(
    {
        "#username": lambda reader: reader.name,
        "#realname": lambda reader: reader.real_name,
        "#useremail": lambda reader: reader.email,
        "#nickname": lambda reader: reader.nickname or reader.name,
        "#ip": lambda reader: "" if reader.account else reader.name,
    }
)
