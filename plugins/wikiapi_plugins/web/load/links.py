"""The links from the reader's pages to the wiki's own style sheets and scripts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from wikiapi.site import Site
from wikiapi.title import Title
from wikiapi_plugins.shared.interface.skins import OWN_SKIN
from wikiapi_plugins.shared.resources.names import packed_names
from wikiapi_plugins.shared.resources.wikipages import (
    PageModule,
    gadget_module,
    revisions_of,
    site_modules,
    version_of,
)
from wikiapi_plugins.web.load.loaded import SCRIPT, visitor_gadgets
from wikiapi_plugins.web.paths import below, script

PLUGIN = "load"
"""The name of the plugin that answers ``load.php``."""


class SiteLinks(NamedTuple):
    """The URLs of the style sheets and of the startup script, and the values for the loader.

    The URLs are empty if there are no style sheets or scripts.
    """

    styles: str = ""
    startup: str = ""
    page: dict[str, Any] | None = None


def site_links(
    site: Site, root: str, language: str, title: Title | None, *, has_scripts: bool
) -> SiteLinks:
    """Return the links of a page to the wiki's style sheets and scripts. At most two queries.

    Args:
        site: the wiki.
        root: the path at which it is mounted.
        language: the interface language.
        title: the title of the page; ``None`` if it is not a page of the wiki.
        has_scripts: whether scripts of the wiki and of gadgets are run.
    """
    if not site.plugins.has_plugin(PLUGIN):
        return SiteLinks()
    own = site_modules(site, OWN_SKIN)
    gadgets = visitor_gadgets(site, OWN_SKIN, title.ns if title else None)
    sheets = [own["site.styles"], *(gadget_module(site, g) for g in gadgets if g.is_styles_only)]
    scripts = [own["site"], *(gadget_module(site, g) for g in gadgets if not g.is_styles_only)]
    revisions = revisions_of(site, (*sheets, *scripts))
    sheets = [module for module in sheets if _exists(module, revisions)]
    scripts = [module for module in scripts if has_scripts and _exists(module, revisions)]
    versions = [version_of(module, revisions) for module in sorted(sheets, key=_module_name)]
    styles = startup = ""
    if sheets:
        query = {"only": "styles", "version": "".join(versions)}
        styles = _address(site, root, language, map(_module_name, sheets), query)
    if scripts:
        startup = _address(site, root, language, ["startup"], {"only": "scripts", "raw": "1"})
    page = (
        _page_values(title, map(_module_name, scripts), map(_module_name, sheets))
        if scripts
        else None
    )
    return SiteLinks(styles, startup, page)


def _page_values(
    title: Title | None, scripts: Iterable[str], sheets: Iterable[str]
) -> dict[str, Any]:
    """Return the values that the loader reads from the page: settings, modules and their states."""
    values: dict[str, Any] = {"wgAction": "view", "wgUserName": None, "wgUserGroups": ["*"]}
    if title:
        values |= {
            "wgNamespaceNumber": title.ns,
            "wgCanonicalNamespace": title.namespace.canonical.replace(" ", "_"),
            "wgPageName": title.prefixed_dbkey,
            "wgTitle": title.text,
        }
    states = {"site.styles": "ready"} | dict.fromkeys(sheets, "ready")
    return {"config": values, "modules": list(scripts), "states": states}


def _address(
    site: Site, root: str, language: str, names: Iterable[str], query: dict[str, str]
) -> str:
    first = {"lang": language, "modules": packed_names(names), "skin": OWN_SKIN}
    return f"{below(root, script(site, SCRIPT))}?{urlencode(first | query)}"


def _exists(module: PageModule, revisions: dict[tuple[int, str], int]) -> bool:
    return any(title.key in revisions for title in module.pages)


def _module_name(module: PageModule) -> str:
    return module.name
