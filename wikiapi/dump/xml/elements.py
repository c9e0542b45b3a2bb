"""The elements of MediaWiki's XML export, and the values that their texts stand for.

The formats are https://www.mediawiki.org/xml/export-0.10.xsd and export-0.11.xsd. Elements that are
not declared here are skipped with everything inside them. Texts are read strictly: what is not a
number, timestamp or hash is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from wikiapi.api.params.types.timestamp import is_real
from wikiapi.dump.xml.records import Contributor, DumpNamespace, DumpSlot, Hidden

_TIMESTAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?Z", re.ASCII)
_SHA1 = re.compile(r"[0-9a-z]{31}", re.ASCII)
_DIGITS = 18
_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_HIDDEN: dict[str, int] = {
    "text": Hidden.TEXT.value,
    "comment": Hidden.COMMENT.value,
    "contributor": Hidden.USER.value,
}
_LONGEST_NAME = 255
_LARGEST_TEXT = 2**32 - 1
_LARGEST_FILE = 2**40
_UNKNOWN_USER = "Unknown user"
_EPOCH = "19700101000000"


TEXT_CHARS, FIELD_CHARS, NAME_CHARS = SIZES = ("text_chars", "field_chars", "name_chars")
"""Which of the limits an element is bound by."""
VERSIONS = ("0.10", "0.11")
ROOT = "mediawiki"
NOTHING: Mapping[str, Element] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """An element. ``children`` is None for one that holds text (a leaf).

    ``size`` names the limit on what it holds, ``repeated`` keeps all of its occurrences.
    """

    name: str
    children: Mapping[str, Element] | None = None
    size: str = NAME_CHARS
    repeated: bool = False
    starts: Mapping[str, Element] = field(init=False)
    is_usual: bool = field(init=False)
    """Neither a text nor repeated."""

    def __post_init__(self) -> None:
        """Check that no known element may be inside an element that contains text."""
        object.__setattr__(self, "starts", self.children or NOTHING)
        object.__setattr__(self, "is_usual", self.size != TEXT_CHARS and not self.repeated)


_FIELDS = frozenset({"title", "comment", "params", "restrictions", "logtitle", "src"})


def _holds(name: str, *children: Element, texts: str = "") -> Element:
    leaves = (
        Element(leaf, size=FIELD_CHARS if leaf in _FIELDS else NAME_CHARS) for leaf in texts.split()
    )
    return Element(name, MappingProxyType({child.name: child for child in (*children, *leaves)}))


_TEXT = Element("text", size=TEXT_CHARS)
_CONTRIBUTOR = _holds("contributor", texts="username id ip")
_CONTENT = _holds("content", _TEXT, texts="role origin model format")
REVISION = _holds(
    "revision",
    _CONTRIBUTOR,
    _CONTENT,
    _TEXT,
    texts="id parentid timestamp minor comment origin model format sha1",
)
UPLOAD = _holds(
    "upload",
    _CONTRIBUTOR,
    texts="timestamp comment filename archivename src size sha1base36 rel",
)
PAGE = _holds("page", REVISION, UPLOAD, texts="title ns id redirect restrictions")
LOGITEM = _holds(
    "logitem", _CONTRIBUTOR, texts="id timestamp comment type action logtitle params text"
)
_NAMESPACES = _holds("namespaces", Element("namespace", repeated=True))
SITEINFO = _holds("siteinfo", _NAMESPACES, texts="sitename dbname base generator case")
DOCUMENT = _holds("document", _holds(ROOT, SITEINFO, PAGE, LOGITEM))


class Node:
    """An open element: the texts and attributes of its leaves, and its closed child nodes."""

    __slots__ = ("attributes", "children", "element", "entries", "texts")

    def __init__(self, element: Element) -> None:
        """Begin an element."""
        self.element = element
        self.texts: dict[str, str] = {}
        self.attributes: dict[str, dict[str, str]] = {}
        self.children: dict[str, list[Node]] = {}
        # The repeated leaves, in their order, with their attributes.
        self.entries: list[tuple[dict[str, str], str]] = []


class BadField(ValueError):
    """A field holds what its element must not hold."""


def integer(text: str, name: str) -> int:
    """Return a decimal number of up to 18 digits."""
    if text.isdecimal() and text.isascii() and len(text) <= _DIGITS:
        return int(text)
    stripped = text.strip(" \t\r\n")
    if not _INTEGER.fullmatch(stripped):
        raise BadField(f"<{name}> is not a number: {text[:40]!r}")
    return int(stripped)


def identifier(node: Node, name: str) -> int:
    """Return a required number greater than zero."""
    text = node.texts.get(name)
    number = integer(text, name) if text is not None else 0
    if number < 1:
        raise BadField(f"a <{node.element.name}> without <{name}>")
    return number


def optional(node: Node, name: str) -> int:
    """Return a number, 0 where the element is absent or empty."""
    text = node.texts.get(name)
    return integer(text, name) if text else 0


def timestamp(node: Node) -> str:
    """Return the 14 digits of ``<timestamp>``; the epoch where there is none."""
    text = node.texts.get("timestamp")
    if text is None:
        return _EPOCH
    digits = digits_of(text.strip())
    if digits is None:
        raise BadField(f"<timestamp> is not a timestamp: {text[:40]!r}")
    return digits


def digits_of(text: str) -> str | None:
    """Return the 14 digits of a time of the form ``2026-01-31T23:59:59Z``; None for other texts.

    A time that no clock shows is none either: what is stored must be readable ever after.
    """
    match = _TIMESTAMP.fullmatch(text)
    digits = "".join(match.groups()) if match else ""
    return digits if is_real(digits) else None


def contributor(node: Node) -> Contributor:
    """Return the author of a revision, an upload or a log entry."""
    children = node.children.get("contributor")
    if not children:
        return Contributor(_UNKNOWN_USER)
    texts = children[0].texts
    if (ip := texts.get("ip")) is not None:
        return Contributor(_user_name(ip))
    return Contributor(_user_name(texts.get("username")), optional(children[0], "id"))


def _user_name(text: str | None) -> str:
    if text and len(text) > _LONGEST_NAME // 4 and len(text.encode()) > _LONGEST_NAME:
        raise BadField(f"a <contributor> with a name of more than {_LONGEST_NAME} bytes")
    return text or _UNKNOWN_USER


def hidden(node: Node) -> int:
    """Return which parts of a revision or log entry are marked ``deleted="deleted"``."""
    flags = 0
    for name, attributes in node.attributes.items():
        if "deleted" in attributes:
            flags |= _HIDDEN.get(name, 0)
    return flags


def slot(node: Node, revision: int) -> DumpSlot:
    """Return the slot that a ``<revision>`` or ``<content>`` describes."""
    texts = node.texts
    text = texts.get("text", "")
    attributes = node.attributes.get("text", {})
    size = _size(attributes["bytes"], "text bytes") if "bytes" in attributes else None
    return DumpSlot(
        texts.get("role") or "main",
        texts.get("model") or "",
        text,
        size,
        sha1(attributes.get("sha1") or texts.get("sha1") or ""),
        optional(node, "origin") or revision,
        absent=not text and bool(size or "text" not in texts),
    )


def file_size(node: Node) -> int:
    """Return the size of a file, 0 if it is not given."""
    return _size(node.texts.get("size") or "0", "size", _LARGEST_FILE)


def _size(text: str, name: str, most: int = _LARGEST_TEXT) -> int:
    number = integer(text, name)
    if not 0 <= number <= most:
        raise BadField(f"<{name}> is not a valid size: {number}")
    return number


def sha1(text: str) -> str:
    """Return a hash in base 36, 31 digits; empty for what is none."""
    return text if _SHA1.fullmatch(text) else ""


def namespace(attributes: Mapping[str, str], name: str) -> DumpNamespace:
    """Return a namespace from ``<namespace key= case=>``."""
    number = integer(attributes.get("key", ""), "namespace")
    return DumpNamespace(number, name, attributes.get("case") != "case-sensitive")
