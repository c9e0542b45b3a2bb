"""Parts of ``meta=siteinfo`` about the words of wikitext, as the parser's registries have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.result import Arr, Obj
from wikiapi.wikitext.protocols import PROTOCOLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wikiapi.api.query.module import MetaModule
    from wikiapi.wikitext.registries import WikitextRegistries


def magic_words(module: MetaModule) -> Arr:
    """Every word that the parser takes for something else than text."""
    return Arr(_words(module.site.parser.registries), "magicword")


def _words(registries: WikitextRegistries) -> Iterator[Obj]:
    for function in _distinct(registries.functions.values()):
        names = [name.removeprefix("#") for name in function.names]
        yield _word(function.name, names, case_sensitive=function.case_sensitive)
    for variable in _distinct(registries.variables.values()):
        yield _word(variable.name, variable.names, case_sensitive=variable.case_sensitive)
    for switch in _distinct(registries.switches.values()):
        yield _word(switch.name, switch.aliases, case_sensitive=switch.case_sensitive)


def _word(name: str, aliases: Iterable[str], *, case_sensitive: bool) -> Obj:
    told = Obj({"name": _id(name), "aliases": Arr(dict.fromkeys(aliases), "alias")})
    told["case-sensitive"] = case_sensitive
    return told


def function_hooks(module: MetaModule) -> Arr:
    """The parser functions."""
    functions = _distinct(module.site.parser.registries.functions.values())
    return Arr((_id(function.name) for function in functions), "h")


def variables(module: MetaModule) -> Arr:
    """The variables."""
    found = _distinct(module.site.parser.registries.variables.values())
    return Arr((_id(variable.name) for variable in found), "v")


def extension_tags(module: MetaModule) -> Arr:
    """The extension tags."""
    return Arr((f"<{name}>" for name in module.site.parser.registries.tags), "t")


def protocols(_: MetaModule) -> Arr:
    """What an external link may begin with."""
    return Arr((*PROTOCOLS, "//"), "p")


def _distinct(declarations: Iterable[Any]) -> list[Any]:
    return list({id(declaration): declaration for declaration in declarations}.values())


def _id(name: str) -> str:
    return name.removeprefix("#").lower()
