"""``action=paraminfo``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from wikiapi.api import PAGE_SET, PARENT, Action, Arr, CacheMode, Obj, enum, registries, string
from wikiapi_plugins.shared.documentation.modules import Descriptions
from wikiapi_plugins.shared.documentation.texts import FORMS, NONE
from wikiapi_plugins.shared.documentation.tree import (
    ROOT,
    SEPARATOR,
    ModuleTree,
    UnknownModule,
    child_path,
    children_of,
    find_path,
)


class ParamInfo(Action):
    """Get information about the API's modules and their parameters."""

    name = "paraminfo"
    position = 18
    needs_read = False
    params = (
        string("modules", "Paths of modules, such as ``parse`` or ``query+info``; ``query+*`` "
               "stands for all modules of query, ``**`` for all modules.", multi=True),
        enum("helpformat", *FORMS, default=NONE, help="The form of the help texts."),
        enum("querymodules", choices=lambda site: tuple(registries(site).query_modules),
             multi=True, deprecated=True, help="Names of query modules; use ``modules`` instead."),
        string("mainmodule", "Describe the main module as well; use ``modules`` instead.",
               deprecated=True),
        string("pagesetmodule", "Describe the page set as well; use ``modules`` instead.",
               deprecated=True),
        enum("formatmodules", choices=lambda site: tuple(registries(site).formats),
             multi=True, deprecated=True, help="Names of formats; use ``modules`` instead."),
    )  # fmt: skip
    examples = (
        ("action=paraminfo&modules=parse|query%2Binfo|query", "Describe three modules"),
        ("action=paraminfo&modules=query%2B*", "Describe all query modules"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Parameter_information",)

    def cache_mode(self) -> CacheMode:
        """Return ``PUBLIC``: the answer is the same for all users with the same limits."""
        return CacheMode.PUBLIC

    def execute(self) -> None:
        """Put the descriptions of the requested modules into the result."""
        data = Obj({"helpformat": self.p.text("helpformat")})
        paths = chosen_paths(self.site.derived(ModuleTree), self.p.texts("modules"), self.warn)
        if paths:
            data["modules"] = self._descriptions(paths)
        if self.p.texts("querymodules"):
            paths = [child_path(PARENT, name) for name in self.p.texts("querymodules")]
            data["querymodules"] = self._descriptions(paths)
        if self.p.text_or_none("mainmodule"):
            data["mainmodule"] = self._description(ROOT)
        if self.p.text_or_none("pagesetmodule"):
            data["pagesetmodule"] = page_set_description(self._description(PARENT))
        if self.p.texts("formatmodules"):
            data["formatmodules"] = self._descriptions(self.p.texts("formatmodules"))
        self.result.set((), self.name, data)

    def _descriptions(self, paths: Iterable[str]) -> Arr:
        return Arr(map(self._description, paths), "module")

    def _description(self, path: str) -> Any:
        high_limits = self.context.user.can("apihighlimits")
        descriptions = self.site.derived(Descriptions)
        return descriptions.of(path, self.p.text("helpformat"), high_limits=high_limits)


CHILDREN, ALL = "*", "**"


def chosen_paths(tree: ModuleTree, names: Iterable[str], warn: Callable[..., None]) -> list[str]:
    """Return the paths of the named modules, in the order of the names and without duplicates.

    ``warn`` is called for each name that is not a module.
    """
    chosen: dict[str, None] = {}
    for name in names:
        try:
            parent, _, last = name.rpartition(SEPARATOR)
            if last not in (CHILDREN, ALL):
                chosen[find_path(tree, name)] = None
                continue
            path = find_path(tree, parent or ROOT)
            paths = children_of(tree, path) if last == CHILDREN else tree.below(path)
            chosen |= dict.fromkeys(sorted(paths))
        except UnknownModule as unknown:
            warn(unknown.key, *unknown.params)
    return list(chosen)


_KEPT = ("source", "sourcename", "licensetag", "licenselink")
_NAMES = {param.name: position for position, param in enumerate(PAGE_SET, 1)}


def page_set_description(query: Obj) -> Obj:
    """Return the description of the page set, taken from that of ``action=query``."""
    data = Obj({"classname": "MediaWiki\\Api\\ApiPageSet", "prefix": "", "readrights": True})
    data |= {name: query[name] for name in _KEPT}
    data["helpurls"] = Arr(element="helpurl")
    data["parameters"] = Arr(
        (
            Obj(param | {"index": _NAMES[param["name"]]})
            for param in query["parameters"]
            if param["name"] in _NAMES
        ),
        "param",
    )
    data["templatedparameters"] = Arr(element="param")
    return data
