"""Parts of ``meta=siteinfo`` about the words of wikitext, as the parser's registries have them.

They come in MediaWiki's order, and are spelled as it spells them; words that it does not know
follow at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.result import Arr, Obj
from wikiapi.wikitext.protocols import PROTOCOLS
from wikiapi_plugins.families.facts import facts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.api.query.module import MetaModule
    from wikiapi.site import Site
    from wikiapi.wikitext.registries import WikitextRegistries

_NO_SLASHES = frozenset({"irc:", "ircs:"})
"""Read by the parser, but not listed among MediaWiki's protocols."""


def magic_words(module: MetaModule) -> Arr:
    """Every word that the parser takes for something else than text."""
    return module.site.api.derived(_magic_words)


def _magic_words(site: Site) -> Arr:
    known = _declared_words(site.parser.registries)
    listed = [word for word in facts("wikiwords")["magicwords"] if _is_meant(word, known)]
    names = {word["name"] for word in listed}
    words = [_word(word["name"], word["aliases"], word["case"]) for word in listed]
    words += (word for name, word in known.items() if name not in names)
    return Arr(words, "magicword")


def _is_meant(word: dict[str, Any], known: dict[str, Obj]) -> bool:
    """Words that are syntax belong to the parser itself, or to the function named ``with``."""
    needed = word.get("with", word["name"])
    return not needed or needed in known


def _declared_words(registries: WikitextRegistries) -> dict[str, Obj]:
    words: dict[str, Obj] = {}
    for function in _distinct(registries.functions.values()):
        names = [name.removeprefix("#") for name in function.names]
        words[_id(function.name)] = _word(function.name, names, function.case_sensitive)
    for variable in _distinct(registries.variables.values()):
        words[_id(variable.name)] = _word(variable.name, variable.names, variable.case_sensitive)
    for switch in _distinct(registries.switches.values()):
        words[_id(switch.name)] = _word(switch.name, switch.aliases, switch.case_sensitive)
    return words


def _word(name: str, aliases: Iterable[str], case_sensitive: bool) -> Obj:
    told = Obj({"name": _id(name), "aliases": Arr(dict.fromkeys(aliases), "alias")})
    told["case-sensitive"] = case_sensitive
    return told


def function_hooks(module: MetaModule) -> Arr:
    """The parser functions."""
    functions = _distinct(module.site.parser.registries.functions.values())
    return Arr(_listed("functionhooks", (_id(function.name) for function in functions)), "h")


def variables(module: MetaModule) -> Arr:
    """The variables."""
    found = _distinct(module.site.parser.registries.variables.values())
    return Arr(_listed("variables", (_id(variable.name) for variable in found)), "v")


def extension_tags(module: MetaModule) -> Arr:
    """The extension tags."""
    names = _listed("extensiontags", module.site.parser.registries.tags)
    return Arr((f"<{name}>" for name in names), "t")


def protocols(_: MetaModule) -> Arr:
    """What an external link may begin with."""
    listed = (protocol for protocol in PROTOCOLS if protocol not in _NO_SLASHES)
    return Arr((*listed, "//"), "p")


def _listed(kind: str, names: Iterable[str]) -> list[str]:
    """Names in MediaWiki's order."""
    places = {name: place for place, name in enumerate(facts("wikiwords")[kind])}
    return sorted(names, key=lambda name: places.get(name, len(places)))


def _distinct(declarations: Iterable[Any]) -> list[Any]:
    return list({id(declaration): declaration for declaration in declarations}.values())


def _id(name: str) -> str:
    return name.removeprefix("#").lower()
