"""Tells a worker of the modules that a page will need before it asks for them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from wikiapi_plugins.extensions.scribunto.host.modules import described, module_title, used_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wikiapi.title.title import Title
    from wikiapi_plugins.extensions.scribunto.memory import ModuleMemory
    from wikiapi_plugins.extensions.scribunto.session import Session


class Forecast:
    """The modules of one rendering. What is foretold counts as used once the worker uses it."""

    def __init__(self, session: Session, memory: ModuleMemory) -> None:
        """Remember for the next rendering what this one asks for."""
        self._session = session
        self._memory = memory
        self._told: set[str] = set()
        self._roots: list[str] = []

    @contextmanager
    def running(self, module: Title) -> Iterator[Mapping[str, list[str] | None]]:
        """While a module runs; gives what its worker should know of modules, by name."""
        root = module.prefixed_text
        self._roots.append(root)
        try:
            yield self._foretold(root)
        finally:
            self._roots.pop()

    def note(self, name: str) -> None:
        """The module that runs has asked for another."""
        if self._roots:
            self._memory.note(self._roots[-1], name)

    def note_used(self, names: object) -> None:
        """The worker says that it has used some of what it was foretold."""
        for name in names if isinstance(names, list) else ():
            if not isinstance(name, str) or name not in self._told:
                continue
            self.note(name)
            if title := module_title(self._session, name):
                used_text(self._session, title)

    def _foretold(self, root: str) -> Mapping[str, list[str] | None]:
        state = self._session.state
        # A plugin that makes templates up may count how often it is asked for one.
        if state.parser.resolves_templates:
            return {}
        names = {root, *self._memory.companions(root)} - self._told
        self._told |= names
        titles = {name: module_title(self._session, name) for name in names}
        state.loader.fetch(title for title in titles.values() if title)
        return {name: described(self._session, title) for name, title in titles.items()}
