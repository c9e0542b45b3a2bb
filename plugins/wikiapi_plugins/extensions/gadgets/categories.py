"""``list=gadgetcategories``."""

from __future__ import annotations

from collections import Counter

from wikiapi.api import ListModule, Obj, enum, string
from wikiapi_plugins.extensions.gadgets.descriptions import interface_html
from wikiapi_plugins.resources.wikipages import gadgets_of

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
        titles = interface_html(self, map(_key, titled))
        items = (
            self._item(name, members[name], titles.get(_key(name)) or name, props) for name in names
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


def _key(name: str) -> str:
    """Return the key of the interface message that names a category."""
    return f"gadget-section-{name}"
