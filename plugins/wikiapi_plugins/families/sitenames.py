"""Parts of ``meta=siteinfo`` that are names: namespaces, special pages, interwikis, languages."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from wikiapi.api.result import Arr, Loose, Obj
from wikiapi.i18n.languages import html_code
from wikiapi.title.namespaces import MAIN
from wikiapi.title.specialpages import ALIASES
from wikiapi_plugins.families.facts import facts

if TYPE_CHECKING:
    from wikiapi.api.query.module import MetaModule
    from wikiapi.title.interwiki import Interwiki
    from wikiapi.title.namespaces import Namespace


def namespaces(module: MetaModule) -> Obj:
    """Every namespace by its number."""
    found = ((str(namespace.id), _namespace(namespace)) for namespace in module.site.namespaces)
    return Obj(found, element="ns")


def _namespace(namespace: Namespace) -> Obj:
    case = "first-letter" if namespace.first_letter else "case-sensitive"
    told = Obj({"id": namespace.id, "case": case, "name": namespace.name}, content="name")
    told["subpages"] = namespace.subpages
    if namespace.id != MAIN and namespace.canonical:
        told["canonical"] = namespace.canonical
    told["content"] = namespace.content
    told["nonincludable"] = namespace.nonincludable
    if namespace.protection:
        told["namespaceprotection"] = namespace.protection
    if namespace.content_model:
        told["defaultcontentmodel"] = namespace.content_model
    return told


def namespace_aliases(module: MetaModule) -> Arr:
    """The further names of namespaces."""
    return Arr(
        (
            Obj({"id": namespace.id, "alias": alias}, content="alias")
            for namespace in module.site.namespaces
            for alias in namespace.aliases
        ),
        "ns",
    )


def special_page_aliases(_: MetaModule) -> Arr:
    """The names that each special page goes by."""
    return _special_page_aliases()


@cache
def _special_page_aliases() -> Arr:
    return Arr(
        (
            Obj({"realname": name, "aliases": Arr(names, "alias")})
            for name, names in ALIASES.items()
        ),
        "specialpage",
    )


def interwiki_map(module: MetaModule) -> Arr:
    """The interwiki prefixes, all or those that are local or not."""
    wanted = module.p["filteriw"]
    entries = (entry for entry in module.site.interwiki if wanted in (None, _local[entry.local]))
    return Arr(map(_interwiki, entries), "iw")


_local = {True: "local", False: "!local"}


def _interwiki(entry: Interwiki) -> Obj:
    told = Obj({"prefix": entry.prefix})
    if entry.local:
        told["local"] = True
    if entry.trans:
        told["trans"] = True
    if language := facts("languages").get(entry.prefix):
        told |= {"language": language, "bcp47": html_code(entry.prefix)}
    told |= {"url": entry.url, "protorel": entry.url.startswith("//")}
    for name, value in (("wikiid", entry.wiki_id), ("api", entry.api)):
        if value:
            told[name] = value
    return told


def languages(_: MetaModule) -> Arr:
    """Every language that has a name."""
    return _languages()


@cache
def _languages() -> Arr:
    names = facts("languages")
    return Arr(
        (
            Obj({"code": code, "bcp47": html_code(code), "name": names[code]}, content="name")
            for code in names
        ),
        "lang",
    )


def language_variants(_: MetaModule) -> Obj:
    """The languages that are written in several ways, and what each way falls back on."""
    return _language_variants()


@cache
def _language_variants() -> Obj:
    variants = facts("languagevariants")
    return Obj(
        (
            (
                language,
                Obj(
                    ((code, _variant(told)) for code, told in ways.items()),
                    element="variant",
                    key="code",
                ),
            )
            for language, ways in variants.items()
        ),
        element="lang",
        key="code",
    )


def _variant(told: dict[str, list[str]]) -> Loose:
    return Loose((name, Arr(codes, "variant")) for name, codes in told.items())
