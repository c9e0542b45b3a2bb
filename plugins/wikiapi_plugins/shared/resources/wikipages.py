"""Modules made of pages of the wiki: its own style sheets and scripts, and gadgets."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from wikiapi.site import Site
from wikiapi.store.queries import pages, texts
from wikiapi.title import MEDIAWIKI, Title, default_model
from wikiapi_plugins.shared.resources import gadgets
from wikiapi_plugins.shared.resources.gadgets import Gadget, page_title, read_definitions

_CSS, _JAVASCRIPT, _JSON = "css", "javascript", "json"
_MODELS = {".css": _CSS, ".js": _JAVASCRIPT, ".json": _JSON}


@dataclass(frozen=True, slots=True)
class PageModule:
    """A module whose style sheets, scripts and data are pages.

    Attributes:
        name: the name of the module.
        pages: the pages; the extension of a name tells what the page holds.
        dependencies: names of modules whose scripts run first.
        print_pages: those of the pages whose style sheets apply to print only.
        package: file names by page, if it is a package; its first script is the entry point.
    """

    name: str
    pages: tuple[Title, ...]
    dependencies: tuple[str, ...] = ()
    print_pages: frozenset[Title] = frozenset()
    package: Mapping[Title, str] | None = None


@dataclass(frozen=True, slots=True)
class PageTexts:
    """Texts and revision ids of those pages of modules that exist and have the right model."""

    texts: Mapping[tuple[int, str], str]
    revisions: Mapping[tuple[int, str], int]

    def styles(self, module: PageModule) -> str:
        """Return the style sheets of a module."""
        return "\n".join(
            f"@media print {{\n{text}\n}}" if title in module.print_pages else text
            for title, text in self._pages_ending(module, ".css")
        )

    def scripts(self, module: PageModule) -> str:
        """Return the scripts of a module, concatenated."""
        return "\n;\n".join(text for _, text in self._pages_ending(module, ".js"))

    def files(self, module: PageModule) -> dict[str, str]:
        """Return the scripts and data of a package by file name."""
        names = module.package or {}
        pages = (*self._pages_ending(module, ".js"), *self._pages_ending(module, ".json"))
        return {names[title]: text for title, text in pages}

    def _pages_ending(self, module: PageModule, ending: str) -> Iterator[tuple[Title, str]]:
        for title in module.pages:
            if title.dbkey.endswith(ending) and title.key in self.texts:
                yield title, self.texts[title.key]


def site_modules(site: Site, skin: str) -> dict[str, PageModule]:
    """Return the modules of the wiki's own style sheets and scripts for a skin."""
    own = skin[:1].upper() + skin[1:]
    for_print = _title(site, "Print.css")
    sheets = (_title(site, "Common.css"), _title(site, f"{own}.css"), for_print)
    scripts = (_title(site, "Common.js"), _title(site, f"{own}.js"))
    modules = (
        PageModule("site.styles", sheets, print_pages=frozenset({for_print})),
        PageModule("site", scripts, ("site.styles",)),
        PageModule("noscript", (_title(site, "Noscript.css"),)),
    )
    return {module.name: module for module in modules}


def gadgets_of(site: Site) -> list[Gadget]:
    """Return the gadgets of the wiki, if the configuration enables them. One query."""
    if not gadgets.is_on(site):
        return []
    title = _title(site, gadgets.DEFINITION)
    page = texts.current(site.db, [title.key]).get(title.key)
    return list(read_definitions(page.text)) if page and page.text else []


def gadget_module(site: Site, gadget: Gadget) -> PageModule:
    """Return the module of a gadget."""
    named = {page: page_title(site, page) for page in gadget.pages}
    names = (*gadget.scripts, *gadget.styles, *gadget.data)
    titles = [(title, page) for page in names if (title := named[page])]
    return PageModule(
        gadget.module,
        tuple(title for title, _ in titles),
        gadget.values("dependencies"),
        package=dict(titles) if gadget.is_package else None,
    )


def revisions_of(site: Site, modules: Iterable[PageModule]) -> dict[tuple[int, str], int]:
    """Return the current revision ids of the existing pages of modules, by key. One query."""
    keys = {title.key for module in modules for title in module.pages}
    return {
        key: row.latest
        for key, row in pages.by_titles(site.db, keys).items()
        if _is_usable(site, key, row.content_model)
    }


def texts_of(site: Site, modules: Iterable[PageModule]) -> PageTexts:
    """Return the pages of modules, without suppressed texts. One query."""
    keys = {title.key for module in modules for title in module.pages}
    current = {
        key: page
        for key, page in texts.current(site.db, keys).items()
        if _is_usable(site, key, page.model)
    }
    return PageTexts(
        {key: page.text for key, page in current.items() if page.text is not None},
        {key: page.revision_id for key, page in current.items()},
    )


def version_of(module: PageModule, revisions: Mapping[tuple[int, str], int]) -> str:
    """Return a version of a module, which changes whenever one of its pages changes."""
    facts = [(title.dbkey, revisions.get(title.key)) for title in module.pages]
    return digest(repr((module.name, module.dependencies, facts)))


def digest(text: str) -> str:
    """Return a short hash of a text, which serves as its version."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def _is_usable(site: Site, key: tuple[int, str], model: str | None) -> bool:
    title = site.titles.make(*key)
    ending = "." + title.dbkey.rpartition(".")[2]
    return (model or default_model(title)) == _MODELS.get(ending)


def _title(site: Site, name: str) -> Title:
    return site.titles.make(MEDIAWIKI, name)
