"""Puts ``debuginfo`` into answers, for those who may see it."""

from __future__ import annotations

import platform
import re
import time
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from wikiapi.api.result import Arr, Obj
from wikiapi.api.sameorigin import lacks_same_origin_security
from wikiapi.http.caching import is_public
from wikiapi.http.debuginfo.echo import echo, first_line
from wikiapi.http.debuginfo.includes import IncludedFiles
from wikiapi.http.debuginfo.logcapture import captured
from wikiapi.http.debuginfo.memory import memory_now, memory_peak
from wikiapi.http.debuginfo.sizes import readable_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.api.context import RequestContext
    from wikiapi.api.request import ApiRequest
    from wikiapi.site import Site
    from wikiapi.store.recording import QueryRecord

_VERSION = re.compile(r"(?<!\d)\d++(?:\.\d++)++\S*+")
_FOR_SCRIPTS = frozenset({"origin", "crossorigin"})
_OWN_PACKAGES = ("wikiapi", "wikiapi_grammar")


class DebugInfo:
    """Writes the block of one site's answers, as the setting ``debug_info`` says."""

    def __init__(self, site: Site) -> None:
        """Find the facts that stay the same."""
        self._site = site
        self._setting = site.config.http.debug_info
        plugins = (_package(plugin) for plugin in site.plugins.get_plugins())
        self._files = IncludedFiles((*_OWN_PACKAGES, *plugins))
        self._version = engine_version(site.config.site.generator)

    def is_wanted(self, request: ApiRequest) -> bool:
        """Whether the answer to a request is to carry the block."""
        if self._setting != "auto":
            return self._setting == "on"
        is_for_scripts = not _FOR_SCRIPTS.isdisjoint(request.params)
        return request.is_local and not is_for_scripts and not lacks_same_origin_security(request)

    @contextmanager
    def around(self, context: RequestContext, started: float) -> Iterator[None]:
        """Watch what happens inside, then add the block to the result.

        ``started`` is when the request came in, by ``time.perf_counter``.
        """
        with self._site.db.recording() as queries, captured(context):
            yield
        # It is about one request, not for all those whom a shared cache answers.
        if not is_public(context.cache, context.session):
            context.result.set((), "debuginfo", self._block(context, queries, started))

    def _block(self, context: RequestContext, queries: list[QueryRecord], started: float) -> Obj:
        memory = memory_now()
        files = ({"name": name, "size": size} for name, size in self._files.list())
        return Obj(
            {
                "wikiVersion": self._version,
                "mwVersion": self._version,
                "phpEngine": platform.python_implementation(),
                "phpVersion": platform.python_version(),
                "time": time.perf_counter() - started,
                "log": Arr(map(asdict, context.log), "line"),
                "debugLog": Arr([first_line(context.request), *_lines(context, queries)], "msg"),
                "queries": Arr(map(asdict, queries), "query"),
                "request": echo(context.request),
                "memory": readable_size(memory),
                "memoryPeak": readable_size(max(memory, memory_peak())),
                "includes": Arr(files, "include"),
            }
        )


def engine_version(generator: str) -> str:
    """The dotted version within the name of an engine (``MediaWiki 1.45.0``)."""
    found = _VERSION.search(generator)
    return found[0] if found else generator


def _package(plugin: object) -> str:
    name: str = getattr(plugin, "__name__", None) or type(plugin).__module__
    return name.partition(".")[0]


def _lines(context: RequestContext, queries: list[QueryRecord]) -> Iterator[str]:
    session = "a new one was made up" if context.session.is_new else "brought by the request"
    yield f"[session] {session}"
    yield f"[cache] {context.cache.mode.name.lower().replace('_', '-')}"
    yield from (f"[{warned.module}] warning {warned.message.key}" for warned in context.warnings)
    yield from (f"[{line.type}] {line.caller}: {line.msg}" for line in context.log)
    spent = sum(query.time for query in queries)
    yield f"[store] statements: {len(queries)}, {spent * 1000:.3f} ms"
