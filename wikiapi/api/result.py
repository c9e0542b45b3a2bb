"""The response tree: what modules fill and formats serialise.

A tree of dicts, lists and scalars that says the facts once, in the shape of formatversion 2. Where
formatversion 1 or XML differ, a node carries the difference (an item of a long list that has none
to carry is best a plain dict, which costs least):

* :class:`Obj` is an object with notes on some of its keys;
* :class:`Loose` is one that shows as an empty list when it is empty;
* :class:`Indexed` is one whose keys are positions: a list in version 1;
* :class:`Arr` is a list that knows the XML element of its items;
* :class:`IdMap` is keyed by page id: an object in version 1, an array in version 2;
* :class:`KeyValues` is an object in version 2, a list of ``{name, *}`` objects in version 1.

In version 1 ``True`` is an empty string and ``False`` is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, cast

from wikiapi.api.tally import PLAIN, SHORT, Tally
from wikiapi.temporary import TemporaryAttribute

Path = Sequence[str | int]
Items = Sequence[dict[str, Any]]
_NONE: frozenset[str] = frozenset()


class Obj(dict[str, Any]):
    """An object.

    ``content`` names the key whose value is the element's text (``*`` in version 1); the keys in
    ``bools`` stay true or false in version 1; those in ``subelements`` become ``{"*": value}``.
    ``element`` is the XML element of what is found under a number, or of everything where ``key``
    names the attribute that holds the name.
    """

    __slots__ = ("bools", "content", "element", "key", "subelements")

    def __init__(
        self,
        data: Mapping[str, Any] | Iterable[tuple[str, Any]] = (),
        *,
        content: str | None = None,
        bools: Iterable[str] = (),
        subelements: Iterable[str] = (),
        element: str = "_v",
        key: str = "",
    ) -> None:
        """Take the data and the notes on its keys."""
        super().__init__(data)
        self.element = element
        self.key = key
        self.content = content
        self.bools = frozenset(bools) if bools else _NONE
        self.subelements = frozenset(subelements) if subelements else _NONE


class Loose(Obj):
    """An object of which nothing may be left; it then shows as an empty list.

    That is what PHP makes of an array that was never declared to have keys.
    """

    __slots__ = ()


class Indexed(Obj):
    """An object whose keys are positions: a list in version 1."""

    __slots__ = ()

    @classmethod
    def of(cls, items: Iterable[Any], element: str = "_v") -> Indexed:
        """Return the items by position."""
        return cls(((str(position), item) for position, item in enumerate(items)), element=element)


class Arr(list[Any]):
    """A list; ``element`` is the XML element of each item."""

    __slots__ = ("element",)

    def __init__(self, items: Iterable[Any] = (), element: str = "v") -> None:
        """Take the items and the element name."""
        super().__init__(items)
        self.element = element


class IdMap(dict[int, Any]):
    """Items by numeric id: an object in version 1, in version 2 an array by ascending id."""

    __slots__ = ("element",)

    def __init__(self, element: str = "page") -> None:
        """Name the XML element of an item."""
        super().__init__()
        self.element = element


class KeyValues(dict[str, Any]):
    """Name and value pairs: an object in version 2; in version 1 a list of ``{key, *}``."""

    __slots__ = ("element", "key", "value")

    def __init__(
        self,
        data: Mapping[str, Any] | Iterable[tuple[str, Any]] = (),
        *,
        key: str = "name",
        value: str = "*",
        element: str = "v",
    ) -> None:
        """Name the keys that hold each pair's name and value in version 1."""
        super().__init__(data)
        self.key = key
        self.value = value
        self.element = element


class Document(Obj):
    """An object that stands for a whole XML document of its own kind.

    ``tag`` and ``attributes`` are those of its root element; ``media_type`` is empty for the usual.
    """

    __slots__ = ("attributes", "media_type", "tag")

    def __init__(
        self,
        tag: str,
        data: Mapping[str, Any],
        *,
        attributes: Mapping[str, str],
        media_type: str = "",
    ) -> None:
        """Take the root element and what is below it."""
        super().__init__(data)
        self.tag = tag
        self.attributes = attributes
        self.media_type = media_type


