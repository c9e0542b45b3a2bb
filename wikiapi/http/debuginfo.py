"""Diagnostics: the ``debuginfo`` of answers, and the log of slow statements."""

from __future__ import annotations

import logging
import os
import platform
import re
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from wikiapi.api.context import LogEntry, RequestContext
from wikiapi.api.params.validate import clean
from wikiapi.api.registries import registries
from wikiapi.api.request import ApiRequest, lacks_same_origin_security
from wikiapi.api.result import Arr, Obj
from wikiapi.http.caching import is_public
from wikiapi.http.requests import module_params
from wikiapi.site import Site
from wikiapi.store.recording import QueryRecord

_VERSION = re.compile(r"(?<!\d)\d++(?:\.\d++)++\S*+")
_FOR_SCRIPTS = frozenset({"origin", "crossorigin"})
_ENTRY = "wikiapi.http.app"
_QUERY_PARAMS = ("prop", "list", "meta", "generator")
_VALUES = re.compile(r"[|\x1f]")
_UNITS = ("bytes", "KB", "MB", "GB", "TB")
_STEP = 1024
REDACTED = "(not shown)"
_SECRET_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization"})
_SECRET_PARAMS = ("password", "retype", "token")
"""Ends of the names of parameters with credentials, declared or not: those of a step of a login
depend on the step before."""
LOGGER = "wikiapi"
_STATM = Path("/proc/self/statm")
slow_logger = logging.getLogger("wikiapi.slow")
_MILLISECONDS = 1000


class DebugInfo:
    """Adds ``debuginfo`` to the answers of a site, according to the setting ``debug_info``."""

    def __init__(self, site: Site) -> None:
        """Take the site."""
        self._site = site
        self._setting = site.config.http.debug_info
        self._version = engine_version(site.config.site.generator)

    def is_wanted(self, request: ApiRequest) -> bool:
        """Return whether the answer to a request should contain ``debuginfo``."""
        if self._setting != "auto":
            return self._setting == "on"
        is_for_scripts = not _FOR_SCRIPTS.isdisjoint(request.params)
        return request.is_local and not is_for_scripts and not lacks_same_origin_security(request)

    @contextmanager
    def around(self, context: RequestContext, started: float) -> Iterator[None]:
        """Record what happens in the block, then add ``debuginfo`` to the result.

        ``started`` is the time when the request arrived, by ``time.perf_counter``.
        """
        with self._site.db.recording() as queries, captured(context):
            yield
        # A shared cache would send the information about this request to other clients.
        if not is_public(context.cache, context.session):
            context.result.set((), "debuginfo", self._block(context, queries, started))

    def _block(self, context: RequestContext, queries: list[QueryRecord], started: float) -> Obj:
        memory = memory_now()
        included = included_files(context, queries)
        files = ({"name": name, "size": size} for name, size in included)
        return Obj(
            {
                "wikiVersion": self._version,
                "mwVersion": self._version,
                "phpEngine": platform.python_implementation(),
                "phpVersion": platform.python_version(),
                "time": time.perf_counter() - started,
                "log": Arr(map(asdict, context.log), "line"),
                "debugLog": Arr([first_line(context.request), *_lines(context, queries)], "msg"),
                "queries": Arr(map(_query_item, queries), "query"),
                "request": echo(context.request, registries(self._site).sensitive_params),
                "memory": readable_size(memory),
                "memoryPeak": readable_size(max(memory, memory_peak())),
                "includes": Arr(files, "include"),
            }
        )


def _query_item(query: QueryRecord) -> dict[str, Any]:
    return {"sql": query.sql, "function": query.function, "time": query.time}


def engine_version(generator: str) -> str:
    """Return the version number in a generator's name such as ``MediaWiki 1.45.0``."""
    match = _VERSION.search(generator)
    return match[0] if match else generator


def _lines(context: RequestContext, queries: list[QueryRecord]) -> Iterator[str]:
    session = "created for this request" if context.session.is_new else "sent by the client"
    yield f"[session] {session}"
    yield f"[cache] {context.cache.mode.name.lower().replace('_', '-')}"
    yield from (f"[{warned.module}] warning {warned.message.key}" for warned in context.warnings)
    yield from (f"[{line.type}] {line.caller}: {line.msg}" for line in context.log)
    spent = sum(query.time for query in queries)
    yield f"[store] statements: {len(queries)}, {spent * 1000:.3f} ms"


def readable_size(size: int) -> str:
    """Return a number of bytes in a suitable unit: whole KB, or decimals as in ``7.29 MB``."""
    value, unit = float(size), 0
    while value >= _STEP and unit < len(_UNITS) - 1:
        value /= _STEP
        unit += 1
    if unit < _UNITS.index("MB"):
        return f"{round(value):,} {_UNITS[unit]}"
    return f"{value:,.2f}".rstrip("0").rstrip(".") + f" {_UNITS[unit]}"


