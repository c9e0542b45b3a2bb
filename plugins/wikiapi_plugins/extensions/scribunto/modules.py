"""The modules of a page: titles, texts, and which a worker gets before it requires them."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import TypeVar

from wikiapi.cache import BoundedCache
from wikiapi.title import Title
from wikiapi.title.contentmodel import default_model
from wikiapi.wikitext import ParseState
from wikiapi.wikitext.expand.loader import TemplateText

MODEL = "Scribunto"
_MAX_ROOTS = 1024
_MAX_NAMES = 48
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
        """Return the names that a module required, or looked up, when it was invoked before."""
        with self._lock:
            return list(self._companions.get(root, ()))

    def note(self, root: str, name: str) -> None:
        """Remember that an invoked module required a name; one too long for a title is ignored."""
        if len(name) > _LONGEST_NAME:
            return
        with self._lock:
            names = _used(self._companions, root, OrderedDict(), _MAX_ROOTS)
            _used(names, name, None, _MAX_NAMES)

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


class PageModules:
    """The modules of one rendering.

    A worker gets those that an invoked module is expected to require before it asks for them. Such
    a module counts as used by the page only once the worker uses it.
    """

    def __init__(self, state: ParseState, memory: ModuleMemory) -> None:
        """Take the rendering, and the memory of earlier ones, which this one adds to."""
        self._state = state
        self._memory = memory
        self._sent: set[str] = set()
        self._roots: list[str] = []

    def title(self, name: str) -> Title | None:
        """Return the title of a module, which need not exist; ``None`` for other pages."""
        title = self._state.site.titles.try_parse(name)
        is_module = title and not title.interwiki and default_model(title) == MODEL
        return title if is_module else None

    def text(self, title: Title) -> TemplateText | None:
        """Return the text of a page if it exists; either way the page counts as a used template."""
        state = self._state
        found = state.expander.template_text(title, state.expander.root_frame())
        ids = (found.page_id, found.revision_id) if found else (0, 0)
        state.output.add_template(title, *ids)
        return found

    def digest(self, found: TemplateText) -> str:
        """Return a hash of a module's text, by which workers know it."""
        return self._memory.digest(found)

    def described(self, title: Title | None) -> list[str] | None:
        """Return title and digest of a module, if it exists; it does not count as used."""
        state = self._state
        found = state.expander.template_text(title, state.expander.root_frame()) if title else None
        return [title.prefixed_text, self._memory.digest(found)] if title and found else None

    @contextmanager
    def running(self, module: Title) -> Iterator[Mapping[str, list[str] | None]]:
        """Yield the modules to send, by name, for a block in which ``module`` is invoked."""
        root = module.prefixed_text
        self._roots.append(root)
        try:
            yield self._to_send(root)
        finally:
            self._roots.pop()

    def _to_send(self, root: str) -> Mapping[str, list[str] | None]:
        state = self._state
        # A plugin that provides templates may count how often one is requested.
        if state.parser.resolves_templates:
            return {}
        names = {root, *self._memory.companions(root)} - self._sent
        self._sent |= names
        titles = {name: self.title(name) for name in names}
        state.loader.fetch(title for title in titles.values() if title)
        return {name: self.described(title) for name, title in titles.items()}

    def note(self, name: str) -> None:
        """Remember that the module that is running requires another."""
        if self._roots:
            self._memory.note(self._roots[-1], name)

    def note_used(self, names: object) -> None:
        """Count modules as used that the worker reports to have used."""
        for name in names if isinstance(names, list) else ():
            if not isinstance(name, str) or name not in self._sent:
                continue
            self.note(name)
            if title := self.title(name):
                self.text(title)
