"""UserFunctions: ``{{#ifanon:}}``, ``{{#username:}}`` and others, which show who reads a page.

``namespaces`` in ``[extensions.userfunctions]`` lists the numbers of the namespaces in whose pages
they work, by default only that of the interface's messages; elsewhere they are no functions. What
tells personal data works only with ``personal_data = true``. A page that calls one is rendered for
each user, and not cached; the reader renders all pages as for a visitor without an account.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from types import MappingProxyType

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi.wikitext import FunctionCall, ParserFunction, PluginState, escape_text
from wikiapi_plugins.extensions.userfunctions.reading import Reader

_NAME = "userfunctions"
_MESSAGES = 8
_SYSOP_RIGHT = "protect"


@hookimpl
def register_parser_functions(site: Site) -> Iterable[ParserFunction]:
    """Return the functions that test the user, and those that tell about him, if they may."""
    settings = site.config.extensions.get(_NAME, {})
    namespaces = frozenset(settings.get("namespaces", (_MESSAGES,)))
    told = _TOLD if settings.get("personal_data", False) else {}
    readers = PluginState(partial(Reader, site))
    functions = {
        **{name: partial(_choice, readers, test=test) for name, test in _TESTS.items()},
        **{name: partial(_personal, readers, tell=tell) for name, tell in told.items()},
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
    """Return what a function gives, ``None`` in a page of another namespace."""
    if call.title.ns not in namespaces:
        return None
    call.state.output.expire_after(0)
    return function(call)


def _choice(
    readers: PluginState[Reader], call: FunctionCall, test: Callable[[Reader, str], bool]
) -> str:
    """Return the first or the second text, by a test of the user.

    A test of groups has its groups before them.
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


def _personal(
    readers: PluginState[Reader], call: FunctionCall, tell: Callable[[Reader], str]
) -> str:
    """Return a fact about the user; to a visitor the text given, if there is one."""
    reader = call.state.plugin(readers)
    if reader.account is None and call.first:
        return call.first
    return escape_text(tell(reader))


_TOLD: MappingProxyType[str, Callable[[Reader], str]] = MappingProxyType(
    {
        "#username": lambda reader: reader.name,
        "#realname": lambda reader: reader.real_name,
        "#useremail": lambda reader: reader.email,
        "#nickname": lambda reader: reader.nickname or reader.name,
        "#ip": lambda reader: "" if reader.account else reader.name,
    }
)
