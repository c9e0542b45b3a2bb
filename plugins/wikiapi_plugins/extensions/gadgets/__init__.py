"""Gadgets: ``list=gadgets`` and ``list=gadgetcategories``; ``load.php`` serves their pages.

For wikis whose configuration has a table ``[extensions.gadgets]``, which may be empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from wikiapi.api import Arr, ListModule, Module, Obj, boolean, enum, string
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.store.queries import texts
from wikiapi.title import MEDIAWIKI
from wikiapi.wikitext import ParserOptions
from wikiapi_plugins.actions.parse.markup import without_paragraph
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.shared.resources.gadgets import Gadget, is_on, page_title
from wikiapi_plugins.shared.resources.wikipages import gadgets_of


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension, if the wiki enables it."""
    if not is_on(site):
        return ()
    return (
        BundledExtension(
            "Gadgets",
            kind="other",
            description="Scripts and style sheets of the wiki",
            query_modules=(Gadgets, GadgetCategories),
        ),
    )


_ID, _METADATA, _DESCRIPTION = "id", "metadata", "desc"


_BARE = ParserOptions(limit_report=False, wrapper_class="", edit_sections=False)


def interface_html(module: Module, keys: Iterable[str]) -> Mapping[str, str]:
    """Return the HTML of the pages of interface messages that exist and are not empty, by key.

    The pages are read with one query, and rendered together.
    """
    titles = {key: module.site.titles.try_parse(key, MEDIAWIKI) for key in keys}
    pages = {key: title for key, title in titles.items() if title and title.ns == MEDIAWIKI}
    if not pages:
        return {}
    texts_by_title = texts.current(module.db, [title.key for title in pages.values()])
    written = {
        key: (page.text, title)
        for key, title in pages.items()
        if (page := texts_by_title.get(title.key)) and page.text
    }
    outputs = module.site.parser.parse_all(list(written.values()), _BARE)
    return {
        key: without_paragraph(output.html) for key, output in zip(written, outputs, strict=True)
    }


class Gadgets(ListModule):
    """Return the gadgets that the wiki defines."""

    name = "gadgets"
    prefix = "ga"
    element = "gadget"
    params = (
        enum("prop", _ID, _METADATA, _DESCRIPTION, multi=True, default=f"{_ID}|{_METADATA}",
             help="Which properties of each gadget to return."),
        string("categories", "Return only gadgets of these categories.", multi=True),
        string("ids", "Return only these gadgets.", multi=True),
        boolean("allowedonly", "Return only gadgets that the user may enable."),
        boolean("enabledonly", "Return only gadgets that the user has enabled."),
    )  # fmt: skip
    examples = (
        ("action=query&list=gadgets&gaprop=id|desc", "Gadgets with their descriptions"),
        ("action=query&list=gadgets&gaenabledonly=1", "Gadgets that are enabled for everybody"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:Gadgets",)

    def execute(self) -> None:
        """List the gadgets, in the order of their definition."""
        chosen = [gadget for gadget in gadgets_of(self.site) if self._is_wanted(gadget)]
        props = frozenset(self.p.texts("prop"))
        described = chosen if _DESCRIPTION in props else []
        texts = interface_html(self, map(_key, described))
        items = (self._item(gadget, props, texts.get(_key(gadget), "")) for gadget in chosen)
        self.emit(items, chosen, lambda _: "")

    def _is_wanted(self, gadget: Gadget) -> bool:
        params = self.p
        if params.is_given("categories") and gadget.category not in params.texts("categories"):
            return False
        if params.is_given("ids") and gadget.name not in params.texts("ids"):
            return False
        is_allowed = all(self.context.user.can(right) for right in gadget.values("rights"))
        if params.flag("allowedonly") and not is_allowed:
            return False
        # Users cannot choose gadgets here, so only the default ones are enabled.
        is_enabled = gadget.is_default and is_allowed
        return is_enabled or not params.flag("enabledonly")

    def _item(self, gadget: Gadget, props: frozenset[str], description: str) -> Obj:
        item = Obj()
        if _ID in props:
            item["id"] = gadget.name
        if _METADATA in props:
            # Whom a gadget is for, and how it is loaded.
            settings = Obj(
                {
                    "rights": Arr(gadget.values("rights"), "right"),
                    "skins": Arr(gadget.values("skins"), "skin"),
                    "actions": Arr(gadget.values("actions"), "action"),
                    "categories": Arr(gadget.values("categories"), "category"),
                    "namespaces": Arr(gadget.namespaces, "namespace"),
                    "contentModels": Arr(gadget.values("contentModels"), "contentModel"),
                    "default": gadget.is_default,
                    "hidden": gadget.is_hidden,
                    "package": gadget.is_package,
                    "shared": False,
                    "category": gadget.category,
                    "legacyscripts": gadget.can_load,
                    "requiresES6": "requiresES6" in gadget.flags,
                    "supportsUrlLoad": "supportsUrlLoad" in gadget.flags,
                }
            )

            # The pages of a gadget, and the modules and messages that it needs.
            def titles(pages: tuple[str, ...]) -> Arr:
                parsed = (page_title(self.site, page) for page in pages)
                return Arr((title.prefixed_dbkey for title in parsed if title), "title")

            module = Obj(
                {
                    "scripts": titles(gadget.scripts),
                    "styles": titles(gadget.styles),
                    "datas": titles(gadget.data),
                    "dependencies": Arr(gadget.values("dependencies"), "module"),
                    "peers": Arr(gadget.values("peers"), "module"),
                    "messages": Arr(gadget.values("messages"), "message"),
                }
            )
            item["metadata"] = Obj({"settings": settings, "module": module})
        if _DESCRIPTION in props:
            item["desc"] = description
        return item


def _key(gadget: Gadget) -> str:
    """Return the key of the interface message that describes a gadget."""
    return f"gadget-{gadget.name}"


_NAME, _TITLE, _MEMBERS = "name", "title", "members"


class GadgetCategories(ListModule):
    """Return the categories of gadgets."""

    name = "gadgetcategories"
    prefix = "gc"
    element = "category"
    params = (
        enum("prop", _NAME, _TITLE, _MEMBERS, multi=True, default=_NAME,
             help="Which properties of each category to return."),
        string("names", "Return only these categories.", multi=True),
    )  # fmt: skip
    examples = (
        ("action=query&list=gadgetcategories", "All categories"),
        ("action=query&list=gadgetcategories&gcprop=name|title|members", "Everything about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:Gadgets",)

    def execute(self) -> None:
        """List the categories, in the order of their definition."""
        members = Counter(gadget.category for gadget in gadgets_of(self.site))
        names = [name for name in members if self._is_wanted(name)]
        props = frozenset(self.p.texts("prop"))
        titled = [name for name in names if name] if _TITLE in props else []
        titles = interface_html(self, map(_section_key, titled))
        items = (
            self._item(name, members[name], titles.get(_section_key(name)) or name, props)
            for name in names
        )
        self.emit(items, names, str)

    def _is_wanted(self, name: str) -> bool:
        return not self.p.is_given("names") or name in self.p.texts("names")

    def _item(self, name: str, members: int, title: str, props: frozenset[str]) -> Obj:
        item = Obj()
        if _NAME in props:
            item["name"] = name
        if _TITLE in props and name:
            item["desc"] = title
        if _MEMBERS in props:
            item["members"] = members
        return item


def _section_key(name: str) -> str:
    """Return the key of the interface message that names a category."""
    return f"gadget-section-{name}"
