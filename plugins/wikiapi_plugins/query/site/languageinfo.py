"""``meta=languageinfo``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wikiapi.api import Arr, MetaModule, Obj, continuation, enum, string
from wikiapi.languages import ListOf, direction, html_code, language
from wikiapi.site import Site
from wikiapi_plugins.shared.facts import facts

_ALL = "*"
_SIMPLE_ENGLISH = "simple"


def _variants(code: str, site: Site) -> list[str]:
    if code == _SIMPLE_ENGLISH:
        return ["en"]
    converter = site.parser.registries.converters.get(code)
    return list(converter.by_code if converter else facts("languagevariants").get(code, [code]))


def variant_name(code: str) -> str:
    """Return the name of a variant of a language, as readers see it."""
    return facts("variantnames").get(code) or _autonym(code)


def _autonym(code: str, _: Site | None = None) -> str:
    return str(facts("languages").get(code, code))


_FACTS: Mapping[str, Callable[[str, Site], Any]] = {
    "code": lambda code, _: code,
    "bcp47": lambda code, _: html_code(code),
    "dir": lambda code, _: direction(code),
    "autonym": _autonym,
    "name": _autonym,
    "variantnames": lambda code, site: Obj((v, variant_name(v)) for v in _variants(code, site)),
    "fallbacks": lambda code, _: Arr(language(code).fallbacks, "fb"),
    "variants": lambda code, site: Arr(_variants(code, site), "var"),
}


class LanguageInfo(MetaModule):
    """Return information about languages.

    The names of languages are their autonyms.
    """

    name = "languageinfo"
    prefix = "li"
    params = (
        enum("prop", *_FACTS, multi=True, default="code",
             help="Properties of each language to include."),
        string("code", "Codes of languages; ``*`` for all that have a name.", multi=True,
               default=_ALL),
        continuation(),
    )  # fmt: skip
    examples = (
        ("action=query&meta=languageinfo", "The codes of all languages"),
        ("action=query&meta=languageinfo&licode=oc|he&liprop=autonym|dir|fallbacks",
         "Some facts about two languages"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Languageinfo",)

    def execute(self) -> None:
        """Add the languages in the order of their codes."""
        self.result.node(("query", self.name))
        start = self.p.text_or_none("continue") or ""
        codes = [code for code in self._codes() if code >= start]
        requested = [(name, fact) for name, fact in _FACTS.items() if name in self.p.texts("prop")]
        languages = {
            code: {name: fact(code, self.site) for name, fact in requested} for code in codes
        }
        if self.result.merge(("query", self.name), languages):
            return
        for code, item in languages.items():
            if not self.result.add(("query", self.name), code, item):
                self.set_continue(code)
                return

    def _codes(self) -> list[str]:
        names: dict[str, str] = facts("languages")
        codes = self.p.texts("code")
        if _ALL in codes:
            return sorted(names)
        unknown = [code for code in codes if code not in names]
        if unknown:
            listed = ListOf(tuple(unknown), "comma")
            self.warn("apiwarn-unrecognizedvalues", self.full("code"), listed, len(unknown))
        return sorted(code for code in codes if code in names)