@dataclass(frozen=True, slots=True)
class RawBody:
    """A body that stands for the whole answer, whatever format was requested."""

    body: bytes
    content_type: str
    filename: str


class Result:
    """The tree of one answer, with a ceiling on the size of what query modules add."""

    def __init__(self, size_limit: int) -> None:
        """Begin empty; ``size_limit`` is in bytes of text."""
        self._check: Callable[[], None] = _unhurried
        self.root = Obj()
        self.raw: RawBody | None = None
        self.whole: Any = None
        """What formats serialise in place of the tree, for answers that are no object."""
        self.limit = size_limit
        self.truncated = False
        """Whether something did not fit."""
        self._tally = Tally(container_version2)
        # Lists are filled item by item: the one that was last appended to is kept at hand.
        self._last_path: Path = ()
        self._last_list: list[Any] = []

    def checked(self, check: Callable[[], None]) -> AbstractContextManager[Callable[[], None]]:
        """Call a function whenever something is added in the block; it may raise to end that."""
        return TemporaryAttribute(self, "_check", check)

    @property
    def size(self) -> int:
        """Bytes of text that have been added, names and what is under no ceiling not counted."""
        return self._tally.size

    def exceeds(self, size: int) -> bool:
        """Return whether it is more than a number of bytes; faster than counting all."""
        return self._tally.exceeds(size)

    def add(self, path: Path, name: str | int, value: Any) -> bool:
        """Put a value under a name below a path, unless the result would grow too large.

        Returns:
            Whether it was put there; if not, the module sets its continuation and stops.
        """
        if not self._grow(value):
            return False
        self.node(path)[name] = value
        return True

    def merge(self, path: Path, values: Mapping[str, Any]) -> bool:
        """Put several values into the object at a path, all or none of them."""
        if not self._grow(values):
            return False
        self.node(path).update(values)
        return True

    def append(self, path: Path, value: Any, element: str = "v") -> bool:
        """Append a value to the list at a path, unless the result would grow too large."""
        if not self._grow(value):
            return False
        if path != self._last_path:
            self._last_path, self._last_list = path, self.list(path, element)
        self._last_list.append(value)
        return True

    def append_all(self, path: Path, values: Items, element: str = "v") -> int:
        """Append values to the list at a path, which is made where missing, as far as they fit.

        Returns how many do.
        """
        target = self.list(path, element)
        if self._fits(values):
            target.extend(values)
            return len(values)
        return next(
            (n for n, value in enumerate(values) if not self.append(path, value, element)),
            len(values),
        )

    def append_by_page(
        self, path: Path, name: str, items: Sequence[tuple[int, Any]], element: str = "v"
    ) -> int:
        """Append items to lists called ``name`` of the pages at a path, as far as they fit.

        Each item comes with the id of its page. Returns how many fit.
        """
        if self._fits([item for _, item in items]):
            for page_id, group in groupby(items, itemgetter(0)):
                self.list((*path, page_id, name), element).extend([item for _, item in group])
            return len(items)
        return next(
            (
                number
                for number, (page_id, item) in enumerate(items)
                if not self.append((*path, page_id, name), item, element)
            ),
            len(items),
        )

    def extend(self, items: Arr, value: Any) -> bool:
        """Append to a list within the answer, unless the result would grow too large."""
        _ = self.size  # What the list is part of is measured as it was counted.
        if not self._grow(value):
            return False
        items.append(value)
        return True

    def set(self, path: Path, name: str | int, value: Any) -> None:
        """Put a value that is small and always wanted: no ceiling."""
        self.node(path)[name] = value

    def node(self, path: Path) -> dict[Any, Any]:
        """Return the object at a path, made with those above it where missing."""
        node: dict[Any, Any] = self.root
        for step in path:
            child = node.get(step)
            if child is None:
                child = node[step] = Obj()
            node = child
        return node

    def list(self, path: Path, element: str = "v") -> list[Any]:
        """Return the list at a path, made where missing."""
        parent = self.node(path[:-1])
        found = parent.get(path[-1])
        if found is None:
            found = parent[path[-1]] = Arr(element=element)
        return cast("list[Any]", found)

    @property
    def shown(self) -> Any:
        """The value to serialise."""
        return self.root if self.whole is None else self.whole

    def get(self, path: Path) -> Any:
        """Return the value at a path, ``None`` if there is none."""
        node: Any = self.root
        for step in path:
            if not isinstance(node, dict) or step not in node:
                return None
            node = node[step]
        return node

    def reset(self) -> None:
        """Forget everything: an error is shown in its place."""
        self.root = Obj()
        self.raw = None
        self.whole = None
        self.truncated = False
        self._tally = Tally(container_version2)
        self._last_path = ()

    def _grow(self, value: Any) -> bool:
        fits = self._fits(value)
        self.truncated |= not fits
        return fits

    def _fits(self, value: Any) -> bool:
        self._check()
        return self._tally.takes(value, self.limit)


