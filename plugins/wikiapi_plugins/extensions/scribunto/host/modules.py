"""The functions that load modules and JSON pages."""

from __future__ import annotations

from wikiapi.wikitext import ParseState
from wikiapi_plugins.extensions.scribunto.errors import HostError
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library
from wikiapi_plugins.extensions.scribunto.modules import PageModules


class ModuleLibrary(Library):
    """Sources of modules, and JSON pages."""

    def __init__(self, state: ParseState, modules: PageModules) -> None:
        super().__init__(state)
        self._modules = modules

    def module(self, name: str) -> list[str] | None:
        """Return the title and digest of a module, which counts as used, or ``None``."""
        self._modules.record_required(name)
        title = self._modules.title(name)
        if title:
            self._modules.text(title)
        return self._modules.title_and_digest(title)

    def source(self, name: str) -> list[str] | None:
        """Return the digest and text of a module, or ``None``."""
        title = self._modules.title(name)
        module = self._modules.text(title) if title else None
        return [self._modules.digest(module), module.text] if module else None

    def json(self, name: str) -> str:
        """Return the text of a JSON page.

        Raises:
            HostError: the page does not exist.
        """
        title = self.site.titles.try_parse(name)
        page = self._modules.text(title) if title and not title.interwiki else None
        if page is None:
            reason = f"'{name}' is not a valid JSON page"
            raise HostError(f"bad argument #1 to 'mw.loadJsonData' ({reason})")
        return page.text

    functions = (
        HostFunction("module", module),
        HostFunction("source", source),
        HostFunction("json", json),
    )
