"""Renderings of stored pages, cached until something on them changes.

A rendering is good for one revision, as rendered with the same options by the same code under the
same settings, as long as neither the page (``page_touched``) nor anything else in the store has
changed since, and not longer than what is on it allows: ``{{CURRENTTIME}}`` shortens its life. What
is good for no time at all, as a list of recent changes is, is not kept; nor is what was cut short,
as by the end of a process that was to make a part of it.
"""

from __future__ import annotations

import dataclasses
import gc
import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from sys import getsizeof
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import NamedTuple

import wikiapi
from wikiapi.cache.coalesce import Coalescer
from wikiapi.filerepo.group import RepositoryGroup
from wikiapi.store.queries import generation
from wikiapi.title.namespaces import Namespace
from wikiapi.wiki import Wiki
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput

_LEAST = 15
"""Seconds for which a page is good that shows seconds: no reader is to cost a rendering."""

_WITHOUT_FILES = 10
"""Seconds for which a page is good that lacks files whose repository did not answer."""


class StoredRevision(NamedTuple):
    """What a rendering is of; ``touched`` is when the page, or something on it, last changed."""

    page_id: int
    revision_id: int
    touched: str


class PageCache:
    """Renderings of one site's pages. Safe to use from several threads."""

    def __init__(self, site: Wiki, files: RepositoryGroup) -> None:
        """Keep them in the site's cache."""
        self._site = site
        self._files = files
        self._seconds = site.config.cache.page_seconds
        self._work: Coalescer[ParserOutput] = Coalescer()
        self._code = _code(site)

    def output(
        self,
        revision: StoredRevision,
        options: ParserOptions,
        render: Callable[[], ParserOutput],
        form: str = "",
    ) -> ParserOutput:
        """Return a cached rendering, or the result of ``render``.

        ``form`` names what a plugin makes of its renderings before they are kept. Nobody may change
        what comes back. Threads that ask for the same one at the same time wait for the first, and
        try once more if that was interrupted.
        """
        key = f"{self._key(revision, options)} {form}"
        if (cached := self._cached(key)) is not None:
            return cached
        own: list[ParserOutput] = []

        def make() -> ParserOutput:
            own.append(self._made(key, render))
            return own[-1]

        budget = self._site.budgets.current
        output = self._work.run(key, make, budget.left)
        if output.interrupted and not own:
            output = self._work.run(key, make, budget.left)
        return output

    def _cached(self, key: str) -> ParserOutput | None:
        cached = self._site.cache.get(key)
        return cached if isinstance(cached, ParserOutput) else None

    def _made(self, key: str, render: Callable[[], ParserOutput]) -> ParserOutput:
        # Another thread may have ended this very work since we looked.
        if (cached := self._cached(key)) is not None:
            return cached
        outages = self._files.outages
        output = render()
        if not self._site.cache.enabled:
            return output
        seconds = output.good_for(self._seconds)
        if seconds:
            seconds = max(seconds, min(_LEAST, self._seconds))
        if self._files.outages != outages:
            seconds = min(seconds, _WITHOUT_FILES)
        if seconds > 0:
            self._site.cache.put(key, output, seconds=seconds, size=_size(key, output))
        return output

    def _key(self, revision: StoredRevision, options: ParserOptions) -> str:
        state = generation.current(self._site.db)
        return f"page {self._code} {state} {tuple(revision)} {options!r}"


def _code(site: Wiki) -> str:
    """Return a digest of wiki, versions, settings and plugins, which do not share renderings.

    A digest, since every key begins with it.
    """
    plugins = [
        f"{distribution.project_name}={distribution.version}"
        for _, distribution in site.plugins.list_plugin_distinfo()
    ]
    names = sorted(name for name, plugin in site.plugins.list_name_plugin() if plugin)
    versions = f"{wikiapi.__version__} {sorted(set(plugins))} {names}"
    code = f"{settings_digest(site)} {versions}".encode()
    return f"{site.config.site.wiki_id} {hashlib.sha256(code).hexdigest()}"


def _size(key: str, output: ParserOutput) -> int:
    """Return the bytes of a rendering; its titles share the wiki's namespaces."""
    return sys.getsizeof(key) + footprint(output, shared=(Namespace,))


_CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)
"""What values refer to, but do not bring with them."""


def footprint(value: object, *, shared: tuple[type, ...] = ()) -> int:
    """Return the bytes of a value, with everything to which it refers.

    Each object counts once; classes, modules and functions do not, nor objects of the types
    ``shared``, with what these refer to.
    """
    apart = (*_CODE, *shared)
    seen: set[int] = set()
    size, waiting = 0, [value]
    while waiting:
        found = waiting.pop()
        if id(found) in seen or isinstance(found, apart):
            continue
        seen.add(id(found))
        size += getsizeof(found)
        waiting += gc.get_referents(found)
    return size


_INDIFFERENT = frozenset(
    {
        "cache",
        "database",
        "http",
        "editing",
        "permissions",
        "files.folder",
        "files.repository_cache_seconds",
        "limits.template_cache_bytes",
        "limits.text_cache_bytes",
        "plugins.disabled",
        "site.announce_read_only",
        "site.read_only",
        "site.writable",
    }
)
"""Settings that change no rendering, or tell what is known better: which plugins are loaded.

Whatever is not named here counts, so that a new setting needs no thought to be safe.
"""


def settings_digest(site: Wiki) -> str:
    """Return a digest that two sites share if their settings and interwiki maps render alike."""
    data = [_plain(site.config), [dataclasses.astuple(entry) for entry in site.interwiki]]
    written = json.dumps(data, sort_keys=True, default=str)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _plain(value: object, where: str = "") -> object:
    """Return a value as in JSON, without settings that do not affect renderings."""
    if dataclasses.is_dataclass(value):
        return _plain({f.name: getattr(value, f.name) for f in dataclasses.fields(value)}, where)
    if isinstance(value, Mapping):
        paths = {name: f"{where}.{name}".lstrip(".") for name in value}
        return {
            str(name): _plain(value[name], path)
            for name, path in paths.items()
            if path not in _INDIFFERENT
        }
    if isinstance(value, tuple | list):
        return [_plain(entry, where) for entry in value]
    return value