def shown_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers by upper-case name, without credentials."""
    return {
        name.upper(): REDACTED if name in _SECRET_HEADERS else _text(value)
        for name, value in headers.items()
    }


def echo(request: ApiRequest, secret_names: Set[str]) -> Obj:
    """Return method, address, headers and decoded parameters, without credentials.

    Parameters of the query string are echoed as they came, since the address contains them anyway;
    of those in the body, the ones with secret names are not.
    """

    def is_secret(name: str, value: str) -> bool:
        if request.query_params.get(name) == value:
            return False
        return name in secret_names or name.lower().endswith(_SECRET_PARAMS)

    params = (
        (_text(name), REDACTED if is_secret(name, value) else clean(value)[0])
        for name, value in request.params.items()
    )
    return Obj(
        {
            "method": request.method,
            "url": request.url,
            "headers": Obj(shown_headers(request.headers)),
            "params": Obj(params),
        }
    )


def first_line(request: ApiRequest) -> str:
    """Return the first entry of ``debugLog``: the request, its client and its headers."""
    headers = (f"{name}: {value}" for name, value in shown_headers(request.headers).items())
    start = f"Start request {request.method} {request.url}"
    return "\n".join([start, f"IP: {request.remote_address}", "HTTP HEADERS:", *headers])


def _text(value: str) -> str:
    """Return a text from the request with surrogates replaced, so that it can be encoded."""
    return value.encode("utf-8", "replace").decode()


def included_files(
    context: RequestContext, queries: Iterable[QueryRecord]
) -> list[tuple[str, str]]:
    """Return the names and sizes of the source files used by a request, sorted by name.

    These are the files of the application, of the API modules in the request, and of the functions
    that ran SQL statements.
    """
    names = {_ENTRY, *_modules_named(context), *(_module_of(query.function) for query in queries)}
    return sorted(file for name in names if (file := _source(name)))


def _modules_named(context: RequestContext) -> Iterator[str]:
    """Yield the Python modules of the action, the query modules and the format of a request."""
    api, params = registries(context.site), context.request.params
    registered: list[Mapping[str, type]] = [api.actions, api.formats]
    for registry, parameter in zip(registered, ("action", "format"), strict=True):
        if module := registry.get(params.get(parameter, "")):
            yield module.__module__
    for name in _VALUES.split("|".join(params.get(group, "") for group in _QUERY_PARAMS)):
        if (module := api.query_modules.get(name)) and params.get("action") == "query":
            yield module.__module__


def _module_of(function: str) -> str:
    """Return the Python module of a function in the form of `QueryRecord.function`, or empty."""
    dotted = function.rpartition("(")[2].rstrip(")")
    while dotted and dotted not in sys.modules:
        dotted = dotted.rpartition(".")[0]
    return dotted


# Without this cache, looking at the files takes a fifth of the time of a small local request.
@cache
def _source(module: str) -> tuple[str, str] | None:
    """Return the name and the size of a module's file; ``None`` if it has none.

    The name begins with the package, as in ``wikiapi/http/app.py``: it is not the path on disk.
    """
    path = getattr(sys.modules.get(module), "__file__", None)
    file = Path(path) if path else None
    if file is None or not file.is_file():
        return None
    folder = module if file.stem == "__init__" else module.rpartition(".")[0]
    name = "/".join([*folder.split("."), file.name]) if folder else file.name
    return name, readable_size(file.stat().st_size)


@contextmanager
def captured(context: RequestContext) -> Iterator[None]:
    """Add what this thread logs with the logger ``wikiapi`` and those below to the context's log.

    Other handlers still receive the records.
    """
    logger = logging.getLogger(LOGGER)
    handler = _Capture(context)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class _Capture(logging.Handler):
    def __init__(self, context: RequestContext) -> None:
        super().__init__()
        self._context = context
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread != self._thread:
            return
        entry = LogEntry(record.getMessage(), record.levelname.lower(), record.name)
        self._context.log.append(entry)
        # Because of this handler, logging does not use its last resort if nothing is configured.
        if logging.lastResort and not logging.getLogger().handlers:
            logging.lastResort.handle(record)


def memory_peak() -> int:
    """Return the peak memory use of the process in bytes; 0 if the system does not provide it."""
    try:
        import resource
    except ImportError:
        return 0
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def memory_now() -> int:
    """Return the memory use of the process in bytes, or the peak if only that is known."""
    try:
        resident_pages = int(_STATM.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return memory_peak()
    return resident_pages * os.sysconf("SC_PAGE_SIZE")


class SlowQueryLog:
    """Logs slow SQL statements with their module and request.

    A statement is logged with its values, unless they are credentials. Of the request, only
    parameters that name modules are logged, since others may be tokens.
    """

    def __init__(self, site: Site) -> None:
        """Read the limit from the site's settings."""
        self._db = site.db
        self._seconds = site.config.http.slow_query_log / _MILLISECONDS

    def around(self, context: RequestContext) -> AbstractContextManager[object]:
        """Return a context manager that logs the slow statements of a request, if enabled."""
        if not self._seconds:
            return nullcontext()

        def log(record: QueryRecord) -> None:
            request = "&".join(f"{k}={v}" for k, v in module_params(context.request.params).items())
            took = record.time * _MILLISECONDS
            text = (took, record.function, ascii(request), ascii(record.sql))
            slow_logger.warning("%.0f ms in %s for %s: %s", *text)

        return self._db.observing(log, self._seconds)
