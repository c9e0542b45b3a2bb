"""Conversion of the response tree to XML, by MediaWiki's rules.

Plain values of an object become attributes, other values child elements. The value that an object
declares as its content becomes its text, or its last child element if there are others. The items
of a list become elements with the name that the list declares; items of a mapping with numeric keys
have the key in the attribute ``_idx``. ``True`` is an empty string; ``False`` and ``None`` are left
out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from wikiapi.api import Arr, IdMap, KeyValues, Obj

_ANY = "_v"
_INDEX = "_idx"
_PRESERVE = ' xml:space="preserve"'
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NAME = re.compile(r"[^\W\d_][-.\w]*\Z")
_NO_NAME_CHARACTER = re.compile(r"[^-.\w]")
_NUMBER = re.compile(r"-?[0-9]+\Z", re.ASCII)
_COMBINING_SOLIDUS = "\u0338"
"""Always escaped, because Unicode normalisation would combine it with a ``>`` before it."""
_IN_ATTRIBUTES = str.maketrans({"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
_INDENT = "  "


@dataclass
class Element:
    """An element with attributes and child elements, or with text.

    ``children`` may be an iterator, so that each child is created when it is written. It must then
    not be empty, and the element can be written only once. ``preserves`` says whether white space
    in the text is to be preserved.
    """

    tag: str
    attributes: dict[str, Any] = field(default_factory=dict)
    children: Iterable[Element] = ()
    text: str = ""
    preserves: bool = False


def document(root: Element, *, pretty: bool) -> str:
    """Return an XML document with a root element."""
    return "".join(document_parts(root, pretty=pretty))


def document_parts(root: Element, *, pretty: bool) -> Iterator[str]:
    """Yield the parts of an XML document with a root element."""
    yield '<?xml version="1.0"?>'
    yield from _written(root, "\n" if pretty else "")


def _written(element: Element, line: str) -> Iterator[str]:
    """Yield the parts of an element. ``line`` is a line break with indentation, or empty."""
    attributes = "".join(_attribute(name, value) for name, value in element.attributes.items())
    yield f"{line}<{element.tag}{attributes}{_PRESERVE if element.preserves else ''}"
    if element.children:
        yield ">"
        for child in element.children:
            yield from _written(child, line and line + _INDENT)
        yield f"{line}</{element.tag}>"
    elif element.text:
        yield f">{escaped(element.text)}</{element.tag}>"
    else:
        yield " />"


def _attribute(name: str, value: Any) -> str:
    if type(value) is int:
        return f' {name}="{value}"'
    return f' {name}="{escaped(_plain(value), quote=True).translate(_IN_ATTRIBUTES)}"'


def escaped(text: str, *, quote: bool = False) -> str:
    """Return a text for an XML document; characters that XML does not allow are replaced."""
    text = html.escape(_NOT_XML.sub("\ufffd", text), quote=quote)
    return text.replace("&#x27;", "&#039;").replace(_COMBINING_SOLIDUS, "&#x338;")


def xml_name(name: str) -> str:
    """Return a name as an XML name: invalid characters become ``.HEX.``, with ``_`` in front."""
    if _NAME.match(name):
        return name
    return "_" + _NO_NAME_CHARACTER.sub(lambda match: f".{ord(match[0]):X}.", name)


def element_of(tag: str, node: Any) -> Element:
    """Return a node of the response tree as an element."""
    if isinstance(node, KeyValues) or (isinstance(node, Obj) and node.key):
        return _parent(tag, node, (_pair(node, key, value) for key, value in node.items()))
    if isinstance(node, IdMap):
        return _parent(tag, node, (_indexed(node.element, *item) for item in node.items()))
    if isinstance(node, dict):
        return _object(tag, node)
    if isinstance(node, list | tuple):
        name = node.element if isinstance(node, Arr) else _ANY
        return _parent(tag, node, (element_of(name, item) for item in node))
    return Element(tag, text=_plain(node))


def _parent(tag: str, node: Sized, children: Iterator[Element]) -> Element:
    """Return an element whose children are created when they are written."""
    return Element(tag, children=children if node else ())


def _object(tag: str, node: dict[Any, Any]) -> Element:
    element = Element(tag)
    content = node.content if isinstance(node, Obj) else None
    texts = node.subelements if isinstance(node, Obj) else frozenset()
    below: list[tuple[str, Any]] = []
    for key, value in node.items():
        if value is None or value is False or key == content:
            continue
        if isinstance(value, dict | list | tuple) or key in texts or _NUMBER.match(str(key)):
            below.append((key, value))
        else:
            element.attributes[xml_name(str(key))] = value
    if below:
        element.children = (
            _child(node, str(key), value, is_text=key in texts) for key, value in below
        )
    if content is not None and content in node:
        value = node[content]
        if isinstance(value, dict | list | tuple):
            element.children = chain(element.children, (element_of(xml_name(content), value),))
        elif element.children:
            last = Element(xml_name(content), text=_plain(value), preserves=True)
            element.children = chain(element.children, (last,))
        elif value is not None:
            element.text, element.preserves = _plain(value), True
    return element


def _child(node: dict[Any, Any], key: str, value: Any, *, is_text: bool) -> Element:
    if _NUMBER.match(key):
        return _indexed(node.element if isinstance(node, Obj) else _ANY, key, value)
    if is_text:
        return Element(xml_name(key), text=_plain(value), preserves=True)
    return element_of(xml_name(key), value)


def _indexed(tag: str, index: int | str, value: Any) -> Element:
    element = element_of(tag, value)
    element.attributes = {_INDEX: str(index), **element.attributes}
    return element


def _pair(node: KeyValues | Obj, key: str, value: Any) -> Element:
    if isinstance(value, dict | list | tuple):
        element = element_of(node.element, value)
    else:
        element = Element(node.element, text=_plain(value), preserves=True)
    element.attributes = {**element.attributes, node.key: key}
    return element


def _plain(value: Any) -> str:
    if value is None or value is True or value is False:
        return ""
    return value if isinstance(value, str) else str(value)
