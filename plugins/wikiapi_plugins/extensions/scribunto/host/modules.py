"""The functions by which Lua loads modules and pages of JSON."""

from __future__ import annotations

from wikiapi.wikitext import ParseState
from wikiapi_plugins.extensions.scribunto.errors import Refusal
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library
from wikiapi_plugins.extensions.scribunto.modules import PageModules


class ModuleLibrary(Library):
    """Sources of modules, and JSON."""

    def __init__(self, state: ParseState, modules: PageModules) -> None:
        super().__init__(state)
        self._modules = modules

    def module(self, name: str) -> list[str] | None:
        """Return title and digest of a module, which counts as used; ``None`` if there is none."""
        self._modules.note(name)
        title = self._modules.title(name)
        if title:
            self._modules.text(title)
        return self._modules.described(title)

    def source(self, name: str) -> list[str] | None:
        """Return digest and text of a module."""
        title = self._modules.title(name)
        found = self._modules.text(title) if title else None
        return [self._modules.digest(found), found.text] if found else None

    def json(self, name: str) -> str:
        """Return the text of a page of JSON."""
        title = self.site.titles.try_parse(name)
        found = self._modules.text(title) if title and not title.interwiki else None
        if found is None:
            reason = f"'{name}' is not a valid JSON page"
            raise Refusal(f"bad argument #1 to 'mw.loadJsonData' ({reason})")
        return found.text

    functions = (
        HostFunction("module", module),
        HostFunction("source", source),
        HostFunction("json", json),
    )
