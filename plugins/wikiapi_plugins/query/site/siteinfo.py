"""``meta=siteinfo``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from wikiapi.api import (
    Arr,
    Indexed,
    Loose,
    MetaModule,
    Obj,
    boolean,
    compact,
    enum,
    iso,
    string,
)
from wikiapi.languages import direction, language
from wikiapi.site import Site
from wikiapi_plugins.query.site import siteinstall, sitenames
from wikiapi_plugins.query.site.languageinfo import variant_name

_LEGAL_TITLE_CHARACTERS = " %!\"$&'()*,\\-.\\/0-9:;=?@A-Z\\\\^_`a-z~\\x80-\\xFF+"


def general(module: MetaModule) -> Obj:
    """Return the general information, which most clients read first."""
    site = module.site
    data = Obj(_identity(site), bools=("variantarticlepath",))
    data |= _software(module)
    data |= _languages(site)
    config = site.config.site
    data |= {
        "articlepath": config.article_path,
        "scriptpath": config.script_path,
        "script": f"{config.script_path}/index.php",
        "variantarticlepath": config.variant_article_path or False,
        "server": config.server,
        "servername": urlsplit(config.server).hostname or "",
        "favicon": _absolute(site, "/favicon.ico"),
    }
    data |= {"time": iso(compact(module.context.now)), "misermode": site.is_miser}
    data |= _files(site)
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
    """Return data on MediaWiki's platform, which some clients expect to be present."""
    config = module.site.config
    announces = config.site.announce_read_only
    reason = module.site.read_only_reason if announces else config.site.read_only
    data = {
        "phpversion": "8.2.0",
        "phpsapi": "wsgi",
        "dbtype": str(module.db.dialect.name),
        "dbversion": module.db.server_version,
        "readonly": bool(reason),
        "writeapi": True,
        "maxarticlesize": config.limits.article_size,
    }
    if reason:
        data["readonlyreason"] = reason
    return data


def _languages(site: Site) -> dict[str, Any]:
    facts = language(site.language)
    fallback = (Obj({"code": code}) for code in facts.chain[1:])
    return {
        "langconversion": True,
        "linkconversion": True,
        "titleconversion": True,
        "linkprefixcharset": facts.link_prefix_characters,
        "linkprefix": facts.link_prefix,
        "linktrail": facts.link_trail,
        "legaltitlechars": _LEGAL_TITLE_CHARACTERS,
        "invalidusernamechars": "@:>=",
        "allunicodefixes": False,
        "lang": site.language,
        "fallback": Arr(fallback, "lang"),
        **_variants(site),
        "rtl": direction(site.language) == "rtl",
        "fallback8bitEncoding": facts.legacy_encoding,
        "timezone": site.config.site.timezone,
        "timeoffset": _time_offset(site),
    }


def _variants(site: Site) -> dict[str, Any]:
    """Return the variants of the content language, if it has any."""
    language = site.parser.content_converter
    if language is None:
        return {}
    names = [
        Obj({"code": code, "name": message.text if message else variant_name(code)})
        for code in language.by_code
        for message in [site.messages.find(f"variantname-{code}", site.language)]
    ]
    return {"variants": Arr(names, "lang")}


