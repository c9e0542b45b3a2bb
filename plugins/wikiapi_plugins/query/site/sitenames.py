"""Parts of ``meta=siteinfo`` that are names: namespaces, special pages, interwikis, languages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wikiapi.api import Arr, Loose, MetaModule, Obj
from wikiapi.config import WikitextConfig
from wikiapi.languages import html_code
from wikiapi.site import Site
from wikiapi.title import MAIN, Interwiki, Namespace
from wikiapi_plugins.shared.facts import facts


def namespaces(module: MetaModule) -> Obj:
    """Return the namespaces by number."""
    spaces = module.site.namespaces
    return Obj(((str(space.id), _namespace(space)) for space in spaces), element="ns")


def _namespace(namespace: Namespace) -> Obj:
    case = "first-letter" if namespace.first_letter else "case-sensitive"
    item = Obj({"id": namespace.id, "case": case, "name": namespace.name}, content="name")
    item["subpages"] = namespace.subpages
    if namespace.id != MAIN and namespace.canonical:
        item["canonical"] = namespace.canonical
    item["content"] = namespace.content
    item["nonincludable"] = namespace.nonincludable
    if namespace.protection:
        item["namespaceprotection"] = "|".join(namespace.protection)
    if namespace.content_model:
        item["defaultcontentmodel"] = namespace.content_model
    return item


def namespace_aliases(module: MetaModule) -> Arr:
    """Return the aliases of namespaces."""
    return Arr(
        (
            Obj({"id": namespace.id, "alias": alias}, content="alias")
            for namespace in module.site.namespaces
            for alias in namespace.aliases
        ),
        "ns",
    )


def special_page_aliases(module: MetaModule) -> Arr:
    """Return the names of each special page."""
    return Arr(
        (
            Obj({"realname": name, "aliases": Arr(names, "alias")})
            for name, names in module.site.special_pages.names.items()
        ),
        "specialpage",
    )


def interwiki_map(module: MetaModule) -> Arr:
    """Return the interwiki prefixes: all, only local ones, or only others."""
    locality = module.p.text_or_none("filteriw")
    entries = (entry for entry in module.site.interwiki if locality in (None, _local[entry.local]))
    own, config = module.site.interwiki.own, module.site.config.wikitext
    return Arr(
        (_interwiki(entry, config, is_own=entry.prefix.lower() in own) for entry in entries),
        "iw",
    )


_local = {True: "local", False: "!local"}


def _interwiki(entry: Interwiki, config: WikitextConfig, *, is_own: bool) -> Obj:
    item = Obj({"prefix": entry.prefix})
    if entry.local:
        item["local"] = True
    if entry.trans:
        item["trans"] = True
    language = facts("languages").get(entry.prefix)
    if language and config.interwiki_magic:
        item |= {"language": language, "bcp47": html_code(entry.prefix)}
    if is_own:
        item["localinterwiki"] = True
    if entry.prefix in config.language_prefixes:
        item["extralanglink"] = True
    item |= {"url": entry.url, "protorel": entry.url.startswith("//")}
    for name, value in (("wikiid", entry.wiki_id), ("api", entry.api)):
        if value:
            item[name] = value
    return item


def languages(_: MetaModule) -> Arr:
    """Return every language that has a name."""
    names = facts("languages")
    return Arr(
        (
            Obj({"code": code, "bcp47": html_code(code), "name": names[code]}, content="name")
            for code in names
        ),
        "lang",
    )


def language_variants(_: MetaModule) -> Obj:
    """Return the languages that have variants, and the fallbacks of each variant."""
    variants = facts("languagevariants")
    return Obj(
        (
            (
                language,
                Obj(
                    (
                        (code, Loose((name, Arr(codes, "variant")) for name, codes in ways.items()))
                        for code, ways in by_code.items()
                    ),
                    element="variant",
                    key="code",
                ),
            )
            for language, by_code in variants.items()
        ),
        element="lang",
        key="code",
    )


# Magic words have MediaWiki's order and spelling; words that it does not know follow at the end.


def magic_words(module: MetaModule) -> Arr:
    """Return all magic words that the parser recognises."""
    return module.site.derived(_magic_words)


def _magic_words(site: Site) -> Arr:
    declared: dict[str, Obj] = {}
    for function in _distinct(site.parser.registries.functions.values()):
        names = [name.removeprefix("#") for name in function.names]
        declared[_id(function.name)] = _word(function.name, names, function.case_sensitive)
    for variable in _distinct(site.parser.registries.variables.values()):
        name, names = variable.name, variable.names
        declared[_id(name)] = _word(name, names, variable.case_sensitive)
    for switch in site.parser.registries.switches.values():
        declared[_id(switch.name)] = _word(switch.name, switch.aliases, switch.case_sensitive)
    others = facts("wikiwords")["undeclared"]
    words = [
        _word(name, word.words, word.case_sensitive)
        for name, word in site.magic_words.items()
        if others.get(name, name) in ("", *declared)
    ]
    words += (word for name, word in declared.items() if name not in site.magic_words)
    return Arr(words, "magicword")


def _word(name: str, aliases: Iterable[str], case_sensitive: bool) -> Obj:
    item = Obj({"name": _id(name), "aliases": Arr(dict.fromkeys(aliases), "alias")})
    item["case-sensitive"] = case_sensitive
    return item


def function_hooks(module: MetaModule) -> Arr:
    """Return the parser functions."""
    functions = _distinct(module.site.parser.registries.functions.values())
    return Arr(_in_order("functionhooks", (_id(function.name) for function in functions)), "h")


def variables(module: MetaModule) -> Arr:
    """Return the variables."""
    declared = _distinct(module.site.parser.registries.variables.values())
    return Arr(_in_order("variables", (_id(variable.name) for variable in declared)), "v")


def extension_tags(module: MetaModule) -> Arr:
    """Return the extension tags."""
    names = _in_order("extensiontags", module.site.parser.registries.tags)
    return Arr((f"<{name}>" for name in names), "t")


def protocols(module: MetaModule) -> Arr:
    """Return the protocols of external links."""
    return Arr(module.site.parser.link_rules.protocols.listed, "p")


def _in_order(kind: str, names: Iterable[str]) -> list[str]:
    """Return names in MediaWiki's order."""
    places = {name: place for place, name in enumerate(facts("wikiwords")[kind])}
    return sorted(names, key=lambda name: places.get(name, len(places)))


def _distinct(declarations: Iterable[Any]) -> list[Any]:
    return list({id(declaration): declaration for declaration in declarations}.values())


def _id(name: str) -> str:
    return name.removeprefix("#").lower()
