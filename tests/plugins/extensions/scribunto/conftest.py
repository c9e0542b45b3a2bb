from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from wikiapi.config import NamespaceConfig
from wikiapi.site import Site
from wikiapi_plugins.extensions.scribunto.worker.chunks import Compiler
from wikiapi_plugins.extensions.scribunto.worker.memory import LuaMemory

lua51 = pytest.importorskip("lupa.lua51")

NAMESPACES = (
    NamespaceConfig(828, "Module", subpages=True),
    NamespaceConfig(829, "Module talk", subpages=True),
)


@pytest.fixture
def lua_site(make_site: Callable[..., Site]) -> Callable[..., Site]:
    """Return a function that creates a wiki with modules, which may use little CPU time."""

    def create(
        pages: dict[str, str] | None = None,
        config: dict[str, Any] | None = None,
        plugins: Sequence[object] = (),
        **modules: str,
    ) -> Site:
        module_pages = {f"Module:{name}": source for name, source in modules.items()}
        return make_site(
            {**(pages or {}), **module_pages},
            namespaces=NAMESPACES,
            plugins=plugins,
            config={"extensions": {"scribunto": {"cpu_seconds": 0.5}}, **(config or {})},
        )

    return create


@pytest.fixture
def run(lua_site: Callable[..., Site]) -> Callable[..., str]:
    """Return a function that runs Lua code as ``{{#invoke:M|f|...}}`` and returns the result."""

    def run_body(body: str, arguments: str = "", **pages: str) -> str:
        site = lua_site(pages, M=f"local p = {{}}\nfunction p.f(frame) {body} end\nreturn p")
        return site.parser.expand(f"{{{{#invoke:M|f{arguments}}}}}", site.titles.parse("Page"))

    return run_body


@pytest.fixture
def compiler() -> Compiler:
    """Return the compiler of a Lua state without a memory limit."""
    lua = lua51.LuaRuntime(encoding=None, max_memory=0)
    return Compiler(lua, LuaMemory(lua))
