"""``list=gadgets``."""

from __future__ import annotations

from wikiapi.api import Arr, ListModule, Obj, boolean, enum, string
from wikiapi_plugins.extensions.gadgets.descriptions import interface_html
from wikiapi_plugins.resources.gadgets import Gadget, page_title
from wikiapi_plugins.resources.wikipages import gadgets_of

_ID, _METADATA, _DESCRIPTION = "id", "metadata", "desc"


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
            item["metadata"] = Obj({"settings": _settings(gadget), "module": self._module(gadget)})
        if _DESCRIPTION in props:
            item["desc"] = description
        return item

    def _module(self, gadget: Gadget) -> Obj:
        """Return the pages of a gadget, and the modules and messages that it needs."""

        def titles(pages: tuple[str, ...]) -> Arr:
            found = (page_title(self.site, page) for page in pages)
            return Arr((title.prefixed_dbkey for title in found if title), "title")

        return Obj(
            {
                "scripts": titles(gadget.scripts),
                "styles": titles(gadget.styles),
                "datas": titles(gadget.data),
                "dependencies": Arr(gadget.values("dependencies"), "module"),
                "peers": Arr(gadget.values("peers"), "module"),
                "messages": Arr(gadget.values("messages"), "message"),
            }
        )


def _key(gadget: Gadget) -> str:
    """Return the key of the interface message that describes a gadget."""
    return f"gadget-{gadget.name}"


def _settings(gadget: Gadget) -> Obj:
    """Return whom a gadget is for, and how it is loaded."""
    return Obj(
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
