from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.config import NamespaceConfig
from wikiapi.site import Site
from wikiapi_plugins.extensions.scribunto.worker.chunks import Compiler
from wikiapi_plugins.extensions.scribunto.worker.room import Room

lua51 = pytest.importorskip("lupa.lua51")

NAMESPACES = (
    NamespaceConfig(828, "Module", subpages=True),
    NamespaceConfig(829, "Module talk", subpages=True),
)


@pytest.fixture
def lua_site(make_site: Callable[..., Site]) -> Callable[..., Site]:
    """Return a function that makes a wiki with modules by name; little CPU time is allowed."""

    def make(
        pages: dict[str, str] | None = None,
        config: dict[str, Any] | None = None,
        **modules: str,
    ) -> Site:
        declared = {f"Module:{name}": source for name, source in modules.items()}
        return make_site(
            {**(pages or {}), **declared},
            namespaces=NAMESPACES,
            config={"extensions": {"scribunto": {"cpu_seconds": 0.5}}, **(config or {})},
        )

    return make


@pytest.fixture
def run(lua_site: Callable[..., Site]) -> Callable[..., str]:
    """Return the text of a function's body, run as ``{{#invoke:M|f|...}}``."""

    def text(body: str, arguments: str = "", **pages: str) -> str:
        site = lua_site(pages, M=f"local p = {{}}\nfunction p.f(frame) {body} end\nreturn p")
        return site.parser.expand(f"{{{{#invoke:M|f{arguments}}}}}", site.titles.parse("Page"))

    return text


@pytest.fixture
def compiler() -> Compiler:
    """Return the compiler of a state without limits."""
    lua = lua51.LuaRuntime(encoding=None, max_memory=0)
    return Compiler(lua, Room(lua))
