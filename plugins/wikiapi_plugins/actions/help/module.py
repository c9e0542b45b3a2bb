"""``action=help``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.cachecontrol import CacheMode
from wikiapi.api.module import Action
from wikiapi.api.params.declaration import boolean, string
from wikiapi.api.result import Obj, RawBody
from wikiapi.errors import ApiError
from wikiapi_plugins.actions.help.page import STYLE, Contents, help_page
from wikiapi_plugins.documentation.modules import Descriptions
from wikiapi_plugins.documentation.paths import UnknownModule, find_path
from wikiapi_plugins.documentation.texts import HTML
from wikiapi_plugins.documentation.tree import ROOT
from wikiapi_plugins.interface.ownstyle import own_style_policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi_plugins.documentation.tree import ModuleTree

_FILE = "api-help.html"
_MEDIA_TYPE = "text/html"
_MANUAL = "https://www.mediawiki.org/wiki/Special:MyLanguage/API:"


class Help(Action):
    """Show help on modules."""

    name = "help"
    needs_read = False
    params = (
        string("modules", "Modules by path, such as ``parse`` or ``query+info``.", multi=True,
               default=ROOT),
        boolean("submodules", "Show help on their submodules as well."),
        boolean("recursivesubmodules", "Show help on the submodules of those as well."),
        boolean("wrap", "Put the page into an answer of the usual form."),
        boolean("toc", "Begin with a table of contents."),
    )  # fmt: skip
    examples = (
        ("action=help", "Help on the main module"),
        ("action=help&modules=query&submodules=1", "Help on query and all its modules"),
        ("action=help&recursivesubmodules=1", "All help on one page"),
    )
    help_urls = (f"{_MANUAL}Main_page", f"{_MANUAL}FAQ", f"{_MANUAL}Quick_start_guide")

    def cache_mode(self) -> CacheMode:
        """The same for everybody with the same limits."""
        return CacheMode.PUBLIC

    def execute(self) -> None:
        """Show the page, as it is or within an answer.

        Raises:
            ApiError: ``badmodule``.
        """
        page = self._page()
        if self.p["wrap"]:
            wrapped = Obj({"mime": _MEDIA_TYPE, "filename": _FILE, "help": page})
            wrapped.subelements = frozenset({"help"})
            self.result.set((), self.name, wrapped)
            return
        self.context.headers.append(("Content-Security-Policy", own_style_policy(STYLE)))
        body = page.encode("utf-8", "replace")
        self.result.raw = RawBody(body, f"{_MEDIA_TYPE}; charset=utf-8", _FILE)

    def _page(self) -> str:
        high_limits = self.context.user.can("apihighlimits")
        descriptions = self.site.api.derived(Descriptions)
        paths = list(self._paths(descriptions.tree))
        contents = Contents(
            self.site,
            [descriptions.of(path, HTML, high_limits=high_limits) for path in paths],
            mount=self.context.request.mount,
            with_toc=self.p["toc"],
            high_limits=high_limits,
        )
        return help_page(contents)

    def _paths(self, tree: ModuleTree) -> Iterator[str]:
        for name in self.p["modules"]:
            try:
                path = find_path(tree, name)
            except UnknownModule as unknown:
                raise ApiError.of("badmodule", unknown.key, *unknown.params) from unknown
            yield path
            if self.p["recursivesubmodules"]:
                yield from tree.below(path)
            elif self.p["submodules"]:
                yield from tree.children(path)