def _time_offset(site: Site) -> int:
    """Return by how many minutes the wiki's local time is ahead of UTC."""
    try:
        zone = ZoneInfo(site.config.site.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        return 0
    return int((site.clock().astimezone(zone).utcoffset() or timedelta()).total_seconds() // 60)


def _files(site: Site) -> dict[str, Any]:
    files, gallery = site.config.files, site.config.gallery
    return {
        **_external_images(site),
        "uploadsenabled": files.uploads,
        "maxuploadsize": site.config.editing.upload_bytes,
        "minuploadchunksize": site.config.editing.min_chunk_bytes,
        "galleryoptions": Obj(
            {
                "imagesPerRow": gallery.images_per_row,
                "imageWidth": gallery.image_width,
                "imageHeight": gallery.image_height,
                "captionLength": True,
                "showBytes": gallery.show_bytes,
                "showDimensions": gallery.show_dimensions,
                "mode": gallery.mode,
            }
        ),
        "thumblimits": Indexed.of(files.thumb_limits, "limit"),
        "imagelimits": Indexed.of(
            (Obj({"width": w, "height": h}) for w, h in files.image_limits), "limit"
        ),
    }


def _external_images(site: Site) -> dict[str, Any]:
    """Return which addresses of images become images: with an empty beginning, all do."""
    permitted = site.config.wikitext.external_images
    if permitted is True:
        return {"externalimages": Arr([""], "prefix")}
    images = {"externalimages": Arr(permitted, "prefix")} if permitted else {}
    return {"imagewhitelistenabled": False, **images}


def _linking(site: Site) -> dict[str, Any]:
    wikitext = site.config.wikitext
    kinds = ("ISBN", "PMID", "RFC")
    data: dict[str, Any] = {
        "centralidlookupprovider": "local",
        "allcentralidlookupproviders": Arr(["local"], "_v"),
        "interwikimagic": wikitext.interwiki_magic,
        "magiclinks": Loose({kind: kind in wikitext.magic_links for kind in kinds}),
        "categorycollation": site.config.site.category_collation,
        "nofollowlinks": wikitext.no_follow,
        "nofollownsexceptions": Arr(wikitext.no_follow_namespaces, "ns"),
        "nofollowdomainexceptions": Arr(wikitext.no_follow_domains, "_v"),
        "externallinktarget": wikitext.external_link_target or False,
    }
    if "references" in site.parser.registries.tags:
        data["citeresponsivereferences"] = True
    return data


def _absolute(site: Site, address: str) -> str:
    return site.config.site.server + address if address.startswith("/") else address


def _promotion(module: MetaModule) -> Obj:
    """Return the conditions, number of edits and age in seconds, of autoconfirmed accounts."""
    permissions = module.site.config.permissions
    age = int(timedelta(days=permissions.autoconfirm_days).total_seconds())
    conditions = (("APCOND_EDITCOUNT", permissions.autoconfirm_edits), ("APCOND_AGE", age))
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
    "defaultoptions": siteinstall.user_options,
    "uploaddialog": siteinstall.upload_dialog,
    "autopromote": _promotion,
    "autopromoteonce": lambda _: Obj({"onEdit": Arr((), "rule")}),
    "copyuploaddomains": lambda _: Arr((), "domain"),
}

_CHANGING = frozenset({"general", "statistics", "usergroups"})
"""Parts with times or counts, or that depend on the request; others are cached for the site."""


def _fixed_parts(_: Site) -> dict[tuple[str, str | None], Any]:
    """Return the cache of the parts that do not change, which are made when first requested."""
    return {}


class SiteInfo(MetaModule):
    """Return facts about the wiki: its settings, namespaces, statistics and others."""

    name = "siteinfo"
    prefix = "si"
    params = (
        enum("prop", *_PARTS, multi=True, default="general", help="Properties to include."),
        enum("filteriw", "local", "!local", help="Only local interwiki prefixes, or only others."),
        boolean("showalldb", "List all database servers, not just the one that lags most."),
        boolean("numberingroup", "Count the members of user groups."),
        string("inlanguagecode", "Language of names, if they are known in it."),
    )
    examples = (
        ("action=query&meta=siteinfo&siprop=general|namespaces|namespacealiases|statistics",
         "The name, namespaces and statistics of the wiki"),
        ("action=query&meta=siteinfo&siprop=interwikimap&sifilteriw=local",
         "Local interwiki prefixes"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Siteinfo",)

    def execute(self) -> None:
        """Add the requested parts."""
        names, locality = self.p.texts("prop"), self.p.text_or_none("filteriw")
        cached = self.site.derived(_fixed_parts)
        for position, name in enumerate(names):
            if name in _CHANGING:
                data = _PARTS[name](self)
            elif (name, locality) in cached:
                data = cached[name, locality]
            else:
                data = cached[name, locality] = _PARTS[name](self)
            if not self.result.add(("query",), name, data):
                self.set_continue("|".join(names[position:]), "prop")
                return
