"""Frames: one for the page and one for each template that is being expanded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from wikiapi.texts import trim
from wikiapi.title.title import Title
from wikiapi.wikitext.preprocess.nodes import Argument, Content, Part

_MAX_FORESEEN_LEVELS = 8
"""The number of templates through which an argument that is passed on is followed."""


class ArgumentExpander(Protocol):
    """The part of the expander that a frame uses."""

    def expand_argument(self, content: Content, frame: Frame) -> str:
        """Return the expanded text of an argument or its name."""

    def note_duplicate_argument(self, frame: Frame, name: str) -> None:
        """Warn that an argument was given twice."""


class Frame:
    """The context in which wikitext is expanded: the page it comes from, and its arguments."""

    __slots__ = ("_cache", "_expander", "_named", "_numbered", "active", "depth", "parent", "title")

    def __init__(
        self, expander: ArgumentExpander, title: Title, parent: Frame | None = None
    ) -> None:
        """Create a frame without arguments. ``parent`` is the frame that transcludes this one."""
        self._expander = expander
        self.title = title
        self.parent = parent
        self.depth: int = parent.depth + 1 if parent else 0
        self.active: frozenset[tuple[int, str]] = (
            parent.active | {title.key} if parent else frozenset()
        )
        self._numbered: dict[str, Content] = {}
        self._named: dict[str, Content] = {}
        self._cache: dict[str, str] = {}

    def child(self, title: Title, parts: tuple[Part, ...]) -> Frame:
        """Return the frame of a template that this one transcludes, with these arguments."""
        child = Frame(self._expander, title, self)
        child.bind(parts)
        return child

    def bind(self, parts: tuple[Part, ...]) -> None:
        """Set the arguments. Their names are expanded now, their values on first use."""
        index = 0
        for part in parts:
            if part.name is None:
                index += 1
                name, mine, other = str(index), self._numbered, self._named
            else:
                name = trim(self._expander.expand_argument(part.name, self._outer))
                mine, other = self._named, self._numbered
            if name in mine or name in other:
                self._expander.note_duplicate_argument(self, name)
            mine[name] = part.value
            other.pop(name, None)

    @property
    def _outer(self) -> Frame:
        return self.parent or self

    def set_arguments(self, arguments: Mapping[str, str]) -> None:
        """Set arguments whose texts are already expanded."""
        self._cache.update(arguments)

    def argument(self, name: str) -> str | None:
        """Return an argument's expanded text, trimmed if it is named; ``None`` if not given."""
        if name in self._cache:
            return self._cache[name]
        if name in self._numbered:
            text = self._expander.expand_argument(self._numbered[name], self._outer)
        elif name in self._named:
            text = trim(self._expander.expand_argument(self._named[name], self._outer))
        else:
            return None
        self._cache[name] = text
        return text

    def arguments(self) -> dict[str, str]:
        """Return all arguments, expanded."""
        names = [*self._numbered, *self._named, *self._cache]
        return {name: self.argument(name) or "" for name in dict.fromkeys(names)}

    def known_arguments(self) -> dict[str, str | None]:
        """Return the texts of all arguments by name; ``None`` for those not expanded so far."""
        texts = {name: _plain(content) for name, content in self._numbered.items()}
        for name, content in self._named.items():
            plain = _plain(content)
            texts[name] = None if plain is None else trim(plain)
        return texts | self._cache

    def foreseen_argument(self, name: str) -> str | None:
        """Return the text that an argument will have, or ``None`` if it has to be expanded first.

        The text is known if the argument is plain text, or passes on such an argument of the
        template around it. Nothing is counted against the limits.
        """
        return self._foreseen(name, _MAX_FORESEEN_LEVELS)

    def _foreseen(self, name: str, levels: int) -> str | None:
        if name in self._cache:
            return self._cache[name]
        content = self._numbered.get(name)
        if content is not None:
            return self._outer._foreseen_text(content, levels)
        content = self._named.get(name)
        if content is None:
            return None
        # Blanks around a named argument are not part of it.
        only = tuple(node for node in content if not isinstance(node, str) or trim(node))
        text = self._outer._foreseen_text(only, levels)
        return None if text is None else trim(text)

    def _foreseen_text(self, content: Content, levels: int) -> str | None:
        plain = _plain(content)
        if plain is not None or not levels or len(content) != 1:
            return plain
        (node,) = content
        title = _plain(node.title) if isinstance(node, Argument) else None
        if title is None or not isinstance(node, Argument):
            return None
        name = trim(title)
        if name in self._cache or name in self._numbered or name in self._named:
            return self._foreseen(name, levels - 1)
        default = node.parts[0] if node.parts else None
        return _plain(default.value) if default and default.name is None else None

    def is_active(self, title: Title) -> bool:
        """Return whether the page is already being expanded, so that including it is a loop."""
        return title.key in self.active


def _plain(content: Content) -> str | None:
    """Return the text of a tree that contains nothing to expand, or ``None``."""
    if not content:
        return ""
    return content[0] if len(content) == 1 and isinstance(content[0], str) else None
