"""The modules of a page, and a history that predicts which ones a worker will need."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import TypeVar

from wikiapi.cache import BoundedCache
from wikiapi.title import Title, default_model
from wikiapi.wikitext import ParseState, TemplateText

MODEL = "Scribunto"
_MAX_ROOTS = 1024
_MAX_NAMES_PER_ROOT = 48
_MAX_NAME_LENGTH = 300
_DIGEST_CACHE_BYTES = 4 * 1024 * 1024

Key = TypeVar("Key")
Value = TypeVar("Value")


class ModuleHistory:
    """The modules that each invoked module has required so far, on any page.

    Safe to use from several threads. The least recently used entries are dropped.
    """

    def __init__(self) -> None:
        """Create an empty history."""
        self._required: OrderedDict[str, OrderedDict[str, None]] = OrderedDict()
        self._digests: BoundedCache[tuple[int, int, int], str] = BoundedCache(_DIGEST_CACHE_BYTES)
        self._lock = Lock()

    def required_by(self, root: str) -> list[str]:
        """Return the modules required, or looked for, when ``root`` was invoked before."""
        with self._lock:
            return list(self._required.get(root, ()))

    def record(self, root: str, name: str) -> None:
        """Record that ``root`` required a module; names too long for a title are ignored."""
        if len(name) > _MAX_NAME_LENGTH:
            return
        with self._lock:
            names = _touch(self._required, root, OrderedDict(), _MAX_ROOTS)
            _touch(names, name, None, _MAX_NAMES_PER_ROOT)

    def digest(self, module: TemplateText) -> str:
        """Return the hash of a module's text by which workers identify it."""
        if not module.revision_id:
            return _digest(module.text)
        # This key is cheaper than the digest. No revision has two texts with the same hash.
        key = module.revision_id, len(module.text), hash(module.text)
        digest = self._digests.get(key)
        if digest is None:
            digest = _digest(module.text)
            self._digests.put(key, digest, len(digest))
        return digest


def _touch(recent: OrderedDict[Key, Value], key: Key, value: Value, max_size: int) -> Value:
    """Return the value of a key, by default ``value``, and mark the key as the last one used.

    Drop the least recently used key if there are more than ``max_size``.
    """
    entry = recent.setdefault(key, value)
    recent.move_to_end(key)
    if len(recent) > max_size:
        recent.popitem(last=False)
    return entry


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class PageModules:
    """The modules of one rendering.

    A worker receives the modules that an invoked module will probably require in advance. They
    count as used by the page only when the worker reports that they were required.
    """

    def __init__(self, state: ParseState, history: ModuleHistory) -> None:
        """Store the rendering, and the history, to which its modules will be added."""
        self._state = state
        self._history = history
        self._sent: set[str] = set()
        self._invoked: list[str] = []
        """The modules that are being invoked, innermost last."""

    def title(self, name: str) -> Title | None:
        """Return the title of a module, which may not exist, or ``None`` for other pages."""
        title = self._state.site.titles.try_parse(name)
        is_module = title and not title.interwiki and default_model(title) == MODEL
        return title if is_module else None

    def text(self, title: Title) -> TemplateText | None:
        """Return the text of a page, or ``None``; either way the page counts as transcluded."""
        state = self._state
        template = state.templates.text(title, state.expander.root_frame())
        ids = (template.page_id, template.revision_id) if template else (0, 0)
        state.output.add_template(title, *ids)
        return template

    def digest(self, module: TemplateText) -> str:
        """Return the hash of a module's text by which workers identify it."""
        return self._history.digest(module)

    def title_and_digest(self, title: Title | None) -> list[str] | None:
        """Return the title and digest of a module, or ``None``; it does not count as used."""
        state = self._state
        template = state.templates.text(title, state.expander.root_frame()) if title else None
        return [title.prefixed_text, self._history.digest(template)] if title and template else None

    @contextmanager
    def running(self, module: Title) -> Iterator[Mapping[str, list[str] | None]]:
        """Run a block in which ``module`` is invoked.

        Yield the titles and digests of the modules to send in advance, by name.
        """
        root = module.prefixed_text
        self._invoked.append(root)
        try:
            yield self._modules_to_send(root)
        finally:
            self._invoked.pop()

    def _modules_to_send(self, root: str) -> Mapping[str, list[str] | None]:
        state = self._state
        # A plugin that provides templates must be called only for those that are used.
        if state.parser.resolves_templates:
            return {}
        names = {root, *self._history.required_by(root)} - self._sent
        self._sent |= names
        titles = {name: self.title(name) for name in names}
        state.loader.fetch(title for title in titles.values() if title)
        return {name: self.title_and_digest(title) for name, title in titles.items()}

    def record_required(self, name: str) -> None:
        """Record that the innermost invoked module requires a module."""
        if self._invoked:
            self._history.record(self._invoked[-1], name)

    def record_used(self, names: object) -> None:
        """Count modules as used that the worker says it has used, if they were sent to it."""
        for name in names if isinstance(names, list) else ():
            if not isinstance(name, str) or name not in self._sent:
                continue
            self.record_required(name)
            if title := self.title(name):
                self.text(title)
