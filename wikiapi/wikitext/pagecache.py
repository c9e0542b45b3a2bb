"""The cache of rendered pages.

An entry is valid for one revision, one set of options, one version of the code and one
configuration, until the page (``page_touched``) or anything else in the store changes, and no
longer than its content allows: ``{{CURRENTTIME}}``, for example, makes it expire early. Two kinds
of renderings are not cached: those that expire immediately, such as a list of recent changes, and
interrupted ones, such as those for which a worker process was killed.

That a rendering took more than a whole request may use is cached as well, but only for a minute: it
would take just as much in each further request.
"""

from __future__ import annotations

import dataclasses
import gc
import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from sys import getsizeof
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import NamedTuple

from wikiapi.cache.coalesce import Coalescer
from wikiapi.errors import BudgetExceeded
from wikiapi.filerepo.group import RepositoryGroup
from wikiapi.store.queries import generation
from wikiapi.title.namespaces import Namespace
from wikiapi.version import __version__
from wikiapi.wiki import Wiki
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import ParserOutput

_MIN_SECONDS = 15
"""The shortest time for which a page is cached, even if it shows the current second.

Without it, each request for such a page would render it again.
"""

_REFUSED_SECONDS = 60
"""The time for which a page is not rendered again after it has taken more than a request may."""

_WHOLE_BUDGET = 0.9
"""The share of a resource that a rendering must have had for itself to be called too expensive."""

_WITHOUT_FILES_SECONDS = 10
"""The longest time for which a page is cached if a file repository did not answer."""


class StoredRevision(NamedTuple):
    """The revision that was rendered; ``touched`` is the page's ``page_touched``."""

    page_id: int
    revision_id: int
    touched: str


class Refusal(NamedTuple):
    """A cache entry: a rendering was given up because it needs more of a resource than ``limit``.

    The names of resources are those of :attr:`BudgetExceeded.resource`.
    """

    resource: str
    limit: float


class PageCache:
    """Cached renderings of one site's pages. Safe to use from several threads."""

    def __init__(self, site: Wiki, files: RepositoryGroup) -> None:
        """Use the site's cache for storage."""
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
        """Return a cached rendering, or the result of ``render``, which is then cached.

        ``form`` distinguishes renderings that a plugin has changed before they are cached. Callers
        must not change the result. If several threads ask for the same rendering, the first calls
        ``render`` and the others wait for it; if it was interrupted, they try once more.

        Raises:
            BudgetExceeded: the rendering takes more than this request may use. If it was a whole
                request's budget, that is remembered.
        """
        state = self._state()
        key = f"page {state} {tuple(revision)} {options!r} {form}"
        if (cached := self._cached(key)) is not None:
            return cached
        own: list[ParserOutput] = []
        view_key = _view_key(state, revision) if self._is_for_everyone(options) else ""

        def make() -> ParserOutput:
            own.append(self._made(key, view_key, render))
            return own[-1]

        budget = self._site.budgets.current
        output = self._work.run(key, make, budget.left)
        if output.interrupted and not own:
            output = self._work.run(key, make, budget.left)
        return output

    def views(self, revisions: Iterable[StoredRevision]) -> dict[StoredRevision, ParserOutput]:
        """Return cached renderings of pages as everyone sees them, of those that have one.

        They are in the content language, in no variant and for no user; other options and the
        ``form`` may be any. Nothing is rendered. One query.
        """
        state = self._state()
        outputs: dict[StoredRevision, ParserOutput] = {}
        for revision in revisions:
            key = self._site.cache.get(_view_key(state, revision))
            output = self._site.cache.get(key) if isinstance(key, str) else None
            if isinstance(output, ParserOutput):
                outputs[revision] = output
        return outputs

    def _is_for_everyone(self, options: ParserOptions) -> bool:
        is_usual = options.target is Target.HTML and not options.user and not options.variant
        return is_usual and options.language in ("", self._site.language)

    def _cached(self, key: str) -> ParserOutput | None:
        """Return a cached rendering, or ``None``.

        Raises:
            BudgetExceeded: the rendering took more than this request may use.
        """
        cached = self._site.cache.get(key)
        if isinstance(cached, Refusal):
            limit = self._site.budgets.current.limits.get(cached.resource)
            if limit is not None and limit <= cached.limit:
                raise BudgetExceeded.of(cached.resource, limit)
        return cached if isinstance(cached, ParserOutput) else None

    def _made(self, key: str, view_key: str, render: Callable[[], ParserOutput]) -> ParserOutput:
        # Another thread may have finished this rendering since the first look-up.
        if (cached := self._cached(key)) is not None:
            return cached
        outages = self._files.outages
        shares = self._site.budgets.current.shares_left()
        try:
            output = render()
        except BudgetExceeded as error:
            if shares.get(error.resource, 0) >= _WHOLE_BUDGET:
                refusal = Refusal(error.resource, error.limit)
                size = footprint((key, refusal))
                self._site.cache.put(key, refusal, seconds=_REFUSED_SECONDS, size=size)
            raise
        if not self._site.cache.enabled:
            return output
        seconds = output.good_for(self._seconds)
        if seconds:
            seconds = max(seconds, min(_MIN_SECONDS, self._seconds))
        if self._files.outages != outages:
            seconds = min(seconds, _WITHOUT_FILES_SECONDS)
        if seconds > 0:
            # Namespaces do not count, since all titles share them.
            size = sys.getsizeof(key) + footprint(output, shared=(Namespace,))
            self._site.cache.put(key, output, seconds=seconds, size=size)
            if view_key:
                size = sys.getsizeof(view_key) + sys.getsizeof(key)
                self._site.cache.put(view_key, key, seconds=seconds, size=size)
        return output

    def _state(self) -> str:
        """Return the part of all keys that changes with the code, settings and store. One query."""
        return f"{self._code} {generation.current(self._site.db)}"


