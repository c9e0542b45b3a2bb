"""The response tree, which modules fill and formats serialise.

It consists of dicts, lists and scalars in the shape of formatversion 2. Nodes of special types
describe how formatversion 1 or XML differ. (Items of long lists that do not differ should be plain
dicts, which cost least.)

* :class:`Obj` is an object with annotations on some of its keys;
* :class:`Loose` is an object that becomes a list when it is empty;
* :class:`Indexed` is an object whose keys are positions, and a list in version 1;
* :class:`Arr` is a list with the XML element of its items;
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
from wikiapi.temporary import temporary_attribute

Path = Sequence[str | int]
Items = Sequence[dict[str, Any]]
_NONE: frozenset[str] = frozenset()


class Obj(dict[str, Any]):
    """An object.

    ``content`` is the key whose value is the text of the XML element (``*`` in version 1). The keys
    in ``bools`` stay true or false in version 1, and those in ``subelements`` become
    ``{"*": value}``. ``element`` is the XML element of values with numeric keys. If ``key`` is
    set, it is the element of all values, and ``key`` is the attribute with their names.
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
        """Take the data and the annotations on its keys."""
        super().__init__(data)
        self.element = element
        self.key = key
        self.content = content
        self.bools = frozenset(bools) if bools else _NONE
        self.subelements = frozenset(subelements) if subelements else _NONE


class Loose(Obj):
    """An object that is serialised as an empty list if it is empty.

    PHP does this with an empty array that has not been declared to be an object.
    """

    __slots__ = ()


class Indexed(Obj):
    """An object whose keys are positions, and a list in version 1."""

    __slots__ = ()

    @classmethod
    def of(cls, items: Iterable[Any], element: str = "_v") -> Indexed:
        """Return an object with the items by position."""
        return cls(((str(position), item) for position, item in enumerate(items)), element=element)


class Arr(list[Any]):
    """A list; ``element`` is the XML element of each item."""

    __slots__ = ("element",)

    def __init__(self, items: Iterable[Any] = (), element: str = "v") -> None:
        """Take the items and their XML element."""
        super().__init__(items)
        self.element = element


class IdMap(dict[int, Any]):
    """Items by numeric id: an object in version 1, an array sorted by id in version 2."""

    __slots__ = ("element",)

    def __init__(self, element: str = "page") -> None:
        """Take the XML element of the items."""
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
        """Take the data, and the keys that contain name and value of each pair in version 1."""
        super().__init__(data)
        self.key = key
        self.value = value
        self.element = element


