"""``meta=siteinfo``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import boolean, enum, string
from wikiapi.api.query.module import MetaModule
from wikiapi.api.result import Arr, Loose, Obj
from wikiapi_plugins.families import siteinstall, sitenames, sitewords
from wikiapi_plugins.families.sitegeneral import general

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wikiapi.site import Site


def _promotion(_: MetaModule) -> Obj:
    """Who becomes autoconfirmed: everybody with an account, as by default."""
    conditions = (("APCOND_EDITCOUNT", 0), ("APCOND_AGE", 0))
    rule = Obj({"operand": "&"})
    for position, (name, value) in enumerate(conditions):
        rule[str(position)] = Obj({"condname": name, "params": Arr([value], "param")})
    return Obj({"autoconfirmed": rule})


_PARTS: Mapping[str, Callable[[MetaModule], Any]] = {
    "general": general,
    "namespaces": sitenames.namespaces,
    "namespacealiases": sitenames.namespace_aliases,
    "specialpagealiases": sitenames.special_page_aliases,
    "magicwords": sitewords.magic_words,
    "interwikimap": sitenames.interwiki_map,
    "dbrepllag": siteinstall.replication_lag,
    "statistics": siteinstall.statistics,
    "usergroups": siteinstall.user_groups,
    "autocreatetempuser": lambda _: Loose({"enabled": False}),
    "clientlibraries": lambda _: Arr((), "library"),
    "libraries": siteinstall.libraries,
    "extensions": siteinstall.extensions,
    "fileextensions": siteinstall.file_extensions,
    "rightsinfo": siteinstall.rights_info,
    "restrictions": siteinstall.restrictions,
    "languages": sitenames.languages,
    "languagevariants": sitenames.language_variants,
    "skins": siteinstall.skins,
    "extensiontags": sitewords.extension_tags,
    "functionhooks": sitewords.function_hooks,
    "showhooks": siteinstall.show_hooks,
    "variables": sitewords.variables,
    "protocols": sitewords.protocols,
    "defaultoptions": siteinstall.default_options,
    "uploaddialog": siteinstall.upload_dialog,
    "autopromote": _promotion,
    "autopromoteonce": lambda _: Obj({"onEdit": Arr((), "rule")}),
    "copyuploaddomains": lambda _: Arr((), "domain"),
}

_CHANGING = frozenset({"general", "statistics", "usergroups"})
"""Parts that tell the time, count, or depend on the request; others are made once for a site."""


class _Fixed:
    """The parts that do not change, by name and filter; made with ``site.api.derived``."""

    def __init__(self, _: Site) -> None:
        """Begin with nothing: a part is made when it is first asked for."""
        self.parts: dict[tuple[str, str | None], Any] = {}


class SiteInfo(MetaModule):
    """Return general information about the site."""

    name = "siteinfo"
    prefix = "si"
    params = (
        enum("prop", *_PARTS, multi=True, default="general", help="What to tell."),
        enum("filteriw", "local", "!local", help="Only local interwiki prefixes, or only others."),
        boolean("showalldb", "List all database servers, not just the one that lags most."),
        boolean("numberingroup", "Count the members of user groups."),
        string("inlanguagecode", "Language of names, as far as they are known in it."),
    )
    examples = (
        ("action=query&meta=siteinfo&siprop=general|namespaces|namespacealiases|statistics",
         "What the wiki is called and how it is divided"),
        ("action=query&meta=siteinfo&siprop=interwikimap&sifilteriw=local",
         "Local interwiki prefixes"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Siteinfo",)

    def execute(self) -> None:
        """Tell the parts asked for."""
        for name in self.p["prop"]:
            told = self._part(name)
            if not self.result.add(("query",), name, told):
                self.set_continue("|".join(self.p["prop"][self.p["prop"].index(name) :]), "prop")
                return

    def _part(self, name: str) -> Any:
        """One part of the answer; not to be changed."""
        if name in _CHANGING:
            return _PARTS[name](self)
        parts, key = self.site.api.derived(_Fixed).parts, (name, self.p["filteriw"])
        if key not in parts:
            parts[key] = _PARTS[name](self)
        return parts[key]