def _view_key(state: str, revision: StoredRevision) -> str:
    """Return the key of an entry that is the key of a rendering for everyone."""
    return f"view {state} {tuple(revision)}"


def _code(site: Wiki) -> str:
    """Return the wiki's id and a digest of everything that determines how it renders pages.

    That is the versions of wikiapi and of the plugins, and the settings. Every cache key contains
    it, so it must be short.
    """
    plugins = [
        f"{distribution.project_name}={distribution.version}"
        for _, distribution in site.plugins.list_plugin_distinfo()
    ]
    names = sorted(name for name, plugin in site.plugins.list_name_plugin() if plugin)
    versions = f"{__version__} {sorted(set(plugins))} {names}"
    code = f"{settings_digest(site)} {versions}".encode()
    return f"{site.config.site.wiki_id} {hashlib.sha256(code).hexdigest()}"


_CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)
"""Types of objects that values refer to, but that exist without them."""


def footprint(value: object, *, shared: tuple[type, ...] = ()) -> int:
    """Return the bytes of memory of a value and of everything that it refers to.

    Each object counts once. Classes, modules, functions and objects of the types ``shared`` do not
    count, nor does what they refer to.
    """
    excluded = (*_CODE, *shared)
    counted: set[int] = set()
    size, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        if id(item) in counted or isinstance(item, excluded):
            continue
        counted.add(id(item))
        size += getsizeof(item)
        waiting += gc.get_referents(item)
    return size


_UNRELATED_SETTINGS = frozenset(
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
"""Settings that do not affect renderings. The names of the loaded plugins are added separately.

All other settings are part of the cache key, so that a new setting is safe by default.
"""


def settings_digest(site: Wiki) -> str:
    """Return a digest of the interwiki map and of the settings that affect renderings."""
    data = [_plain(site.config), [dataclasses.astuple(entry) for entry in site.interwiki]]
    written = json.dumps(data, sort_keys=True, default=str)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _plain(value: object, where: str = "") -> object:
    """Return a value in types that JSON has, without settings that do not affect renderings."""
    if dataclasses.is_dataclass(value):
        return _plain({f.name: getattr(value, f.name) for f in dataclasses.fields(value)}, where)
    if isinstance(value, Mapping):
        paths = {name: f"{where}.{name}".lstrip(".") for name in value}
        return {
            str(name): _plain(value[name], path)
            for name, path in paths.items()
            if path not in _UNRELATED_SETTINGS
        }
    if isinstance(value, tuple | list):
        return [_plain(entry, where) for entry in value]
    return value