class Document(Obj):
    """An object that is serialised as an XML document with another root element.

    ``tag`` and ``attributes`` are those of the root element. ``media_type`` is empty for the
    default.
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
        """Take the root element, its content, its attributes and the media type."""
        super().__init__(data)
        self.tag = tag
        self.attributes = attributes
        self.media_type = media_type


@dataclass(frozen=True, slots=True)
class RawBody:
    """A body that replaces the whole answer, whatever format was requested."""

    body: bytes
    content_type: str
    filename: str


class Result:
    """The response tree of one answer, with a size limit for the data of query modules."""

    def __init__(self, size_limit: int) -> None:
        """Create an empty tree; ``size_limit`` is in bytes of text."""
        self._check: Callable[[], None] = _unhurried
        self.root = Obj()
        self.raw: RawBody | None = None
        self.whole: Any = None
        """The value that is serialised instead of the tree, for answers that are not objects."""
        self.limit = size_limit
        self.truncated = False
        """Whether a value was left out because of the size limit."""
        self._tally = Tally(container_version2)
        # The list to which the last item was appended, since most get several items in a row.
        self._last_path: Path = ()
        self._last_list: list[Any] = []

    def calling(self, check: Callable[[], None]) -> AbstractContextManager[Callable[[], None]]:
        """Return a context manager in which ``check`` is called whenever a value is added.

        It may raise an exception to stop the work.
        """
        return temporary_attribute(self, "_check", check)

    @property
    def size(self) -> int:
        """Bytes of text that have been added, without names and values that are not limited."""
        return self._tally.size

    def exceeds(self, size: int) -> bool:
        """Return whether ``self.size > size``, which is faster than computing the size."""
        return self._tally.exceeds(size)

    def add(self, path: Path, name: str | int, value: Any) -> bool:
        """Set a value in the object at a path, unless the result would exceed its size limit.

        Returns:
            Whether it was set; if not, the module should set its continuation and stop.
        """
        if not self._grow(value):
            return False
        self.node(path)[name] = value
        return True

    def merge(self, path: Path, values: Mapping[str, Any]) -> bool:
        """Set several values in the object at a path, or none if they do not all fit."""
        if not self._grow(values):
            return False
        self.node(path).update(values)
        return True

    def merge_by_page(self, path: Path, items: Sequence[tuple[int, Mapping[str, Any]]]) -> int:
        """Set the values of as many pages as fit in the objects of pages at a path.

        Items are given as (page id, values). Returns the number of pages that were added.
        """
        if self._fits([values for _, values in items]):
            for page_id, values in items:
                self.node((*path, page_id)).update(values)
            return len(items)
        return next(
            (
                number
                for number, (page_id, values) in enumerate(items)
                if not self.merge((*path, page_id), values)
            ),
            len(items),
        )

    def append(self, path: Path, value: Any, element: str = "v") -> bool:
        """Append a value to the list at a path, unless the result would exceed its size limit."""
        if not self._grow(value):
            return False
        if path != self._last_path:
            self._last_path, self._last_list = path, self.list(path, element)
        self._last_list.append(value)
        return True

    def append_all(self, path: Path, values: Items, element: str = "v") -> int:
        """Append as many values as fit to the list at a path; return their number.

        The list is created if it does not exist.
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
        """Append as many items as fit to the lists ``name`` of the pages at a path.

        Items are given as (page id, item). Returns the number of items that were added.
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
        """Append to a list in the result, unless the result would exceed its size limit."""
        _ = self.size  # Values added before must be measured before one of them is changed.
        if not self._grow(value):
            return False
        items.append(value)
        return True

    def set(self, path: Path, name: str | int, value: Any) -> None:
        """Set a value in the object at a path, without a size limit; for small values."""
        self.node(path)[name] = value

    def node(self, path: Path) -> dict[Any, Any]:
        """Return the object at a path; it and those above it are created if they do not exist."""
        node: dict[Any, Any] = self.root
        for step in path:
            child = node.get(step)
            if child is None:
                child = node[step] = Obj()
            node = child
        return node

    def list(self, path: Path, element: str = "v") -> list[Any]:
        """Return the list at a path, which is created if it does not exist."""
        parent = self.node(path[:-1])
        items = parent.get(path[-1])
        if items is None:
            items = parent[path[-1]] = Arr(element=element)
        return cast("list[Any]", items)

    @property
    def answer(self) -> Any:
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
        """Remove everything, so that an error can be shown instead."""
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
        return self._tally.add_if_fits(value, self.limit)


def _unhurried() -> None:
    """Do nothing; the default for :meth:`Result.calling`."""


def to_version2(node: Any) -> Any:
    """Return the tree as plain dicts and lists as in formatversion 2; parts may be shared."""
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
    """Return a container as in formatversion 2, without converting containers inside it.

    For encoders that call a function for values they cannot encode.

    Raises:
        TypeError: the node is not a container.
    """
    if isinstance(node, IdMap):
        return [node[key] for key in sorted(node)]
    if isinstance(node, dict):
        return dict(node) if node or not isinstance(node, Loose) else []
    if isinstance(node, list | tuple):
        return list(node)
    raise TypeError(f"no part of a response: {type(node)}")


def to_version1(node: Any) -> Any:
    """Return the tree as plain dicts and lists as in formatversion 1; parts may be shared."""
    if isinstance(node, KeyValues):
        return [{node.key: key, node.value: to_version1(value)} for key, value in node.items()]
    if isinstance(node, Indexed):
        return [_value1(value) for value in node.values()]
    if isinstance(node, Obj):
        converted = _object_version1(node)
        return [] if isinstance(node, Loose) and not converted else converted
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
    converted: dict[str, Any] = {}
    for key, value in node.items():
        if key in node.bools:
            converted[key] = value
        elif value is not False:
            name = "*" if key == node.content else key
            plain = _value1(value)
            converted[name] = {"*": plain} if key in node.subelements else plain
    return converted


def _without_notes(node: dict[str, Any]) -> dict[str, Any]:
    if SHORT.issuperset(map(type, node.values())):
        return node
    return {
        key: value if type(value) in SHORT else _value1(value)
        for key, value in node.items()
        if value is not False
    }
