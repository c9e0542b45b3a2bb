"""The declarations of plugins about wikitext, collected once at start-up into dictionaries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, Protocol, TypeVar

from wikiapi.languages.magicwords import MagicWords
from wikiapi.languages.variants import LanguageConverter
from wikiapi.registry import Registry, collect, own_name
from wikiapi.wiki import Wiki
from wikiapi.wikitext.declarations import (
    ExtensionTag,
    ParserFunction,
    SpecialPage,
    Variable,
)
from wikiapi.wikitext.inline.switches import BehaviorSwitch


class _Word(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def case_sensitive(self) -> bool: ...


Word = TypeVar("Word", bound=_Word)


_FULL_WIDTH_COLON = "\uff1a"
_COLON = re.compile(f"[:{_FULL_WIDTH_COLON}]")


class NamedCall(NamedTuple):
    """A parser function, the name by which it is called, and the text after the colon."""

    function: ParserFunction
    name: str
    rest: str


class WikitextRegistries:
    """Functions, variables, switches, tags and special pages of one site."""

    def __init__(self, site: Wiki) -> None:
        """Collect the declarations of all plugins.

        Raises:
            PluginError: two plugins register the same name, a plugin's hook fails, or a name cannot
                be written in wikitext.
        """
        manager = site.plugins
        self.functions: Registry[ParserFunction] = collect(
            manager,
            "register_parser_functions",
            _lookup_names,
            instances_of=ParserFunction,
            check=_call_problem,
            site=site,
        )
        self.variables: Registry[Variable] = collect(
            manager,
            "register_variables",
            _lookup_names,
            instances_of=Variable,
            check=_call_problem,
            site=site,
        )
        switches: Registry[BehaviorSwitch] = collect(
            manager, "register_behavior_switches", own_name, instances_of=BehaviorSwitch, site=site
        )
        self.switches = switches.changed(lambda switch: _localized(switch, site.magic_words))
        self.tags: Registry[ExtensionTag] = collect(
            manager,
            "register_extension_tags",
            own_name,
            instances_of=ExtensionTag,
            check=_tag_problem,
            site=site,
        )
        self.special_pages: Registry[SpecialPage] = collect(
            manager, "register_special_pages", own_name, instances_of=SpecialPage, site=site
        )
        self.converters: Registry[LanguageConverter] = collect(
            manager, "register_language_converters", own_name, site=site
        )
        self._functions = _with_local_names(self.functions, site.magic_words, _function_name)
        self._variables = _with_local_names(self.variables, site.magic_words, _variable_name)

    def function(self, name: str) -> ParserFunction | None:
        """Return the parser function for a name as written, or ``None``."""
        return self._functions.get(f"={name}") or self._functions.get(name.lower())

    def function_call(self, text: str) -> NamedCall | None:
        """Return the parser function that a call names before a colon, or ``None``."""
        parts = _COLON.split(text, maxsplit=1)
        function = self.function(parts[0]) if len(parts) > 1 else None
        return NamedCall(function, *parts) if function else None

    def variable(self, name: str) -> Variable | None:
        """Return the variable for a name as written, or ``None``."""
        return self._variables.get(f"={name}") or self._variables.get(name.lower())

    def is_magic_word(self, name: str) -> bool:
        """Return whether a call such as ``{{name}}`` is of a variable or parser function."""
        return bool(self.variable(name) or self.function(_COLON.split(name, maxsplit=1)[0]))


_IN_NO_CALL = re.compile(rf"[\[\]{{}}<>|:{_FULL_WIDTH_COLON}\n]|^\s|\s$")
_IN_NO_TAG = re.compile(r"[\s<>/\"'=]")


def _call_problem(declaration: ParserFunction | Variable) -> str:
    """Return what is wrong with a function or variable, empty if nothing is."""
    if not isinstance(declaration.aliases, tuple | list):
        return f"aliases are {declaration.aliases!r}, which is not a tuple of texts"
    for name in declaration.names:
        if not isinstance(name, str) or not name:
            return f"name is {name!r}, which is not a text"
        if sign := _IN_NO_CALL.search(name):
            return (
                f"name {name!r} has {sign[0]!r}: write it as between {{{{ and the colon, such as"
                " '#cups'"
            )
    return _function_problem(declaration.function)


def _tag_problem(tag: ExtensionTag) -> str:
    """Return what is wrong with a tag, empty if nothing is."""
    if not isinstance(tag.name, str) or not tag.name:
        return f"name is {tag.name!r}, which is not a text"
    if sign := _IN_NO_TAG.search(tag.name):
        return f"name {tag.name!r} has {sign[0]!r}: write it without < and >, such as 'tea'"
    if tag.name != tag.name.lower():
        return f"name {tag.name!r} has capitals: write {tag.name.lower()!r}; pages may use any case"
    return _function_problem(tag.function)


def _function_problem(function: object) -> str:
    return "" if callable(function) else f"function is {function!r}, which cannot be called"


def _lookup_names(declaration: _Word) -> tuple[str, ...]:
    """Return names for lookups: case-sensitive ones after ``=``, others in lower case."""
    return _lookups(declaration.names, declaration.case_sensitive)


def _lookups(names: Iterable[str], case_sensitive: bool) -> tuple[str, ...]:
    if case_sensitive:
        return tuple(f"={name}" for name in names)
    return tuple(dict.fromkeys(name.lower() for name in names))


def _with_local_names(
    declared: Registry[Word], words: MagicWords, name_of: Callable[[str, Word], str]
) -> Mapping[str, Word]:
    """Return declarations also by their names in the content language.

    A declared name comes before a local one of another declaration.
    """
    local: dict[str, Word] = {}
    for declaration in declared.values():
        if word := words.local(declaration.name.removeprefix("#")):
            names = (name_of(name, declaration) for name in word.words)
            local |= dict.fromkeys(_lookups(names, word.case_sensitive), declaration)
    return {**local, **declared} if local else declared


def _function_name(word: str, function: ParserFunction) -> str:
    """Return the name by which a parser function is called, for one of its magic words."""
    name = word.removesuffix(":").removesuffix(_FULL_WIDTH_COLON)
    mark = "#" if function.name.startswith("#") and not name.startswith("#") else ""
    return f"{mark}{name}"


def _variable_name(word: str, _: Variable) -> str:
    return word


def _localized(switch: BehaviorSwitch, words: MagicWords) -> BehaviorSwitch:
    """Return a behaviour switch with its words in the content language."""
    word = words.local(switch.name)
    if word is None:
        return switch
    aliases = tuple(dict.fromkeys((*word.words, *switch.aliases)))
    return replace(switch, aliases=aliases, case_sensitive=word.case_sensitive)
