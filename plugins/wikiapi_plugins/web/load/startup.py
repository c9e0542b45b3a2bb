"""The module ``startup``: the loader itself, the list of all modules, and its settings."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from wikiapi.site import Site
from wikiapi_plugins.web.load.loaded import RegisteredModule, registered_modules
from wikiapi_plugins.web.paths import below, script

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
    names = {name: namespace.id for namespace in namespaces for name in _names(namespace)}
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


def _names(namespace: Any) -> list[str]:
    names = (namespace.name, namespace.canonical, *namespace.aliases)
    return [name.replace(" ", "_").lower() for name in names if name is not None]


@cache
def _loader() -> str:
    folder = resources.files("wikiapi_plugins.web.load")
    return (folder / "static" / "startup.js").read_text(encoding="utf-8")
