"""Lua states are freed when their page ends; modules are prepared and environments copied."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from wikiapi_plugins.extensions.scribunto.worker import runtime
from wikiapi_plugins.extensions.scribunto.worker.chunks import ChunkCache, Compiler, Literal
from wikiapi_plugins.extensions.scribunto.worker.main import Worker
from wikiapi_plugins.extensions.scribunto.worker.runtime import PageRuntime
from wikiapi_plugins.extensions.scribunto.worker.wire import Channel

lua51 = pytest.importorskip("lupa.lua51")


SOURCE = "return {f = function() return '%s' end}"


@pytest.fixture
def chunks(compiler: Compiler) -> ChunkCache:
    """Return a cache of modules whose names and digests are letters."""
    cache = ChunkCache()
    for name in "abc":
        cache.add(compiler, f"Module:{name}", name, SOURCE % name)
    return cache


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Disable garbage collection, to find objects that reference counting does not free."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def count_states() -> int:
    """Return the number of Lua states in this process."""
    return sum(isinstance(item, lua51.LuaRuntime) for item in gc.get_objects())


@pytest.mark.usefixtures("uncollected")
def test_states_of_ended_pages_are_freed() -> None:
    before = count_states()
    worker = Worker(Channel(0, 1))
    for number in range(1, 6):
        worker._pages[number] = worker._new_runtime()
        assert count_states() == before + 2
        worker._handle({"end": number})
    assert count_states() == before + 1, "the spare one for the next page"


def test_modules_used_by_two_successive_pages_are_prepared(chunks: ChunkCache) -> None:
    worker = Worker(Channel(0, 1))
    worker._chunks = chunks
    prepared: list[set[str]] = []
    for number, digests in enumerate(["ab", "bc?", "b?", ""]):
        page = worker._pages[number] = worker._new_runtime()
        page.digests = set(digests)
        worker._spare = None
        worker._handle({"end": number})
        assert worker._spare is not None
        prepared.append(set(worker._spare._prepared))
    assert prepared == [set(), {"b"}, {"b"}, set()]


def test_the_size_of_prepared_modules_is_limited(
    chunks: ChunkCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "_MAX_PREPARED_BYTES", 2 * chunks.size("a") + 1)
    page = PageRuntime(chunks, lambda *_: None, [], [])
    page.prepare("abc")
    assert set(page._prepared) == {"a", "b"}


@pytest.mark.parametrize("prepared", ["", "a", "abc"])
def test_prepared_modules_run_like_others(chunks: ChunkCache, prepared: str) -> None:
    used: list[str] = []
    page = PageRuntime(chunks, lambda *_: None, used, [])
    page.prepare(prepared)
    page.preload({"Module:A": ["Module:a", "a"], "Module:a": ["Module:a", "a"], "none": None})
    for name in ("Module:A", "Module:a"):
        results = page.invoke([name, "f", name, 0, [], "Page", 1, []])
        assert results[:2] == [True, "a"]
    assert page.invoke(["none", "f", "none", 0, [], "Page", 1, []])[0] is False
    assert used == ["Module:A", "Module:a", "none"]
    assert page.digests == {"a"}


COMPARE = b"""
local lib = ...
local function differ(path, own, copy, seen)
    if seen[own] then return seen[own] ~= copy and path .. ' is another copy' end
    seen[own] = copy
    if own == copy then return path .. ' is no copy' end
    if getmetatable(own) ~= getmetatable(copy) then return path .. ' has another metatable' end
    for key, value in pairs(own) do
        local at = path .. '.' .. tostring(key)
        if type(value) ~= 'table' or lib.shared[value] then
            if copy[key] ~= value then return at .. ' differs' end
        else
            local difference = differ(at, value, copy[key], seen)
            if difference then return difference end
        end
    end
end
local env = lib.new_env()
return differ('env', lib.globals, env, {}) or env == lib.new_env() and 'the same twice' or 'alike'
"""
SITE = {
    "general": {"siteName": "Wiki"},
    "urlSchemes": ["mailto"],
    "namespaces": [{"id": 0, "names": [""]}],
}


@pytest.mark.parametrize("sites", [(None, SITE, None), (SITE, None, SITE)])
def test_environments_are_copies_of_all_libraries(
    chunks: ChunkCache, sites: tuple[Mapping[str, Any] | None, ...]
) -> None:
    for site in sites:
        page = PageRuntime(chunks, lambda *_: None, [], [])
        if site:
            page.set_site_facts(Literal(site))
        compare = page._lib[b"native"][b"setfenv"](
            page._compiler.load(page._compiler.compile(COMPARE, "compare")),
            page._lib[b"native"],
        )
        assert compare(page._lib) == b"alike"
        has_name = page._lib[b"new_env"]()[b"mw"][b"site"][b"siteName"]
        assert has_name == (b"Wiki" if site else None)
