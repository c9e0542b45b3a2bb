"""``meta=siteinfo``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from wikiapi.api import Arr, Indexed, Loose, MetaModule, Obj, boolean, compact, enum, iso, string
from wikiapi.i18n import direction
from wikiapi.site import Site
from wikiapi_plugins.query.site import siteinstall, sitenames

_LEGAL_TITLE_CHARACTERS = " %!\"$&'()*,\\-.\\/0-9:;=?@A-Z\\\\^_`a-z~\\x80-\\xFF+"
_LINK_TRAIL = "/^([a-z]+)(.*)$/sD"
_THUMBNAIL_WIDTHS = (120, 150, 180, 200, 250, 300)
_PREVIEW_SIZES = (
    (320, 240),
    (640, 480),
    (800, 600),
    (1024, 768),
    (1280, 1024),
    (2560, 2048),
)
_UPLOAD_BYTES = 104_857_600
_CHUNK_BYTES = 1024


def general(module: MetaModule) -> Obj:
    """Return the object that clients read first of all."""
    site = module.site
    data = Obj(_identity(site), bools=("variantarticlepath",))
    data |= _software(module)
    data |= _languages(site)
    data |= _places(site)
    data |= {"time": iso(compact(module.context.now)), "misermode": False}
    data |= _files()
    data |= _linking(site)
    return data


def _identity(site: Site) -> dict[str, Any]:
    config = site.config.site
    return {
        "mainpage": site.main_page.prefixed_text,
        "base": site.page_url(site.main_page),
        "sitename": config.name,
        "mainpageisdomainroot": False,
        "logo": _absolute(site, config.logo),
        "generator": config.generator,
        "wikiid": config.wiki_id,
        "case": "first-letter" if config.capital_links else "case-sensitive",
    }


def _software(module: MetaModule) -> dict[str, Any]:
    """Names of the parts that MediaWiki runs on; clients expect some, whichever they are."""
    config = module.site.config
    data = {
        "phpversion": "8.2.0",
        "phpsapi": "wsgi",
        "dbtype": str(module.db.dialect.name),
        "dbversion": "0",
        "readonly": bool(config.site.read_only),
        "writeapi": True,
        "maxarticlesize": config.limits.article_size,
    }
    if config.site.read_only:
        data["readonlyreason"] = config.site.read_only
    return data


def _languages(site: Site) -> dict[str, Any]:
    fallback = [] if site.language == "en" else [Obj({"code": "en"})]
    return {
        "langconversion": True,
        "linkconversion": True,
        "titleconversion": True,
        "linkprefixcharset": "",
        "linkprefix": "",
        "linktrail": _LINK_TRAIL,
        "legaltitlechars": _LEGAL_TITLE_CHARACTERS,
        "invalidusernamechars": "@:>=",
        "allunicodefixes": False,
        "lang": site.language,
        "fallback": Arr(fallback, "lang"),
        "rtl": direction(site.language) == "rtl",
        "fallback8bitEncoding": "windows-1252",
        "timezone": site.config.site.timezone,
        "timeoffset": _offset(site),
    }


def _offset(site: Site) -> int:
    """Minutes that the wiki's local time is ahead of UTC."""
    try:
        zone = ZoneInfo(site.config.site.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        return 0
    return int((site.clock().astimezone(zone).utcoffset() or timedelta()).total_seconds() // 60)


def _places(site: Site) -> dict[str, Any]:
    config = site.config.site
    return {
        "articlepath": config.article_path,
        "scriptpath": config.script_path,
        "script": f"{config.script_path}/index.php",
        "variantarticlepath": False,
        "server": config.server,
        "servername": urlsplit(config.server).hostname or "",
        "favicon": _absolute(site, "/favicon.ico"),
    }


def _files() -> dict[str, Any]:
    return {
        "imagewhitelistenabled": False,
        "uploadsenabled": True,
        "maxuploadsize": _UPLOAD_BYTES,
        "minuploadchunksize": _CHUNK_BYTES,
        "galleryoptions": Obj(
            {
                "imagesPerRow": 0,
                "imageWidth": 120,
                "imageHeight": 120,
                "captionLength": True,
                "showBytes": True,
                "showDimensions": True,
                "mode": "traditional",
            }
        ),
        "thumblimits": Indexed.of(_THUMBNAIL_WIDTHS, "limit"),
        "imagelimits": Indexed.of(
            (Obj({"width": w, "height": h}) for w, h in _PREVIEW_SIZES), "limit"
        ),
    }


def _linking(site: Site) -> dict[str, Any]:
    data: dict[str, Any] = {
        "centralidlookupprovider": "local",
        "allcentralidlookupproviders": Arr(["local"], "_v"),
        "interwikimagic": True,
        "magiclinks": Loose({"ISBN": False, "PMID": False, "RFC": False}),
        "categorycollation": "uppercase",
        "nofollowlinks": True,
        "nofollownsexceptions": Arr((), "ns"),
        "nofollowdomainexceptions": Arr(["mediawiki.org"], "_v"),
        "externallinktarget": False,
    }
    if "references" in site.parser.registries.tags:
        data["citeresponsivereferences"] = True
    return data


def _absolute(site: Site, address: str) -> str:
    return site.config.site.server + address if address.startswith("/") else address


def _promotion(_: MetaModule) -> Obj:
    """Return who becomes autoconfirmed: every user with an account, as by default."""
    conditions = (("APCOND_EDITCOUNT", 0), ("APCOND_AGE", 0))
    rule = Obj({"operand": "&"})
    for number, (name, value) in enumerate(conditions):
        rule[str(number)] = Obj({"condname": name, "params": Arr([value], "param")})
    return Obj({"autoconfirmed": rule})


_PARTS: Mapping[str, Callable[[MetaModule], Any]] = {
    "general": general,
    "namespaces": sitenames.namespaces,
    "namespacealiases": sitenames.namespace_aliases,
    "specialpagealiases": sitenames.special_page_aliases,
    "magicwords": sitenames.magic_words,
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
    "extensiontags": sitenames.extension_tags,
    "functionhooks": sitenames.function_hooks,
    "showhooks": siteinstall.show_hooks,
    "variables": sitenames.variables,
    "protocols": sitenames.protocols,
    "defaultoptions": siteinstall.default_options,
    "uploaddialog": siteinstall.upload_dialog,
    "autopromote": _promotion,
    "autopromoteonce": lambda _: Obj({"onEdit": Arr((), "rule")}),
    "copyuploaddomains": lambda _: Arr((), "domain"),
}

_CHANGING = frozenset({"general", "statistics", "usergroups"})
"""Parts that hold the time, count, or depend on the request; others are made once for a site."""


class _Fixed:
    """The parts that do not change, by name and filter; made with ``site.api.derived``."""

    def __init__(self, _: Site) -> None:
        """Begin with nothing: a part is made when it is first requested."""
        self.parts: dict[tuple[str, str | None], Any] = {}


class SiteInfo(MetaModule):
    """Return general information about the site."""

    name = "siteinfo"
    prefix = "si"
    params = (
        enum("prop", *_PARTS, multi=True, default="general", help="Properties to include."),
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
        """Add the parts requested."""
        for name in self.p.texts("prop"):
            data = self._part(name)
            if not self.result.add(("query",), name, data):
                self.set_continue(
                    "|".join(self.p.texts("prop")[self.p.texts("prop").index(name) :]), "prop"
                )
                return

    def _part(self, name: str) -> Any:
        """One part of the answer; not to be changed."""
        if name in _CHANGING:
            return _PARTS[name](self)
        parts, key = self.site.api.derived(_Fixed).parts, (name, self.p.text_or_none("filteriw"))
        if key not in parts:
            parts[key] = _PARTS[name](self)
        return parts[key]
