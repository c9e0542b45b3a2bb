"""Loading modules that are declared by plugins or consist of pages of the wiki, and ``startup``.

The module ``startup`` is the loader itself, with the list of all modules and its settings.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from wikiapi.resources import ResourceModule
from wikiapi.site import Site
from wikiapi.title import SPECIAL
from wikiapi_plugins.shared.interface.skins import OWN_SKIN
from wikiapi_plugins.shared.resources.declared import JQUERY, declared_modules
from wikiapi_plugins.shared.resources.gadgets import MODULE_PREFIX, Gadget
from wikiapi_plugins.shared.resources.wikipages import (
    PageModule,
    digest,
    gadget_module,
    gadgets_of,
    revisions_of,
    site_modules,
    texts_of,
    version_of,
)
from wikiapi_plugins.web.darkmode import dark_mode_rules
from wikiapi_plugins.web.paths import below, script


@dataclass(frozen=True, slots=True)
class LoadedModule:
    """A module with its content.

    Attributes:
        name: the name of the module.
        version: a checksum that changes with the content.
        styles: the style sheet.
        scripts: the script.
        files: for a package, its files by name; the first one is run.
    """

    name: str
    version: str
    styles: str = ""
    scripts: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RegisteredModule:
    """A module as it is registered with the loader in the browser."""

    name: str
    version: str
    dependencies: tuple[str, ...] = ()
    is_apart: bool = False
    """Whether the module is loaded by a separate request, so that an error affects no others."""


def load_modules(
    site: Site, names: Iterable[str], skin: str, *, may_read: bool
) -> list[LoadedModule]:
    """Return the existing ones of the modules, in the given order. At most two queries.

    Modules that consist of pages are omitted unless the reader ``may_read`` the wiki.
    """
    names = list(names)
    declared = site.derived(_declared_with_versions)
    of_pages = _page_modules(site, skin, names) if may_read else {}
    texts = texts_of(site, of_pages.values()) if of_pages else None
    modules: list[LoadedModule] = []
    for name in names:
        if name in declared:
            module, version = declared[name]
            modules.append(LoadedModule(name, version, module.styles, module.scripts))
        elif name in of_pages and texts:
            pages = of_pages[name]
            version, styles = version_of(pages, texts.revisions), texts.styles(pages)
            if skin == OWN_SKIN:
                styles += dark_mode_rules(styles)
            if pages.package is None:
                modules.append(LoadedModule(name, version, styles, texts.scripts(pages)))
            else:
                files = texts.files(pages)
                modules.append(LoadedModule(name, version, styles, files=files))
    return modules


def registered_modules(site: Site, skin: str, *, may_read: bool) -> list[RegisteredModule]:
    """Return all modules that :func:`load_modules` can load. At most two queries."""
    modules = [
        RegisteredModule(name, version, module.dependencies)
        for name, (module, version) in site.derived(_declared_with_versions).items()
    ]
    of_pages = _page_modules(site, skin) if may_read else {}
    revisions = revisions_of(site, of_pages.values()) if of_pages else {}
    # Scripts of wikis use jQuery without declaring it.
    always = (JQUERY,) if JQUERY in site.derived(declared_modules) else ()
    for name, module in of_pages.items():
        version = version_of(module, revisions)
        needed = (*module.dependencies, *always)
        modules.append(RegisteredModule(name, version, needed, is_apart=True))
    return modules


def visitor_gadgets(site: Site, skin: str, namespace: int | None) -> list[Gadget]:
    """Return the gadgets that are enabled by default on a page. One query.

    ``namespace`` is that of the page; ``None`` if it is not a page of the wiki.
    """
    number = SPECIAL if namespace is None else namespace
    return [gadget for gadget in gadgets_of(site) if gadget.is_for_visitors(skin, number)]


def _page_modules(
    site: Site, skin: str, names: Iterable[str] | None = None
) -> dict[str, PageModule]:
    """Return the modules that consist of pages: those with the given names, or all."""
    modules = site_modules(site, skin)
    if names is None or any(name.startswith(MODULE_PREFIX) for name in names):
        for gadget in gadgets_of(site):
            modules[gadget.module] = gadget_module(site, gadget)
    return modules if names is None else {n: modules[n] for n in names if n in modules}


def _declared_with_versions(site: Site) -> Mapping[str, tuple[ResourceModule, str]]:
    return {
        name: (module, digest(repr(module)))
        for name, module in site.derived(declared_modules).items()
    }


NAME = "startup"
SCRIPT = "load.php"


def startup_script(site: Site, root: str, language: str, skin: str, *, may_read: bool) -> str:
    """Return the script for a site mounted at the path ``root``. At most two queries."""
    registered = registered_modules(site, skin, may_read=may_read)
    modules = {module.name: module for module in registered}
    needed = [name for module in modules.values() for name in module.dependencies]
    for name in needed:
        # If it is requested, the answer says that it is missing.
        modules.setdefault(name, RegisteredModule(name, ""))
    numbers = {name: number for number, name in enumerate(modules)}
    entries = [
        [
            module.name,
            module.version,
            [numbers[name] for name in module.dependencies],
            1 if module.is_apart else None,
        ]
        for module in modules.values()
    ]
    config = json.dumps(site_values(site, root, language, skin))
    return (
        f"{_loader()};mw.loader.register({json.dumps(entries)});"
        f"mw.config.set({config});mw.loader.start();\n"
    )


def site_values(site: Site, root: str, language: str, skin: str) -> dict[str, Any]:
    """Return the values of ``mw.config`` that are the same on all pages."""
    config = site.config.site
    namespaces = sorted(site.namespaces, key=lambda namespace: namespace.id)
    names = {
        name.replace(" ", "_").lower(): namespace.id
        for namespace in namespaces
        for name in (namespace.name, namespace.canonical, *namespace.aliases)
        if name is not None
    }
    return {
        "debug": False,
        "skin": skin,
        "wgArticlePath": below(root, config.article_path),
        "wgContentLanguage": config.language,
        "wgContentNamespaces": [namespace.id for namespace in namespaces if namespace.content],
        "wgDBname": config.wiki_id,
        "wgFormattedNamespaces": {str(one.id): one.name for one in namespaces},
        "wgLoadScript": below(root, script(site, SCRIPT)),
        "wgNamespaceIds": names,
        "wgScript": below(root, script(site, "index.php")),
        "wgScriptPath": below(root, config.script_path),
        "wgServer": config.server,
        "wgSiteName": config.name,
        "wgUserLanguage": language,
        "wgVersion": config.generator.removeprefix("MediaWiki ").partition(" ")[0],
        "wgWikiID": config.wiki_id,
    }


@cache
def _loader() -> str:
    folder = resources.files("wikiapi_plugins.web.load")
    return (folder / "static" / "startup.js").read_text(encoding="utf-8")
