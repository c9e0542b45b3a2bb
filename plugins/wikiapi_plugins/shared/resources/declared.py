"""The resource modules that plugins declare, and one style sheet made of all of them."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from wikiapi.registry import Registry, collect, own_name
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.site import Site
from wikiapi_plugins.shared.interface.skins import SKINS
from wikiapi_plugins.shared.resources.look import LOOK, PALETTE

JQUERY = "jquery"
_JQUERY_FILE = "xstatic/pkg/jquery/data/jquery.min.js"
_FOLDER = Path(__file__).parent
_CONTENT = (_FOLDER / "content.css").read_text(encoding="utf-8")
_CONTENT_NAMES = frozenset(
    {
        "mediawiki.skinning.content.parsoid",
        "mediawiki.skinning.interface",
        *(skin.styles[0] for skin in SKINS.values() if skin.styles),
    }
)
"""Modules that hold the style sheet for rendered wikitext; each MediaWiki skin has its own."""
_EMPTY_NAMES = (
    "codex-styles",
    "jquery.makeCollapsible",
    "jquery.makeCollapsible.styles",
    "jquery.tablesorter",
    "jquery.tablesorter.styles",
    "mediawiki.htmlform.ooui.styles",
    "mediawiki.page.gallery",
    "mediawiki.page.ready",
    "mediawiki.special",
    "mediawiki.toc",
    "mediawiki.toc.styles",
    "mediawiki.widgets.styles",
    "oojs-ui-core.icons",
    "oojs-ui-core.styles",
    "oojs-ui.styles.indicators",
    "user",
    "user.options",
    "user.styles",
)
"""Modules that pages of MediaWiki load, and that are empty here."""


def core_modules() -> Iterable[ResourceModule]:
    """Yield the modules of the skins, and those for wikitext rendered without extensions."""
    sheet = f"{PALETTE}\n{_CONTENT}"
    yield from read_modules(_FOLDER / "core", {"mediawiki.api": ("mediawiki.util",)})
    yield from (ResourceModule(name, sheet) for name in sorted(_CONTENT_NAMES))
    named = {name for skin in SKINS.values() for name in (*skin.styles, *skin.scripts)}
    yield from map(ResourceModule, sorted(named - _CONTENT_NAMES))
    yield from map(ResourceModule, _EMPTY_NAMES)
    yield from jquery_module()


def jquery_module() -> Iterable[ResourceModule]:
    """Return jQuery, if the package ``XStatic-jQuery`` is installed."""
    try:
        path = metadata.distribution("XStatic-jQuery").locate_file(_JQUERY_FILE)
        text = Path(str(path)).read_text(encoding="utf-8")
    except (metadata.PackageNotFoundError, OSError):
        return ()
    # Within a function that has a module, jQuery exports itself and sets no global names.
    return (ResourceModule(JQUERY, scripts=f"{text}\nwindow.$ = window.jQuery = module.exports;"),)


def declared_modules(site: Site) -> Registry[ResourceModule]:
    """Return all modules that plugins declare; call it with ``site.derived``.

    Raises:
        PluginError: two plugins declare the same name.
    """
    return collect(site.plugins, "register_resource_modules", own_name, site=site)


def page_styles(site: Site) -> tuple[str, str]:
    """Return the palette, and the style sheet for everything that a page may contain."""
    modules = site.derived(declared_modules).values()
    sheets = (module.styles for module in modules if module.name not in _CONTENT_NAMES)
    return LOOK, "\n".join((_CONTENT, *filter(None, sheets)))


def page_scripts(site: Site) -> tuple[str, list[str]]:
    """Return the scripts of plugins that run on every page, and the sites that they may frame."""
    modules = [one for one in site.derived(declared_modules).values() if one.in_reader]
    frames = {source for module in modules for source in module.frame_sources}
    return "\n".join(module.scripts for module in modules if module.scripts), sorted(frames)