def _unhurried() -> None:
    """Do nothing: the work is not limited."""


def to_version2(node: Any) -> Any:
    """Return the tree as dicts and lists in the shape of formatversion 2; parts may be shared."""
    if isinstance(node, dict):
        if isinstance(node, IdMap):
            return [to_version2(node[key]) for key in sorted(node)]
        if not node and isinstance(node, Loose):
            return []
        if PLAIN.issuperset(map(type, node.values())):
            return node
        return {
            key: value if type(value) in PLAIN else to_version2(value)
            for key, value in node.items()
        }
    if isinstance(node, list | tuple):
        return [item if type(item) in PLAIN else to_version2(item) for item in node]
    return node


def container_version2(node: Any) -> Any:
    """Return a container of the tree as in formatversion 2; containers inside it are unchanged.

    For encoders that ask what to make of a container when they meet it.

    Raises:
        TypeError: it is no container.
    """
    if isinstance(node, IdMap):
        return [node[key] for key in sorted(node)]
    if isinstance(node, dict):
        return dict(node) if node or not isinstance(node, Loose) else []
    if isinstance(node, list | tuple):
        return list(node)
    raise TypeError(f"no part of a response: {type(node)}")


def to_version1(node: Any) -> Any:
    """Return the tree as dicts and lists in the shape of formatversion 1; parts may be shared."""
    if isinstance(node, KeyValues):
        return [{node.key: key, node.value: to_version1(value)} for key, value in node.items()]
    if isinstance(node, Indexed):
        return [_value1(value) for value in node.values()]
    if isinstance(node, Obj):
        shown = _object_version1(node)
        return [] if isinstance(node, Loose) and not shown else shown
    if isinstance(node, IdMap):
        return {str(key): to_version1(value) for key, value in node.items()}
    if isinstance(node, dict):
        return _without_notes(node)
    if isinstance(node, list | tuple):
        return [
            item if type(item) in SHORT else _value1(item) for item in node if item is not False
        ]
    return _value1(node)


def _value1(value: Any) -> Any:
    kind = type(value)
    if kind in SHORT:
        return value
    if kind is Obj:
        return _object_version1(value)
    if kind is dict:
        return _without_notes(value)
    if value is True:
        return ""
    return to_version1(value) if isinstance(value, dict | list | tuple) else value


def _object_version1(node: Obj) -> dict[str, Any]:
    if not (node.bools or node.subelements or node.content):
        return _without_notes(node)
    shown: dict[str, Any] = {}
    for key, value in node.items():
        if key in node.bools:
            shown[key] = value
        elif value is not False:
            name = "*" if key == node.content else key
            plain = _value1(value)
            shown[name] = {"*": plain} if key in node.subelements else plain
    return shown


def _without_notes(node: dict[str, Any]) -> dict[str, Any]:
    if SHORT.issuperset(map(type, node.values())):
        return node
    return {
        key: value if type(value) in SHORT else _value1(value)
        for key, value in node.items()
        if value is not False
    }
