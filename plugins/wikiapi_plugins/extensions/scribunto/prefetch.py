"""Which modules a page's module is going to require: sent to its worker before it asks."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from wikiapi.cache import BoundedCache
from wikiapi.title import Title
from wikiapi.wikitext.expand.loader import TemplateText
from wikiapi_plugins.extensions.scribunto.host.modules import described, module_title, used_text

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session


_MOST_ROOTS = 1024
_MOST_NAMES = 48
_LONGEST_NAME = 300
_DIGEST_CACHE_BYTES = 4 * 1024 * 1024

Key = TypeVar("Key")
Value = TypeVar("Value")


class ModuleMemory:
    """Which modules each invoked module has required so far, for all pages and threads.

    The least recently used entries are dropped.
    """

    def __init__(self) -> None:
        """Start without a memory."""
        self._companions: OrderedDict[str, OrderedDict[str, None]] = OrderedDict()
        self._digests: BoundedCache[tuple[int, int, int], str] = BoundedCache(_DIGEST_CACHE_BYTES)
        self._lock = Lock()

    def companions(self, root: str) -> list[str]:
        """Return the names that a module required, or asked for, when it was invoked before."""
        with self._lock:
            return list(self._companions.get(root, ()))

    def note(self, root: str, name: str) -> None:
        """Remember that an invoked module asked for a name; one too long for a title is ignored."""
        if len(name) > _LONGEST_NAME:
            return
        with self._lock:
            names = _used(self._companions, root, OrderedDict(), _MOST_ROOTS)
            _used(names, name, None, _MOST_NAMES)

    def digest(self, found: TemplateText) -> str:
        """Return a hash of a module's text, by which workers know it."""
        if not found.revision_id:
            return _digest(found.text)
        # Cheaper than to make the digest again, and no revision has two texts with one hash.
        key = found.revision_id, len(found.text), hash(found.text)
        known = self._digests.get(key)
        if known is None:
            known = _digest(found.text)
            self._digests.put(key, known, len(known))
        return known


def _used(recent: OrderedDict[Key, Value], key: Key, value: Value, most: int) -> Value:
    """Return the value of a key, ``value`` if it had none, and mark the key as just used."""
    found = recent.setdefault(key, value)
    recent.move_to_end(key)
    if len(recent) > most:
        recent.popitem(last=False)
    return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Prefetch:
    """Sends the modules that one rendering is expected to require to its worker.

    A module that was sent counts as used by the page only once the worker uses it.
    """

    def __init__(self, session: Session, memory: ModuleMemory) -> None:
        """Take the session and the memory of earlier renderings, which this one adds to."""
        self._session = session
        self._memory = memory
        self._sent: set[str] = set()
        self._roots: list[str] = []

    @contextmanager
    def running(self, module: Title) -> Iterator[Mapping[str, list[str] | None]]:
        """Yield the modules to send, by name, for a block in which ``module`` is invoked."""
        root = module.prefixed_text
        self._roots.append(root)
        try:
            yield self._modules_to_send(root)
        finally:
            self._roots.pop()

    def note(self, name: str) -> None:
        """Remember that the module that is running asked for another."""
        if self._roots:
            self._memory.note(self._roots[-1], name)

    def note_used(self, names: object) -> None:
        """Count modules as used that the worker reports to have used."""
        for name in names if isinstance(names, list) else ():
            if not isinstance(name, str) or name not in self._sent:
                continue
            self.note(name)
            if title := module_title(self._session, name):
                used_text(self._session, title)

    def _modules_to_send(self, root: str) -> Mapping[str, list[str] | None]:
        state = self._session.state
        # A plugin that makes templates up may count how often it is asked for one.
        if state.parser.resolves_templates:
            return {}
        names = {root, *self._memory.companions(root)} - self._sent
        self._sent |= names
        titles = {name: module_title(self._session, name) for name in names}
        state.loader.fetch(title for title in titles.values() if title)
        return {name: described(self._session, title) for name, title in titles.items()}
